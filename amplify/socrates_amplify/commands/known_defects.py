"""The baseline of ``socrates amplify``: which file it is, read before a run, written after it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from socrates import baseline
from socrates.classes.lazy import dataclass
from socrates.cli import terminal
from socrates.config.find import shown
from socrates.files.looking import exists
from socrates.session import Session
from socrates_amplify.model.results import RunResult
from socrates_amplify.triage.accepting import accept, entries_after

DEFAULT = ""
"""What ``--baseline`` without a file stands for: the setting ``baseline``, else the usual name."""


@dataclass(frozen=True, slots=True)
class KnownDefects:
    """A baseline: its file, the folder that it has to lie in unless the user named it, its entries."""

    path: Path
    border: Path | None
    entries: Sequence[baseline.Entry] = ()

    def applied(self, run: RunResult) -> RunResult:
        """The run in which accepted groups don't fail."""
        return accept(run, self.entries)

    def write(self, run: RunResult, *, quiet: bool) -> None:
        """Accept what the run has found, and drop what it could have found and did not."""
        after = entries_after(run, self.entries)
        baseline.save(self.path, after, shown(self.path), self.border)
        if not quiet:
            old = {entry.fingerprint for entry in self.entries}
            new = {entry.fingerprint for entry in after}
            added, dropped = len(new - old), len(old - new)
            terminal.note(
                f"{shown(self.path)}: {len(new)} accepted ({added} added, {dropped} dropped)"
            )


def read(args: argparse.Namespace, session: Session) -> KnownDefects:
    """The baseline that the flags or the settings name; one without entries where there is none.

    Raises SocratesError when a file that is to be applied is missing or not one of ours.
    """
    named = args.baseline if args.baseline is not None else args.write_baseline
    if named:
        path, border = Path(os.path.normpath(Path.cwd() / named)), None
    else:
        border = session.settings.root
        path = session.baseline_path or border / baseline.DEFAULT_FILE
    asked = args.baseline is not None or (session.baseline_path is not None and named is None)
    if asked and not (args.write_baseline is not None and not exists(path)):
        return KnownDefects(path, border, baseline.load(path, shown(path)))
    if args.write_baseline is not None and exists(path):
        return KnownDefects(path, border, baseline.load(path, shown(path)))
    return KnownDefects(path, border)


def take_targets_back(args: argparse.Namespace) -> None:
    """``--baseline tests`` means the tests: the file's name may be left out, and a path may follow."""
    for flag in ("baseline", "write_baseline"):
        value = getattr(args, flag)
        if value and ("::" in value or value.endswith(".py") or Path(value).is_dir()):
            args.targets = [value, *args.targets]
            setattr(args, flag, DEFAULT)
