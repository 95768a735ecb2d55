"""The text of one file: decoding, parsing, and positions that people can count."""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from dataclasses import field
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.files import reading
from socrates.findings import Span
from socrates.syntax import AUTO
from socrates.syntax.parsers.parse import parse as parse_text
from socrates.syntax.refused import Refused
from socrates.syntax.text import split_lines

__all__ = ["Source", "SourceError", "decode", "encoding_of", "parse", "read", "split_lines"]

_HOST_NAME_CODECS = frozenset({"idna", "punycode"})
"""Their decoders take quadratic time."""


class SourceError(Exception):
    """A file that can't be read or parsed, with the place to point at (1-based)."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file. ``lines`` are split as Python splits them: form feeds don't end a line."""

    text: str
    tree: ast.Module
    lines: list[str] = field(repr=False)

    def span(self, node: ast.AST) -> Span:
        """The exact stretch of a node."""
        row, end_row = _int(node, "lineno"), _int(node, "end_lineno")
        return Span(
            row,
            self.column(row, _int(node, "col_offset")),
            end_row,
            self.column(end_row, _int(node, "end_col_offset")),
        )

    def name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """The stretch of a definition's name, where findings about the whole test point."""
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        match = re.compile(r"\b(?:def|class)\s+(\w+)").search(line, min(node.col_offset, len(line)))
        if match is None:
            return Span(node.lineno, node.col_offset + 1, node.lineno, node.col_offset + 2)
        return Span(node.lineno, match.start(1) + 1, node.lineno, match.end(1) + 1)

    def column(self, row: int, offset: int) -> int:
        """A 1-based column in characters from an offset in UTF-8 bytes."""
        if row > len(self.lines):
            return offset + 1
        line = self.lines[row - 1]
        if line.isascii():
            return offset + 1
        encoded = line.encode("utf-8", "surrogatepass")[:offset]
        return len(encoded.decode("utf-8", "replace")) + 1


def _int(node: ast.AST, name: str) -> int:
    value = getattr(node, name, None)
    return value if isinstance(value, int) else 1


def decode(data: bytes) -> str:
    """Bytes to text by BOM and coding cookie, as Python does it. Raises SourceError."""
    try:
        return _decoded(data, encoding_of(data))
    except SyntaxError as error:
        raise SourceError(f"can't decode the file: {error.msg}") from None
    except Exception as error:  # a codec raises what it likes; SourceError is none of ours yet
        if isinstance(error, SourceError):
            raise
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        row = data.count(b"\n", 0, start) + 1
        column = start - (data.rfind(b"\n", 0, start) + 1) + 1
        raise SourceError(f"can't decode the file: {error}", row, column) from None


def encoding_of(data: bytes) -> str:
    """The encoding that a file says it has. Raises SyntaxError."""
    two_lines = data.find(b"\n", data.find(b"\n") + 1) + 1
    return tokenize.detect_encoding(io.BytesIO(data[: two_lines or None]).readline)[0]


def _decoded(data: bytes, encoding: str) -> str:
    name = codecs.lookup(encoding).name
    if name in _HOST_NAME_CODECS:
        raise SourceError(f"can't decode the file: {name} is for names of hosts, not for source")
    if name in ("utf-8", "utf-8-sig", "ascii", "iso8859-1"):
        return data.decode(encoding)
    with warnings.catch_warnings():  # unicode_escape warns of what source is full of
        warnings.simplefilter("ignore")
        return data.decode(encoding)


def parse(data: bytes, parser: str = AUTO) -> Source:
    """Parse one file's bytes with one of PARSERS. Raises SourceError with the place of the mistake."""
    if len(data) > reading.LARGEST_SOURCE:
        reason = reading.too_large(len(data), reading.LARGEST_SOURCE)
        raise SourceError(f"can't read the file: {reason}")
    text = decode(data)
    lines = split_lines(text)
    if "\0" in text:
        row = len(split_lines(text[: text.index("\0")]))
        column = text.index("\0") - len("\n".join(lines[: row - 1])) if row > 1 else 1
        raise SourceError("syntax error: the file contains a NUL byte", row, max(column, 1))
    try:
        tree = parse_text(text, parser)
    except Refused as error:
        raise SourceError(error.message, error.row, error.column) from None
    return Source(text, tree, lines)


def read(path: Path) -> bytes:
    """The bytes of a regular file of bounded size. Raises SourceError with the reason."""
    try:
        return reading.read_bytes(path, reading.LARGEST_SOURCE)
    except reading.Unreadable as reason:
        raise SourceError(f"can't read the file: {reason}") from None
