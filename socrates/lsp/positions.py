"""Rows and columns of people (from 1, in characters) to and from those of editors (from 0, in code units)."""

from __future__ import annotations

from typing import Literal

from lsprotocol import types

from socrates.classes.lazy import dataclass
from socrates.findings import Span
from socrates.model.python.source import split_lines

Encoding = Literal["utf-8", "utf-16", "utf-32"]


@dataclass(frozen=True, slots=True)
class Positions:
    """The lines of one text, and how its editor counts in them.

    Both ways clamp to the text: a place past the end of a line is the end of that line.
    """

    lines: tuple[str, ...]
    encoding: Encoding = "utf-16"

    @classmethod
    def of(cls, text: str, encoding: Encoding = "utf-16") -> Positions:
        """The positions of a text, whose lines end in LF, CRLF or CR as editors have it."""
        return cls(tuple(split_lines(text)), encoding)

    def range(self, span: Span) -> types.Range:
        """A stretch as the editor counts."""
        return types.Range(
            self.position(span.row, span.column), self.position(span.end_row, span.end_column)
        )

    def position(self, row: int, column: int) -> types.Position:
        """A place as the editor counts."""
        if row > len(self.lines):
            return types.Position(len(self.lines) - 1, self._units(self.lines[-1]))
        return types.Position(row - 1, self._units(self.lines[row - 1][: column - 1]))

    def place(self, position: types.Position) -> tuple[int, int]:
        """A place of the editor as row and column."""
        if position.line >= len(self.lines):
            return len(self.lines), len(self.lines[-1]) + 1
        line = self.lines[position.line]
        if line.isascii() or self.encoding == "utf-32":
            return position.line + 1, min(position.character, len(line)) + 1
        units = 0
        for column, char in enumerate(line, start=1):
            if units >= position.character:
                return position.line + 1, column
            units += self._units(char)
        return position.line + 1, len(line) + 1

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)
