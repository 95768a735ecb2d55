"""What a run is asked for, and the digests under which its results are kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.session import Session
from socrates_amplify.model.results import Shard
from socrates_amplify.record.identity import digest
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.settings.table import read_table
from socrates_amplify.store.fingerprint import fingerprint
from socrates_amplify.store.scenario_files import ScenarioFile


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asked for."""

    targets: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    flags: dict[str, object] = field(default_factory=dict)
    """Settings given on the command line, None where they were not."""
    resume: bool = False
    since: str = ""
    """A commit: tests that no change since then concerns are not run again."""
    scenarios: tuple[ScenarioFile, ...] = ()
    """For the static explorer; each is asked of its own test alone."""
    cwd: Path = field(default_factory=Path.cwd)
    shard: Shard | None = None
    durations: Path | None = None
    """By which to split; without it, what the store knows."""


def settings_of(linter: Session, flags: dict[str, object]) -> AmplifySettings:
    """The amplifier's settings of a project, with flags in place."""
    table = linter.settings.tables.get("amplify", {})
    return read_table(table).overridden(**flags)


def code_of(rootdir: Path, settings: AmplifySettings) -> str:
    """The digest that says whether this is still the same project."""
    probes = {name: dict(table) for name, table in settings.probes.items()}
    return fingerprint(rootdir, {"probes": probes})


def asked_with(code: str, pytest_args: Sequence[str], settings: AmplifySettings) -> str:
    """The digest under which results are kept: arguments for pytest may change what a test does.

    Settings of which probes are told may change what they see of it.
    """
    told = {} if settings.tables is settings.probes else {"tables": settings.tables}
    asked = (*pytest_args, *map(repr, told.items()))
    return digest(f"{code} {asked!r}", 16) if asked else code


def shown(path: Path, cwd: Path) -> str:
    """A path as the user would type it: relative to where they are, if that is shorter."""
    relative = os.path.relpath(path, cwd)
    return relative if len(relative) < len(str(path)) else str(path)
