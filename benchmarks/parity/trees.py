"""The first difference of two trees, positions included."""

from __future__ import annotations

import ast
import sys

_PLACES = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_EMPTY_TEXTS = (3, 12) <= sys.version_info < (3, 13)
"""Python 3.12 ends formats that end with a field with an empty text."""


def first_difference(one: object, other: object, path: str = "tree") -> str:
    """Where two trees differ and how, empty when they are the same."""
    if type(one) is not type(other):
        return f"{path}: {type(one).__name__} and {type(other).__name__}"
    if isinstance(one, list):
        assert isinstance(other, list)
        return _of_lists(one, other, path)
    if isinstance(one, ast.AST):
        for name in (*_PLACES, *one._fields):
            values = getattr(one, name, None), getattr(other, name, None)
            found = first_difference(*values, f"{path}.{name}")
            if found:
                return found
        return ""
    same = one == other or repr(one) == repr(other)
    return "" if same else f"{path}: {one!r} and {other!r}"


def _of_lists(one: list[object], other: list[object], path: str) -> str:
    if _EMPTY_TEXTS and path.endswith(".format_spec.values"):
        one = [part for part in one if not isinstance(part, ast.Constant) or part.value]
    if len(one) != len(other):
        return f"{path}: {len(one)} and {len(other)} items"
    for number, (left, right) in enumerate(zip(one, other, strict=True)):
        found = first_difference(left, right, f"{path}[{number}]")
        if found:
            return found
    return ""
