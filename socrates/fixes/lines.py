"""Lines as Python counts them, and edits that exchange whole lines."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import lru_cache

from socrates.findings import Span
from socrates.fix import Edit
from socrates.model.python.source import Source, split_lines


@lru_cache(maxsize=2)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text with their ends, as Python splits them; kept for the next definition."""
    found, at = [], 0
    for line in split_lines(text):
        end = at + len(line)
        end += 2 if text.startswith("\r\n", end) else 1
        found.append(text[at:end])
        at = end
    return tuple(found if found[-1] else found[:-1])


def _split(text: str) -> list[str]:
    return list(lines_of.__wrapped__(text)) if text else []


def line_edits(old: str, new: str, first_row: int) -> tuple[Edit, ...]:
    """The whole lines that differ, for a stretch of a file that starts at a row."""
    before, after = _split(old), _split(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        Edit(_span_of(before, start, end, first_row), "".join(after[low:high]))
        for kind, start, end, low, high in matcher.get_opcodes()
        if kind != "equal"
    )


def rows(source: Source, first: int, last: int) -> Span:
    """Whole lines of a file, from one row to another, both included."""
    before = lines_of(source.text)
    return _span_of(before, first - 1, min(last, len(before)), 1)


def _span_of(lines: Sequence[str], start: int, end: int, first_row: int) -> Span:
    """Lines ``start`` to ``end`` (exclusive), up to the start of the next line if there is one."""
    row = first_row + start
    if end > start and not line_end(lines[end - 1]):
        return Span(row, 1, first_row + end - 1, len(lines[end - 1]) + 1)
    if start == len(lines) and lines and not line_end(lines[-1]):
        at = len(lines[-1]) + 1
        return Span(row - 1, at, row - 1, at)
    return Span(row, 1, first_row + end, 1)


def line_end(text: str) -> str:
    """How the last line of a text ends; empty when it does not."""
    if text.endswith("\r\n"):
        return "\r\n"
    return text[-1] if text.endswith(("\r", "\n")) else ""
