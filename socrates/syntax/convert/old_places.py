"""Where CPython before 3.12 puts the parts of an f-string: in the place of the whole.

Texts and replacement fields have the place of all literals that are concatenated, and the kind
(``u``) of the first. A format, and the text at its end, has the place of the one literal that it
stands in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import libcst as cst

from socrates.syntax.convert.cursor import Cursor


def give_place(cursor: Cursor, values: Sequence[ast.expr], start: int, kind: str | None) -> None:
    """Put the texts and fields of a string where the string is, which ends at the cursor."""
    for value in values:
        cursor.place(value, start)
        if isinstance(value, ast.Constant):
            value.kind = kind
        spec = getattr(value, "format_spec", None)
        if spec is not None:
            inner = _values(spec)
            ends_with_text = inner and isinstance(inner[-1], ast.Constant)
            give_place(cursor, inner[:-1] if ends_with_text else inner, start, kind)


def give_place_to_formats(cursor: Cursor, pieces: Iterable[ast.expr], start: int) -> None:
    """Put the formats of fields where their literal is, which ends at the cursor."""
    for piece in pieces:
        spec = getattr(piece, "format_spec", None)
        if spec is not None:
            cursor.place(spec, start)
            give_place_to_formats(cursor, _values(spec), start)
            for last in _values(spec)[-1:]:
                cursor.place(last, start)


def give_place_to_tuple(cursor: Cursor, tree: cst.Tuple, value: ast.expr, start: int) -> None:
    """Put a tuple without parentheses between the braces, which were read as its parentheses."""
    if not tree.lpar:
        cursor.place_between(value, start, cursor.next() + 1)


def _values(node: ast.expr) -> list[ast.expr]:
    found: list[ast.expr] = getattr(node, "values", [])
    return found
