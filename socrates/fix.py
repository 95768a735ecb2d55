"""What a fix is: plain frozen data that reports print and editors apply."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.findings import Span
from socrates.model.python.source import split_lines

Applicability = Literal["safe", "unsafe"]


class NoFix(Exception):  # noqa: N818 - not an error: the way out of a fix that can't be made
    """This finding can't be fixed by machine. Raised anywhere in ``Rule.fix``, it means None."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace one stretch of a file by a text. An empty stretch is an insertion.

    ``text`` has the line ends of the file that it belongs to.
    """

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits of one file that take a finding away: all of them or none.

    ``safe``: the tests keep their names and their verdicts. ``unsafe``: look at it first, since
    tests get other names, or compare in another way. ``message`` says what it does, in the
    imperative. ``edits`` are in order and don't overlap.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]

    @property
    def is_safe(self) -> bool:
        """Whether it may be applied without being looked at."""
        return self.applicability == "safe"

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON; rows and columns start at 1, the end is exclusive."""
        return {
            "applicability": self.applicability,
            "message": self.message,
            "edits": [
                {
                    "content": edit.text,
                    "location": {"row": edit.span.row, "column": edit.span.column},
                    "end_location": {"row": edit.span.end_row, "column": edit.span.end_column},
                }
                for edit in self.edits
            ],
        }


def overlap(one: Fix, other: Fix) -> bool:
    """Whether two fixes touch the same text, so that they can't be applied together.

    An edit that both make alike, such as adding the same import, is no conflict. Insertions
    at the same place are, since their order would be a guess.
    """
    mine = set(one.edits) - set(other.edits)
    theirs = set(other.edits) - set(one.edits)
    return any(_meet(a.span, b.span) for a in mine for b in theirs)


def _meet(one: Span, other: Span) -> bool:
    start, end = (one.row, one.column), (one.end_row, one.end_column)
    first, last = (other.row, other.column), (other.end_row, other.end_column)
    if start == first:
        return True
    return start < last and first < end


class Stretches:
    """The text that fixes have taken so far; asked in time that hardly grows with them."""

    def __init__(self) -> None:
        self._edits: set[Edit] = set()
        self._starts: list[tuple[int, int]] = []
        self._ends: list[tuple[int, int]] = []

    def take(self, edits: Iterable[Edit]) -> bool:
        """Take the text of some edits, unless a part of it is taken; see ``overlap``."""
        wanted = [edit for edit in edits if edit not in self._edits]
        if any(self._is_taken(edit.span) for edit in wanted):
            return False
        for edit in wanted:
            self._edits.add(edit)
            start = (edit.span.row, edit.span.column)
            place = bisect_left(self._starts, start)
            self._starts.insert(place, start)
            self._ends.insert(place, (edit.span.end_row, edit.span.end_column))
        return True

    def _is_taken(self, span: Span) -> bool:
        start, end = (span.row, span.column), (span.end_row, span.end_column)
        place = bisect_left(self._starts, start)
        if place < len(self._starts) and (
            self._starts[place] == start or self._starts[place] < end
        ):
            return True
        return place > 0 and self._ends[place - 1] > start


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits; each distinct edit is made once. Raises ValueError on overlap."""
    starts = _line_starts(text)

    def offset(row: int, column: int) -> int:
        return min(starts[min(row, len(starts)) - 1] + column - 1, len(text))

    parts: list[str] = []
    done = 0
    for edit in sorted(set(edits)):
        begin = offset(edit.span.row, edit.span.column)
        if begin < done:
            raise ValueError(f"overlapping edits at row {edit.span.row}")
        parts += [text[done:begin], edit.text]
        done = offset(edit.span.end_row, edit.span.end_column)
    return "".join([*parts, text[done:]])


def _line_starts(text: str) -> list[int]:
    starts, at = [0], 0
    for line in split_lines(text)[:-1]:
        at += len(line)
        at += 2 if text.startswith("\r\n", at) else 1
        starts.append(at)
    return starts
