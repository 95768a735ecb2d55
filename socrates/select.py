"""From all findings of a run to those that are shown: a pure step after the engine.

In this order: findings of rules that are off for the file are dropped, the baseline takes out
what was there before, ``strict`` raises severities, so that it makes nothing look new, and what is
below ``min-severity`` goes last, so that no entry of the baseline looks fixed because it is not
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from socrates import baseline
from socrates.baseline import Entry
from socrates.classes.lazy import dataclass
from socrates.findings import CheckResult, Finding, Severity
from socrates.registry import Registry
from socrates.settings import Settings


@dataclass(frozen=True, slots=True)
class Baseline:
    """A loaded baseline, which of its entries this run could have met, and which tests are gone."""

    entries: Sequence[Entry]
    in_reach: Callable[[Entry], bool]
    read_source: Callable[[str], str | None]
    is_gone: Callable[[Entry], bool] = lambda entry: False


def finish(
    result: CheckResult, settings: Settings, registry: Registry, accepted: Baseline | None = None
) -> CheckResult:
    """The result to show. Findings come sorted."""
    findings = judged(result.findings, settings, registry)
    if accepted is not None:
        found = baseline.match(findings, accepted.entries, accepted.read_source, accepted.is_gone)
        met = found.met
        fixed = [
            entry.label
            for entry in accepted.entries
            if entry.fingerprint not in met and accepted.in_reach(entry)
        ]
        result = replace(result, baselined=len(found.accepted), fixed_baseline=tuple(fixed))
        findings = list(found.new)
    if settings.strict:
        raised = {code for code, known in registry.rules.items() if known.rule.strict_raises_info}
        findings = [_raised(item) if item.code in raised else item for item in findings]
    shown = [item for item in findings if item.severity.at_least(settings.min_severity)]
    return replace(result, findings=tuple(shown))


def judged(findings: Iterable[Finding], settings: Settings, registry: Registry) -> list[Finding]:
    """The findings that the settings ask for, sorted, at the severity that their rules gave them."""
    selected = registry.selected(settings)
    ignores = [(pattern, registry.expand(rules)) for pattern, rules in settings.per_file_ignores]
    kept = [
        finding
        for finding in findings
        if (finding.code in selected or finding.code not in registry.rules)
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
