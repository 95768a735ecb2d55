"""The last lines of a textual report: what was found, what was held back, what got better."""

from __future__ import annotations

from collections import Counter

from socrates.findings import CheckResult, Severity
from socrates.printable import one_line
from socrates.report.style import Styler
from socrates.report.text import count, listed


def summary_lines(result: CheckResult, styler: Styler) -> list[str]:
    """The summary, most important line first; never empty."""
    lines = [_verdict(result, styler)]
    if result.looked_for:
        lines.append(one_line(result.looked_for))
    held_back = []
    if result.suppressed:
        held_back.append(f"{result.suppressed:,} suppressed")
    if result.baselined:
        held_back.append(f"{result.baselined:,} in the baseline")
    if held_back:
        lines.append(styler.paint(f"Not shown: {listed(held_back)}.", "dim"))
    lines.extend(_fixed(result, styler))
    return lines


def _verdict(result: CheckResult, styler: Styler) -> str:
    tests = sum(len(file.tests) for file in result.files)
    if not result.findings:
        return styler.paint(_clean(tests, result), "good")
    severities = Counter(finding.severity for finding in result.findings)
    parts = [
        styler.paint(count(severities[severity], severity.value), severity.value)
        for severity in sorted(Severity, key=lambda severity: -severity.rank)
        if severities[severity]
    ]
    files = len({finding.filename for finding in result.findings})
    return f"Found {listed(parts)} in {count(files, 'file')} ({count(tests, 'test')})."


def _clean(tests: int, result: CheckResult) -> str:
    if not tests:
        return "No tests found."
    if result.suppressed or result.baselined:
        return f"Nothing new in {count(tests, 'test')}."
    return "The only test is clean." if tests == 1 else f"All {tests:,} tests are clean."


def _fixed(result: CheckResult, styler: Styler) -> list[str]:
    if not result.fixed_baseline:
        return []
    number = len(result.fixed_baseline)
    verb, them = ("is", "it") if number == 1 else ("are", "them")
    entries = count(number, "baseline entry")
    head = f"{entries} {verb} fixed; `socrates baseline --shrink` drops {them}:"
    return [
        styler.paint(head, "good"),
        *(f"  {one_line(entry)}" for entry in result.fixed_baseline),
    ]
