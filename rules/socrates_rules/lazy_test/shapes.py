"""The statements of a test without its literals and names: tests of one shape are clones."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase

_LITERAL = "_"
_CHECK = re.compile(r"_*(assert|fail|raises|warns)")
"""What an assertion checks is an operator, however it is written."""


def shape(file: FileContext, test: TestCase, patterns: Sequence[str] = ()) -> str:
    """The shape of a test; the production methods, operators and numbers of arguments are kept."""
    methods = {id(call.node): call.method for call in file.production_calls(test, patterns)}
    return "\n".join(
        _dump(statement, methods)
        for statement in test.node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    )


def _dump(node: ast.AST, methods: Mapping[int, str]) -> str:
    if isinstance(node, ast.expr_context):
        return ""  # where an expression stands tells it
    if _is_literal(node):
        return _LITERAL
    name = getattr(node, "attr", getattr(node, "id", ""))
    checks = name if _CHECK.match(name) else ""
    if isinstance(node, ast.Name):
        return checks or "x"
    parts = [methods[id(node)]] if id(node) in methods else []
    parts += [checks] if checks else []
    for value in (getattr(node, name, None) for name in node._fields):
        if isinstance(value, ast.AST):
            parts.append(_dump(value, methods))
        elif isinstance(value, list):
            parts += [_dump(item, methods) for item in value if isinstance(item, ast.AST)]
    return f"{type(node).__name__}({','.join(parts)})"


def _is_literal(node: ast.AST) -> bool:
    """A literal of any length: text, a number, and collections of such."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _is_literal(operand)
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            return all(_is_literal(part) for part in elts)
        case ast.Dict(keys=keys, values=values):
            return all(part is not None and _is_literal(part) for part in (*keys, *values))
    return False
