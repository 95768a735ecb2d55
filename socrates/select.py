"""From all findings of a run to those that are shown: a pure step after the engine.

In this order: severities are raised by ``strict``, findings of rules that are off for the file
are dropped, the baseline takes out what was there before, and what is below ``min-severity``
goes last, so that no entry of the baseline looks fixed because it is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from socrates import baseline
from socrates.baseline import Entry
from socrates.findings import CheckResult, Finding, Severity
from socrates.registry import Registry
from socrates.settings import Settings


@dataclass(frozen=True, slots=True)
class Baseline:
    """A loaded baseline and which of its entries this run could have met."""

    entries: Sequence[Entry]
    in_reach: Callable[[Entry], bool]
    read_source: Callable[[str], str | None]


def finish(
    result: CheckResult, settings: Settings, registry: Registry, accepted: Baseline | None = None
) -> CheckResult:
    """The result to show. Findings come sorted."""
    findings = judged(result.findings, settings, registry)
    if accepted is not None:
        met = baseline.match(findings, accepted.entries, accepted.read_source)
        fixed = [
            entry.label
            for entry in accepted.entries
            if entry.fingerprint not in met.met and accepted.in_reach(entry)
        ]
        baselined = len(findings) - len(met.new)
        result = replace(result, baselined=baselined, fixed_baseline=tuple(fixed))
        findings = list(met.new)
    shown = [item for item in findings if item.severity.at_least(settings.min_severity)]
    return replace(result, findings=tuple(shown))


def judged(findings: Iterable[Finding], settings: Settings, registry: Registry) -> list[Finding]:
    """The findings that the settings ask for, at their final severity, sorted."""
    selected = registry.selected(settings)
    ignores = [(pattern, registry.expand(rules)) for pattern, rules in settings.per_file_ignores]
    known = registry.rules
    raised = {code for code, entry in known.items() if entry.rule.strict_raises_info}
    kept = [
        _raised(finding) if settings.strict and finding.code in raised else finding
        for finding in findings
        if (finding.code in selected or finding.code not in known)
        and not _is_ignored(finding, ignores)
    ]
    return sorted(kept, key=lambda finding: finding.sort_key)


def fails(result: CheckResult, settings: Settings) -> bool:
    """Whether any shown finding is at or above ``fail-on``."""
    return any(finding.severity.at_least(settings.fail_on) for finding in result.findings)


def matches_file(filename: str, pattern: str) -> bool:
    """Whether a glob names a file of the project: its path, its name, or a folder above it."""
    pattern = pattern.removeprefix("./").rstrip("/")
    # In fnmatch a star crosses slashes, so ``**`` is one; it also stands for no folder at all.
    shorter = pattern.removeprefix("**/").replace("/**/", "/")
    basename = filename.rpartition("/")[2]
    return any(
        fnmatchcase(filename, glob)
        or fnmatchcase(filename, f"{glob}/*")
        or fnmatchcase(basename, glob)
        for glob in {pattern, shorter}
    )


def _is_ignored(finding: Finding, ignores: Iterable[tuple[str, frozenset[str]]]) -> bool:
    return any(
        finding.code in codes and matches_file(finding.filename, pattern)
        for pattern, codes in ignores
    )


def _raised(finding: Finding) -> Finding:
    if finding.severity is Severity.INFO:
        return replace(finding, severity=Severity.WARNING)
    return finding
