"""``grouped``: findings under the name of their file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from socrates.findings import CheckResult
from socrates.printable import one_line
from socrates.report.concise import verdict
from socrates.report.context import ReportContext
from socrates.report.fold import folded
from socrates.report.style import Styler
from socrates.report.summary import summary_lines
from socrates.report.text import count


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """Each file once, its findings indented with their places aligned, then the summary."""
    styler = Styler(context.color)
    for filename, group in groupby(folded(result.findings), key=lambda finding: finding.filename):
        findings = list(group)
        name = styler.paint(one_line(filename), "bold")
        lines = [f"{name} ({count(len(findings), 'finding')})"]
        places = [f"{finding.act.row}:{finding.act.column}" for finding in findings]
        width = max(map(len, places))
        lines.extend(
            f"  {place:<{width}}  {verdict(finding, styler)}"
            for place, finding in zip(places, findings, strict=True)
        )
        yield "".join(f"{line}\n" for line in (*lines, ""))
    if context.show_summary:
        yield from (f"{line}\n" for line in summary_lines(result, styler))
