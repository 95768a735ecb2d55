"""Code frames: lines of source with line numbers and the exact spans underlined."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from socrates.classes.lazy import dataclass
from socrates.findings import Span
from socrates.printable import one_line, visible
from socrates.report.style import Styler

_TAB = 4
_MANY_LINES = 5
_LEAD = 20  # columns kept before a span that begins far to the right of a long line


@dataclass(frozen=True, slots=True)
class Mark:
    """A span to underline with ``sign``, in a colour, with a label at its first line."""

    span: Span
    sign: str = "^"
    label: str = ""
    meaning: str = "frame"


@dataclass(frozen=True, slots=True)
class _Underline:
    """A mark's part on one line: characters from ``start`` up to ``end``, counted from 0."""

    start: int
    end: int
    mark: Mark
    label: str


def frame(
    lines: Sequence[str],
    marks: Iterable[Mark],
    *,
    styler: Styler,
    width: int,
    context: int = 0,
) -> list[str]:
    """The marked lines and ``context`` lines around the first mark, each with its underlines.

    Lines that are left out between two shown ones are a row of dots. Marks that lie outside of
    the source are not shown; without any mark left the frame is empty.
    """
    by_row: dict[int, list[_Underline]] = {}
    for number, mark in enumerate(marks):
        _place(mark, lines, by_row, context if number == 0 else 0)
    if not by_row:
        return []
    gutter = len(str(max(by_row)))
    bar = styler.paint("|", "frame")
    output = [f"{' ' * gutter} {bar}"]
    previous = None
    for row in sorted(by_row):
        if previous is not None and row > previous + 1:
            output.append(styler.paint("." * max(gutter, 3), "frame"))
        previous = row
        text, signs = _draw(lines[row - 1], by_row[row], styler, max(width - gutter - 3, 20))
        number_text = styler.paint(f"{row:>{gutter}}", "frame")
        output.append(f"{number_text} {bar} {text}".rstrip())
        output.extend(f"{' ' * gutter} {bar} {line}" for line in signs)
    return output


def _place(
    mark: Mark, lines: Sequence[str], by_row: dict[int, list[_Underline]], context: int
) -> None:
    """Put the parts of a mark on their rows; a long span keeps its first and last lines."""
    span = mark.span
    first, last = span.row, min(max(span.end_row, span.row), len(lines))
    if not 1 <= first <= last:
        return
    if last > first and span.end_row == last and span.end_column <= 1:
        last -= 1  # the span ends with a line end: nothing of the next line belongs to it
    rows = list(range(first, last + 1))
    if len(rows) > _MANY_LINES:
        rows = [*rows[:3], rows[-1]]
    for row in rows:
        start, end = _part(lines[row - 1], row, span)
        label = mark.label if row == rows[-1] else ""
        if end > start:
            by_row.setdefault(row, []).append(_Underline(start, end, mark, label))
        else:
            by_row.setdefault(row, [])
    for row in (*range(first - context, first), *range(last + 1, last + 1 + context)):
        if 1 <= row <= len(lines) and lines[row - 1].strip():
            by_row.setdefault(row, [])


def _part(line: str, row: int, span: Span) -> tuple[int, int]:
    indent = len(line) - len(line.lstrip())
    start = span.column - 1 if row == span.row else indent
    end = span.end_column - 1 if row == span.end_row else len(line.rstrip())
    start = max(0, min(start, len(line)))
    end = min(max(end, start), len(line))
    if row == span.row == span.end_row and end == start:
        end = start + 1  # an empty span still points at its place
    return start, end


def _draw(
    line: str, underlines: list[_Underline], styler: Styler, width: int
) -> tuple[str, list[str]]:
    """A line made to fit, and one line of signs for each of its underlines."""
    focus = min((underline.start for underline in underlines), default=0)
    offset = 0
    if len(line) > width * 4:
        offset = max(0, focus - width)
        line = line[offset : offset + width * 3]
    pieces, cells = _measured(line)
    first, last = _window(cells, max(0, min(focus - offset, len(pieces))), width)
    cut_left, cut_right = first > 0 or offset > 0, last < len(pieces)
    text = ("…" if cut_left else "") + "".join(pieces[first:last]) + ("…" if cut_right else "")
    shift = cells[first] - (1 if cut_left else 0)
    signs = []
    for underline in sorted(underlines, key=lambda underline: underline.start):
        start = min(max(underline.start - offset, first), last)
        end = min(max(underline.end - offset, start), last)
        extra = underline.end - offset - len(pieces) if underline.end - offset > len(pieces) else 0
        length = max(cells[end] - cells[start] + min(extra, 1), 1)
        indent = " " * (cells[start] - shift)
        sign = styler.paint(underline.mark.sign * length, underline.mark.meaning)
        label = one_line(underline.label)
        painted = styler.paint(label, underline.mark.meaning)
        if not label:
            signs.append(f"{indent}{sign}")
        elif len(indent) + length + 1 + cell_len(label) <= width:
            signs.append(f"{indent}{sign} {painted}")
        else:
            signs.extend([f"{indent}{sign}", f"{indent}{painted}"])
    return text, signs


def _measured(line: str) -> tuple[Sequence[str], Sequence[int]]:
    """What each character is shown as, and the column at which each one starts."""
    if line.isascii() and line.isprintable():
        return line, range(len(line) + 1)
    pieces = _pieces(line)
    return pieces, [0, *itertools.accumulate(cell_len(piece) for piece in pieces)]


def _pieces(line: str) -> list[str]:
    """What each character is shown as: tabs reach the next stop, control characters are escaped."""
    pieces: list[str] = []
    column = 0
    for char in line:
        if char == "\t":
            piece = " " * (_TAB - column % _TAB)
        else:
            piece = char if char.isprintable() else visible(char)
        column += cell_len(piece)
        pieces.append(piece)
    return pieces


def _window(cells: Sequence[int], focus: int, width: int) -> tuple[int, int]:
    """The first and last character to show so that ``focus`` is seen within ``width`` columns."""
    total = len(cells) - 1
    if cells[-1] <= width:
        return 0, total
    first = 0
    if cells[focus] > width - _LEAD:
        while first < focus and cells[focus] - cells[first] > _LEAD:
            first += 1
        while first > 0 and cells[-1] - cells[first - 1] <= width - 1:
            first -= 1
    room = width - 2
    last = first
    while last < total and cells[last + 1] - cells[first] <= room:
        last += 1
    return first, last
