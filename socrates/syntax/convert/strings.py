"""String literals: single, concatenated, with replacement fields, and templates.

CPython 3.12 gave the parts of an f-string positions of their own; before, each part had that of
the whole literal. Both are made here, by the Python that runs, so that the two parsers agree.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler, Unconvertible
from socrates.syntax.convert.literals import opening, unescape, value_of
from socrates.syntax.convert.old_places import (
    give_place,
    give_place_to_formats,
    give_place_to_tuple,
)
from socrates.syntax.nodes import Interpolation, TemplateStr

_PARTS_HAVE_PLACES = sys.version_info >= (3, 12)
_DOUBLED = re.compile(r"\\N\{[^}]*\}|\\[^{}]|(\{\{|\}\})", re.DOTALL)
_DOUBLED_RAW = re.compile(r"(\{\{|\}\})")
_COMMENT = re.compile(rb"('[^'\n]*'|\"[^\"\n]*\")|#[^\n]*")
_DEEPEST_FIELD = 2
"""Fields in formats of fields in formats: CPython takes no more."""
_CONVERSIONS = {None: -1, "s": 115, "r": 114, "a": 97}

Field = cst.FormattedStringExpression | cst.TemplatedStringExpression
Part = cst.BaseFormattedStringContent | cst.BaseTemplatedStringContent


def _string(cursor: Cursor, node: cst.CSTNode) -> ast.expr:
    start = cursor.next()
    literals = list(_literals(node))
    if any(isinstance(one, cst.TemplatedString) for one in literals):
        if not all(isinstance(one, cst.TemplatedString) for one in literals):
            raise Unconvertible("cannot mix t-string literals with string or bytes literals")
        values = _values(cursor, literals, start)
        return cursor.place(TemplateStr(values), start)
    if any(isinstance(one, cst.FormattedString) for one in literals):
        values = _values(cursor, literals, start)
        return cursor.place(ast.JoinedStr(values), start)
    return _plain(cursor, literals, start)


def _literals(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _plain(cursor: Cursor, literals: Sequence[cst.CSTNode], start: int) -> ast.expr:
    texts = [literal.value for literal in literals if isinstance(literal, cst.SimpleString)]
    for text in texts:
        cursor.word(text)
    values = [value_of(text) for text in texts]
    if len(values) == 1:
        value: str | bytes = values[0]
    elif all(isinstance(one, bytes) for one in values):
        value = b"".join(one for one in values if isinstance(one, bytes))
    else:
        value = "".join(_text(one) for one in values)
    return cursor.place(ast.Constant(value, _kind(texts[0])), start)


def _text(value: str | bytes) -> str:
    if isinstance(value, bytes):
        raise Unconvertible("cannot mix bytes and nonbytes literals")
    return value


def _kind(text: str) -> str | None:
    return "u" if text.startswith("u") else None


def _values(cursor: Cursor, literals: Sequence[cst.CSTNode], start: int) -> list[ast.expr]:
    """Texts and fields, each where the running Python has it."""
    values = _joined(_pieces(cursor, literals))
    if not _PARTS_HAVE_PLACES:
        first = literals[0]
        kind = _kind(first.value) if isinstance(first, cst.SimpleString) else None
        give_place(cursor, values, start, kind)
    return values


def _pieces(cursor: Cursor, literals: Sequence[cst.CSTNode]) -> Iterator[ast.expr]:
    """Texts and replacement fields of all literals, one after the other."""
    for literal in literals:
        if isinstance(literal, cst.SimpleString):
            start = cursor.word(literal.value)
            value = _text(value_of(literal.value))
            yield cursor.place(ast.Constant(value, _kind(literal.value)), start)
            continue
        assert isinstance(literal, (cst.FormattedString, cst.TemplatedString))
        start = cursor.word(literal.start)
        is_raw = opening(literal.start).is_raw
        pieces = [piece for part in literal.parts for piece in _part(cursor, part, is_raw)]
        cursor.exact(literal.end)
        if not _PARTS_HAVE_PLACES:
            give_place_to_formats(cursor, pieces, start)
        yield from pieces


def _part(cursor: Cursor, part: Part, is_raw: bool, depth: int = 0) -> Iterator[ast.expr]:
    if isinstance(part, (cst.FormattedStringText, cst.TemplatedStringText)):
        for text, value in _texts(part.value, is_raw, depth):
            start = cursor.exact(text)
            if value:
                yield cursor.place(ast.Constant(value, None), start)
    else:
        assert isinstance(part, (cst.FormattedStringExpression, cst.TemplatedStringExpression))
        yield from _field(cursor, part, is_raw, depth)


def _texts(text: str, is_raw: bool, depth: int) -> Iterator[tuple[str, str]]:
    """Stretches of text up to each doubled brace, with their values."""
    start = 0
    if not depth and ("{{" in text or "}}" in text):
        for match in (_DOUBLED_RAW if is_raw else _DOUBLED).finditer(text):
            if match[1] is not None:
                value = text[start : match.end() - 1]
                yield text[start : match.end()], value if is_raw else _unescaped(value)
                start = match.end()
    if start < len(text):
        value = text[start:]
        yield value, value if is_raw else _unescaped(value)


def _unescaped(text: str) -> str:
    """A backslash right before a field escapes nothing."""
    if (len(text) - len(text.rstrip("\\"))) % 2:
        return unescape(text[:-1]) + "\\"
    return unescape(text)


def _field(cursor: Cursor, node: Field, is_raw: bool, depth: int) -> Iterator[ast.expr]:
    """``{value = !r:spec}``: with ``=``, its text comes before it.

    Fields in the format of a template's field are those of f-strings.
    """
    if depth > _DEEPEST_FIELD:
        raise Unconvertible("f-string: expressions nested too deeply")
    start = cursor.take(b"{")
    value = cursor.expression(node.expression)
    if not _PARTS_HAVE_PLACES and isinstance(node.expression, cst.Tuple):
        give_place_to_tuple(cursor, node.expression, value, start)
    if node.equal is not None:
        cursor.take(b"=")
    text_end = cursor.next()
    conversion = _CONVERSIONS[node.conversion]
    if node.conversion is not None:
        cursor.take(b"!")
        cursor.word(node.conversion)
    spec: ast.JoinedStr | None = None
    if node.format_spec is not None:
        spec = _format_spec(cursor, node.format_spec, is_raw, depth)
        cursor.exact("}")
    else:
        cursor.take(b"}")
    if node.equal is not None:
        shown = ast.Constant(_written(cursor, start + 1, text_end), None)
        yield cursor.place_between(shown, start + 1, text_end)
        if conversion == -1 and spec is None:
            conversion = _CONVERSIONS["r"]
    if depth or isinstance(node, cst.FormattedStringExpression):
        yield cursor.place(ast.FormattedValue(value, conversion, spec), start)
    else:
        name = _written(cursor, start + 1, text_end).rstrip("= \t\n\f")
        yield cursor.place(Interpolation(value, name, conversion, spec), start)


def _written(cursor: Cursor, start: int, end: int) -> str:
    """The text of a stretch, without comments."""
    text = cursor.data[start:end]
    if b"#" in text:
        text = _COMMENT.sub(lambda match: match[1] or b"", text)
    return text.decode()


def _format_spec(cursor: Cursor, parts: Sequence[Part], is_raw: bool, depth: int) -> ast.JoinedStr:
    start = cursor.take(b":")
    values = _joined(piece for part in parts for piece in _part(cursor, part, is_raw, depth + 1))
    return cursor.place(ast.JoinedStr(values), start)


def _joined(pieces: Iterator[ast.expr]) -> list[ast.expr]:
    """The pieces with texts that follow one another made one; empty texts are left out."""
    found: list[ast.expr] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, ast.Constant) and isinstance(last, ast.Constant):
            last.value = f"{last.value}{piece.value}"  # type: ignore[str-bytes-safe]  # only texts
            last.end_lineno, last.end_col_offset = piece.end_lineno, piece.end_col_offset
        else:
            found.append(piece)
    return [one for one in found if not (isinstance(one, ast.Constant) and one.value == "")]


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.SimpleString: _string,
    cst.ConcatenatedString: _string,
    cst.FormattedString: _string,
    cst.TemplatedString: _string,
}
