"""Numbers and strings as values: what CPython makes of a literal's text."""

from __future__ import annotations

import ast
import codecs
import re

import libcst as cst

from socrates.classes.lazy import dataclass
from socrates.syntax.convert.cursor import Cursor, Handler, Unconvertible

_PARTS = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")", re.DOTALL)
_BEYOND_ASCII = re.compile(r"\\([\x00-\x7f])|(\\?)([^\x00-\x7f])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a string literal starts: its prefix in lower case and its quotes."""

    prefix: str
    quotes: str

    @property
    def is_raw(self) -> bool:
        """Whether backslashes mean themselves."""
        return "r" in self.prefix

    @property
    def length(self) -> int:
        """How many characters stand before the content."""
        return len(self.prefix) + len(self.quotes)


def opening(text: str) -> Opening:
    """The start of a string literal."""
    match = _PARTS.match(text)
    assert match is not None
    return Opening(match[1].lower(), match[2])


def value_of(text: str) -> str | bytes:
    """The value of a string literal without replacement fields. Raises Unconvertible."""
    start = opening(text)
    content = text[start.length : -len(start.quotes)]
    if "b" in start.prefix:
        return _bytes(content, start.is_raw)
    return content if start.is_raw else unescape(content)


def unescape(content: str) -> str:
    """The value of what stands between quotes."""
    if "\\" not in content:
        return content
    if not content.isascii():
        content = _BEYOND_ASCII.sub(_as_escape, content)
    try:
        return codecs.unicode_escape_decode(content)[0]
    except UnicodeDecodeError as error:
        raise Unconvertible(f"(unicode error) {error}") from None


def _as_escape(match: re.Match[str]) -> str:
    """A character as the decoder reads it; a backslash before one that is no escape stays one."""
    if match[1] is not None:
        return match[0]
    return ("\\x5c" if match[2] else "") + f"\\U{ord(match[3]):08x}"


def _bytes(content: str, is_raw: bool) -> bytes:
    try:
        plain = content.encode("ascii")
    except UnicodeEncodeError:
        raise Unconvertible("bytes can only contain ASCII literal characters") from None
    if is_raw or b"\\" not in plain:
        return plain
    try:
        return codecs.escape_decode(plain)[0]
    except ValueError as error:
        raise Unconvertible(f"(value error) {error}") from None


def _number(cursor: Cursor, node: cst.Integer | cst.Float | cst.Imaginary) -> ast.expr:
    start = cursor.word(node.value)
    return cursor.place(ast.Constant(_number_value(node.value), None), start)


def _number_value(text: str) -> complex:
    plain = text.replace("_", "").lower()
    try:
        if plain.endswith("j"):
            return complex(0.0, float(plain[:-1]))
        if plain.startswith(("0x", "0o", "0b")) or plain.isdecimal():
            return int(plain, 0)
        return float(plain)
    except ValueError as error:  # more digits than Python converts
        raise Unconvertible(str(error)) from None


def _ellipsis(cursor: Cursor, node: cst.Ellipsis) -> ast.expr:
    return cursor.place(ast.Constant(..., None), cursor.take(b"..."))


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Ellipsis: _ellipsis,
}
