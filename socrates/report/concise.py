"""``concise``: one line per finding, then the summary."""

from __future__ import annotations

from socrates.findings import CheckResult, Finding
from socrates.printable import one_line
from socrates.report.context import ReportContext
from socrates.report.fold import folded
from socrates.report.style import Styler
from socrates.report.summary import summary_lines


def render(result: CheckResult, context: ReportContext) -> str:
    """``file:row:column: CODE name [severity] message``, in order."""
    styler = Styler(context.color)
    lines = [headline(finding, styler) for finding in folded(result.findings)]
    if context.show_summary:
        lines += summary_lines(result, styler)
    return "".join(f"{line}\n" for line in lines)


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
