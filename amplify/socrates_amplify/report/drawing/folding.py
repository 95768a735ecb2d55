"""Long runs in short: what is far from anything that matters becomes a number of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar


class Marked(Protocol):
    """A row of a drawing; ``mark`` is empty where nothing is special about it."""

    @property
    def mark(self) -> str:
        """Why it matters."""


T = TypeVar("T", bound=Marked)

_CONTEXT = 2
_MAX_ROWS = 120


def folded(rows: Sequence[T]) -> Iterator[T | int]:
    """Rows near something marked, and the number of rows in each gap; all of them where they are few."""
    interesting = [index for index, row in enumerate(rows) if row.mark]
    keep = set(range(_CONTEXT)) | set(range(len(rows) - _CONTEXT, len(rows)))
    for index in interesting[:_MAX_ROWS]:
        keep.update(range(index - _CONTEXT, index + _CONTEXT + 1))
    if len(rows) <= _MAX_ROWS // 4:
        keep.update(range(len(rows)))
    gap = 0
    for index, row in enumerate(rows):
        if index in keep:
            if gap:
                yield gap
                gap = 0
            yield row
        else:
            gap += 1
    if gap:
        yield gap
