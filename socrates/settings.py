"""The settings of one run, already validated and merged: defaults, then the file, then flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.findings import Severity
from socrates.syntax import AUTO

CACHE_DIR = ".socrates_cache"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run needs to know. ``root`` is the project: paths in reports are relative to it."""

    root: Path
    config_file: Path | None = None
    select: tuple[str, ...] = ("ALL",)
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    strict: bool = False
    fail_on: Severity = Severity.WARNING
    min_severity: Severity = Severity.INFO
    output_format: str = "full"
    exclude: tuple[str, ...] = ()
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    baseline: str | None = None
    cache_dir: str = CACHE_DIR
    jobs: int | None = None
    parser: str = AUTO
    docs_url: str | None = None
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Options of single rules, by rule name: ``{"assertion-roulette": {"max-unexplained": 5}}``."""
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Tables that belong to plugins, such as ``amplify``, validated by them."""
    given: frozenset[str] = frozenset()
    """The fields that the user has set on the command line: only those may name places to write
    outside of the project."""

    def border_of(self, name: str) -> Path | None:
        """The folder that a file which the field ``name`` names is written in; None for any."""
        return None if name in self.given else self.root
