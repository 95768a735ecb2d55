"""The text of one file: decoding, parsing, and positions that people can count."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from socrates.findings import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


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


def split_lines(text: str) -> list[str]:
    """The lines of a text, ended by LF, CRLF or CR only."""
    return _LINE_END.split(text)


def decode(data: bytes) -> str:
    """Bytes to text by BOM and coding cookie, as Python does it. Raises SourceError."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except SyntaxError as error:
        raise SourceError(f"can't decode the file: {error.msg}") from None
    except (UnicodeDecodeError, LookupError) as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        row = data.count(b"\n", 0, start) + 1
        column = start - (data.rfind(b"\n", 0, start) + 1) + 1
        raise SourceError(f"can't decode the file: {error}", row, column) from None


def parse(data: bytes) -> Source:
    """Parse one file's bytes. Raises SourceError with the place of the mistake."""
    text = decode(data)
    lines = split_lines(text)
    if "\0" in text:
        row = len(split_lines(text[: text.index("\0")]))
        column = text.index("\0") - len("\n".join(lines[: row - 1])) if row > 1 else 1
        raise SourceError("syntax error: the file contains a NUL byte", row, max(column, 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        row = min(max(error.lineno or 1, 1), len(lines))
        limit = len(lines[row - 1]) + 1
        column = min(max(error.offset or 1, 1), limit)
        raise SourceError(f"syntax error: {error.msg}", row, column) from None
    except (RecursionError, MemoryError):
        raise SourceError("nested too deeply for Python's own parser") from None
    except ValueError as error:
        raise SourceError(f"syntax error: {error}") from None
    return Source(text, tree, lines)


def read(path: Path) -> bytes:
    """The bytes of a file. Raises SourceError with the system's reason."""
    try:
        if path.exists() and not path.is_file():
            raise SourceError("can't read the file: it is not a regular file")
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"can't read the file: {error.strerror or error}") from None
