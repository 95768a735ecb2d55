"""What the check of one file gives. Apart, so that answers from the cache load no analysis."""

from __future__ import annotations

from socrates.classes.lazy import dataclass
from socrates.findings import FileSummary, Finding, PluginError


@dataclass(frozen=True, slots=True)
class FileResult:
    """All that one file gave. ``dependencies`` are what the answer rests on, for the cache."""

    summary: FileSummary
    findings: tuple[Finding, ...] = ()
    suppressed: int = 0
    errors: tuple[PluginError, ...] = ()
    dependencies: tuple[str, ...] = ()
