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
    """``file:row:column: CODE name [severity] message``, in order."""
    styler = Styler(context.color)
    for finding in folded(result.findings):
        yield f"{headline(finding, styler)}\n"
    if context.show_summary:
        yield from (f"{line}\n" for line in summary_lines(result, styler))


def headline(finding: Finding, styler: Styler) -> str:
    """The line that every textual report gives a finding."""
    place = (
        f"{styler.paint(one_line(finding.filename), 'bold')}"
        f":{finding.span.row}:{finding.span.column}:"
    )
    return f"{place} {verdict(finding, styler)}"


def verdict(finding: Finding, styler: Styler) -> str:
    """``CODE name [severity] message``: a headline without its place."""
    severity = styler.paint(f"[{finding.severity.value}]", finding.severity.value)
    code = styler.paint(finding.code, f"{finding.severity.value}-code")
    return f"{code} {one_line(finding.name)} {severity} {one_line(finding.message)}"
