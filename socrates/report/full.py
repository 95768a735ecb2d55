"""``full``: each finding with its code frame, the other places, and the way out."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from socrates.findings import CheckResult, Finding, Related
from socrates.report.concise import headline
from socrates.report.context import ReportContext
from socrates.report.fingerprint import split_lines
from socrates.report.frame import Mark, frame
from socrates.report.style import Styler
from socrates.report.summary import summary_lines
from socrates.report.text import count, one_line

_SHOWN_RELATED = 5


def render(result: CheckResult, context: ReportContext) -> str:
    """Findings in order, a blank line after each, then the summary."""
    styler = Styler(context.color)
    sources = Sources(context.read_source)
    lines: list[str] = []
    for finding in result.findings:
        lines.append(headline(finding, styler))
        lines.extend(details(finding, sources, context, styler))
        lines.append("")
    return "".join(f"{line}\n" for line in [*lines, *summary_lines(result, styler)])


class Sources:
    """Reads each file once while its findings are shown, and forgets it with the next one."""

    def __init__(self, read_source: Callable[[str], str | None]) -> None:
        self._read_source = read_source
        self._filename: str | None = None
        self._lines: list[str] = []

    def lines(self, filename: str) -> list[str]:
        """The lines of a file; none when it cannot be read."""
        if filename != self._filename:
            self._filename = filename
            self._lines = split_lines(self._read_source(filename)) or []
        return self._lines


def details(
    finding: Finding, sources: Sources, context: ReportContext, styler: Styler
) -> list[str]:
    """The lines under a headline: the frame, related places that it lacks, and the advice."""
    shown = finding.related[:_SHOWN_RELATED]
    here = [related for related in shown if related.filename == finding.filename]
    frame_lines: list[str] = []
    if context.show_source:
        marks = [
            Mark(finding.span, "^", "", finding.severity.value),
            *(Mark(related.span, "-", related.message) for related in here),
        ]
        frame_lines = frame(
            sources.lines(finding.filename),
            marks,
            styler=styler,
            width=context.width,
            context=1,
        )
    notes = [related for related in shown if not frame_lines or related not in here]
    return [*frame_lines, *_notes(finding, notes, context, styler)]


def _notes(
    finding: Finding, notes: list[Related], context: ReportContext, styler: Styler
) -> list[str]:
    lines = []
    for related in notes:
        place = f"{one_line(related.filename)}:{related.span.row}:{related.span.column}"
        lines.extend(_note("note", f"{place}: {one_line(related.message)}", context, styler))
    left_out = len(finding.related) - _SHOWN_RELATED
    if left_out > 0:
        lines.extend(_note("note", f"and {count(left_out, 'more place')}", context, styler))
    if finding.advice:
        lines.extend(_note("help", one_line(finding.advice), context, styler))
    return lines


def _note(label: str, text: str, context: ReportContext, styler: Styler) -> list[str]:
    head = f"  = {label}: "
    first, *rest = textwrap.wrap(
        text,
        max(context.width - len(head), 20),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
    painted = f"  {styler.paint('=', 'frame')} {styler.paint(label, 'bold')}: "
    return [painted + first, *(" " * len(head) + line for line in rest)]
