"""``concise``: one line per finding, then the summary."""

from __future__ import annotations

from collections.abc import Iterator

from socrates.findings import CheckResult, Finding
from socrates.printable import one_line
from socrates.report.context import ReportContext
from socrates.report.fold import folded
from socrates.report.style import Styler
from socrates.report.summary import summary_lines


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """``file:row:column: CODE name [severity] message (test)``, in order."""
    styler = Styler(context.color)
    for finding in folded(result.findings):
        yield f"{headline(finding, styler)}\n"
    if context.show_summary:
        yield from (f"{line}\n" for line in summary_lines(result, styler))


def headline(finding: Finding, styler: Styler) -> str:
    """The line that every textual report gives a finding: the place to act on, and what is wrong."""
    return f"{place_of(finding, styler)} {verdict(finding, styler)}"


def place_of(finding: Finding, styler: Styler) -> str:
    """``file:row:column:``, as editors and terminals follow it."""
    name = styler.paint(one_line(finding.filename), "bold")
    return f"{name}:{finding.act.row}:{finding.act.column}:"


def verdict(finding: Finding, styler: Styler) -> str:
    """``CODE name [severity] message (test)``: a headline without its place."""
    test = test_name(finding)
    where = styler.paint(f" ({one_line(test)})", "dim") if test else ""
    return f"{label(finding, styler)} {one_line(finding.message)}{where}"


def label(finding: Finding, styler: Styler) -> str:
    """``CODE name [severity]``."""
    severity = styler.paint(f"[{finding.severity.value}]", finding.severity.value)
    code = styler.paint(finding.code, f"{finding.severity.value}-code")
    return f"{code} {one_line(finding.name)} {severity}"


def test_name(finding: Finding) -> str:
    """The test that a finding is about, without its file; empty for a finding about the file."""
    test = finding.test or ""
    head = f"{finding.filename}::"
    return test.removeprefix(head) if test.startswith(head) else test.partition("::")[2]
