"""Where lines went while a file was being edited."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates.findings import Finding, Span

_LONGEST_COMPARED = 2000
"""Beyond so many changed lines a comparison line by line would be felt while typing."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The rows of an old text in a new one. Lines that are gone have no row any more."""

    old: Sequence[str]
    new: Sequence[str]
    head: int
    tail: int
    middle: dict[int, int]

    @classmethod
    def between(cls, old: Sequence[str], new: Sequence[str]) -> Drift:
        """Compare two texts, given as lines: the equal ends first, then what is between."""
        shortest = min(len(old), len(new))
        head = 0
        while head < shortest and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < shortest - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        before, after = old[head : len(old) - tail], new[head : len(new) - tail]
        return cls(old, new, head, tail, _matched(before, after, head))

    def row(self, row: int) -> int | None:
        """Where a row (from 1) of the old text is in the new one."""
        if row <= self.head:
            return row
        if row > len(self.old) - self.tail:
            return row + len(self.new) - len(self.old)
        return self.middle.get(row)

    def moved(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings whose first line is still there, at its new place."""
        kept = []
        for finding in findings:
            row = self.row(finding.span.row)
            if row is not None:
                kept.append(replace(finding, span=self._span(finding.span, row)))
        return kept

    def _span(self, span: Span, row: int) -> Span:
        end = self.row(span.end_row)
        if end is None or end < row:
            line = self.new[row - 1]
            return Span(row, span.column, row, len(line) + 1)
        return Span(row, span.column, end, span.end_column)


def _matched(before: Sequence[str], after: Sequence[str], head: int) -> dict[int, int]:
    """Rows of the changed part. A line that was edited in place keeps its row."""
    if len(before) == len(after):
        return {head + at + 1: head + at + 1 for at in range(len(before))}
    if max(len(before), len(after)) > _LONGEST_COMPARED:
        return {}
    rows = {}
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, low, high in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and end - start == high - low):
            rows.update({head + start + n + 1: head + low + n + 1 for n in range(end - start)})
    return rows
