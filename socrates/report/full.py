"""``full``: what counts with its code frame, the other places and the way out; infos in short."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterator
from itertools import groupby

from socrates.classes.lazy import dataclass
from socrates.findings import CheckResult, Finding, Related, Severity
from socrates.printable import one_line
from socrates.report.concise import headline, label, place_of
from socrates.report.context import ReportContext
from socrates.report.fingerprint import source_lines
from socrates.report.fold import folded
from socrates.report.frame import Mark, frame
from socrates.report.style import Styler
from socrates.report.summary import summary_lines
from socrates.report.text import count, listed

_SHOWN_RELATED = 5
_FEW = 3
"""So many infos of one rule have a line each in a file."""
_SHOWN_ROWS = 8
_FOLDED = (
    "{} share lines: `--output-format concise` lists each, `--strict` shows their code, "
    "`--min-severity warning` leaves them out."
)


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """File by file: what counts with its code between blank lines, then infos in one line each.

    Many infos of one rule in one file are one line together; the last line says how to see each.
    """
    styler = Styler(context.color)
    sources = Sources(context)
    hidden = 0
    gap = ""
    for _, group in groupby(folded(result.findings), key=lambda finding: finding.filename):
        infos: dict[str, list[Finding]] = {}
        for finding in group:
            if finding.severity is Severity.INFO:
                infos.setdefault(finding.code, []).append(finding)
                continue
            lines = [headline(finding, styler), *details(finding, sources, context, styler), ""]
            yield gap + "".join(f"{line}\n" for line in lines)
            gap = ""
        for _, alike in sorted(infos.items()):
            hidden += len(alike) if len(alike) > _FEW else 0
            yield from (f"{line}\n" for line in _info_lines(alike, context, styler))
            gap = "\n"
    if context.show_summary:
        yield gap
        yield from (f"{line}\n" for line in summary_lines(result, styler))
        if hidden:
            yield styler.paint(_FOLDED.format(count(hidden, "info")), "dim") + "\n"


def _info_lines(alike: list[Finding], context: ReportContext, styler: Styler) -> list[str]:
    """The infos of one rule in one file."""
    if len(alike) <= _FEW:
        return [headline(finding, styler) for finding in alike]
    first = alike[0]
    rule = context.rules.get(first.code)
    about = f" ({one_line(rule.summary)})" if rule is not None and rule.summary else ""
    rows = [f"{finding.act.row}" for finding in alike[:_SHOWN_ROWS]]
    if len(alike) > len(rows):
        rows.append(f"{len(alike) - len(rows)} more")
    found = count(len(alike), "test" if all(finding.test for finding in alike) else "place")
    place = place_of(first, styler)
    return [f"{place} {label(first, styler)} {found}{about}: lines {listed(rows)}"]


class Sources:
    """Reads each file once while its findings are shown, and forgets it with the next one."""

    def __init__(self, context: ReportContext) -> None:
        self.context = context
        self._filename: str | None = None
        self._lines: list[str] = []

    def lines(self, filename: str) -> list[str]:
        """The lines of a file; none when it cannot be read."""
        if filename != self._filename:
            self._filename = filename
            self._lines = source_lines(self.context.source(filename)) or []
        return self._lines


def details(
    finding: Finding, sources: Sources, context: ReportContext, styler: Styler
) -> list[str]:
    """The lines under a headline: the frame, related places that it lacks, and the advice."""
    frame_lines = frame_of(finding, sources, styler, context.width) if context.show_source else []
    notes = [
        related
        for related in finding.related[:_SHOWN_RELATED]
        if not frame_lines or related.filename != finding.filename
    ]
    indent = len(frame_lines[0]) - len(frame_lines[0].lstrip(" ")) if frame_lines else 2
    return [*frame_lines, *_notes(finding, notes, _Notes(indent, context.width, styler))]


def frame_of(finding: Finding, sources: Sources, styler: Styler, width: int) -> list[str]:
    """The finding's span, and under it the first related places of the same file; or nothing."""
    draw = functools.partial(_frame, finding, sources, styler, width)
    return sources.context.attempt(draw, [], f"showing {finding.filename}")


def _frame(finding: Finding, sources: Sources, styler: Styler, width: int) -> list[str]:
    here = [each for each in finding.related[:_SHOWN_RELATED] if each.filename == finding.filename]
    marks = [
        Mark(finding.span, "^", "", finding.severity.value),
        *(Mark(related.span, "-", related.message) for related in here),
    ]
    lines = sources.lines(finding.filename)
    return frame(lines, marks, styler=styler, width=width, context=1)


@dataclass(frozen=True, slots=True)
class _Notes:
    """How notes are set: under the frame's bar, within the width."""

    indent: int
    width: int
    styler: Styler

    def set(self, label: str, text: str) -> list[str]:
        head = f"{' ' * self.indent}= {label}: "
        room = max(self.width - len(head), 20)
        first, *rest = textwrap.wrap(
            text, room, break_long_words=False, break_on_hyphens=False
        ) or [""]
        paint = self.styler.paint
        painted = f"{' ' * self.indent}{paint('=', 'frame')} {paint(label, 'bold')}: "
        return [painted + first, *(" " * len(head) + line for line in rest)]


def _notes(finding: Finding, places: list[Related], notes: _Notes) -> list[str]:
    lines = []
    for related in places:
        place = f"{one_line(related.filename)}:{related.span.row}:{related.span.column}"
        lines.extend(notes.set("note", f"{place}: {one_line(related.message)}"))
    left_out = len(finding.related) - _SHOWN_RELATED
    if left_out > 0:
        lines.extend(notes.set("note", f"and {count(left_out, 'more place')}"))
    if finding.advice:
        lines.extend(notes.set("help", one_line(finding.advice)))
    return lines
