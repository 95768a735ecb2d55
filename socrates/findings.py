"""Findings and what they are made of: plain frozen data, the same for every rule and report."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from socrates.classes.lazy import dataclass


class Severity(enum.Enum):
    """How much a finding matters: ``info`` is shown, ``warning`` fails by default."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """A number that orders severities, higher is worse."""
        return _RANKS[self]

    def at_least(self, other: Severity) -> bool:
        """Whether this severity is as bad as ``other`` or worse."""
        return self.rank >= other.rank


_RANKS = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class Span(NamedTuple):
    """A stretch of source: rows and columns start at 1, columns count characters, the end is exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int


class Related(NamedTuple):
    """Another place that a finding talks about, such as the other tests of a lazy group."""

    message: str
    filename: str
    span: Span


ACT = "act"
"""The key in a finding's data for the stretch of its file to act on."""
ALSO = "also"
"""The key in a warning's data for the tests that inherit the code it is about."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One smell at one place.

    ``filename`` is relative to the project root with ``/`` between parts; ``test`` is the pytest
    node id, or None for findings about a file. ``advice`` says the way out for this very finding.
    ``data`` holds the numbers that tripped the rule and what a fix needs; it is JSON-serialisable.
    """

    code: str
    name: str
    severity: Severity
    message: str
    filename: str
    span: Span
    test: str | None = None
    related: tuple[Related, ...] = ()
    advice: str = ""
    data: Mapping[str, object] = field(default_factory=dict, compare=False, hash=False)

    @property
    def act(self) -> Span:
        """Where to act: the line that reports for people name. The place of a smell is its test."""
        place = self.data.get(ACT)
        return Span(*place) if isinstance(place, (list, tuple)) else self.span

    @property
    def sort_key(self) -> tuple[str, Span, str]:
        """Files in order, then top to bottom, then by code."""
        return (self.filename, self.span, self.code)


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What was looked at in one file, for statistics, HTML and JUnit: every collected test, in order."""

    filename: str
    tests: tuple[str, ...] = ()
    test_lines: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()


OWN_NAME = "socrates"


@dataclass(frozen=True, slots=True)
class PluginError:
    """A rule or plugin that raised: reported by name and place while the other rules went on.

    ``plugin`` is OWN_NAME for a defect of Socrates itself.
    """

    plugin: str
    message: str
    location: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All that a run of ``check`` learned, before it is printed.

    ``findings`` are those to show, sorted; ``baselined`` and ``suppressed`` count what was held
    back; ``fixed_baseline`` are baseline entries that nothing matches any more; ``warnings`` are
    lines for the user that change nothing about the verdict; ``looked_for`` says which names were
    looked for where there are no tests.
    """

    findings: tuple[Finding, ...] = ()
    files: tuple[FileSummary, ...] = ()
    errors: tuple[PluginError, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    fixed_baseline: tuple[str, ...] = ()
    cached_files: int = 0
    warnings: tuple[str, ...] = ()
    duration: float = 0.0
    looked_for: str = ""
