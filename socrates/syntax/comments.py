"""Comments with the statement that they belong to, by the newest grammar on every Python."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates.syntax.lexer import Kind, tokens
from socrates.syntax.text import plain_lines


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment; ``column`` counts characters from 0.

    ``first_row`` to ``last_row`` is the statement's line that it stands in or ends; both are 0
    when the comment stands alone.
    """

    row: int
    column: int
    text: str
    first_row: int = 0
    last_row: int = 0


def read_comments(text: str) -> list[Comment]:
    """All comments, top to bottom. Broken text gives those before the break."""
    plain = plain_lines(text)
    starts = _line_starts(plain)
    found: list[Comment] = []
    pending: list[Comment] = []
    first = 0
    for token in tokens(plain):
        row = bisect_right(starts, token.start)
        if token.kind is Kind.COMMENT:
            comment = Comment(row, token.start - starts[row - 1], plain[token.start : token.end])
            (pending if first else found).append(comment)
        elif token.kind is Kind.NEWLINE:
            found += [replace(one, first_row=first, last_row=row) for one in pending]
            pending = []
            first = 0
        else:
            first = first or row
    return found + pending


def logical_lines(text: str) -> Iterator[tuple[int, int]]:
    """First and last row of each statement's line, as far as a comment at its end covers it."""
    plain = plain_lines(text)
    starts = _line_starts(plain)
    first = 0
    for token in tokens(plain):
        if token.kind is Kind.COMMENT:
            continue
        row = bisect_right(starts, token.start)
        first = first or row
        if token.kind is Kind.NEWLINE:
            # A backslash at the end of the text promises a line that is not there.
            if plain[starts[row - 1] : token.start].strip():
                yield first, row
            first = 0


def _line_starts(plain: str) -> list[int]:
    starts = [0]
    for line in plain.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts[:-1]
