"""Assertions that are the lines of a table: one function, asked about one input after another.

Each line says its input, and one behaviour fails. The reader of a red run misses nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from socrates.model.python.walk import walk
from socrates.model.suite.assertions import Assertion

_LONGEST = 15
"""Lines of a table that a reader takes in at once."""
_FALSE = {"assertFalse": "assertTrue", "failIf": "assertTrue"}


def is_table(body: Sequence[ast.stmt], assertions: Sequence[Assertion]) -> bool:
    """Whether assertions stand one below the other and differ in what they pass and expect alone."""
    nodes = {id(assertion.node) for assertion in without_nested(assertions)}
    places = [place for place, line in enumerate(body) if _asserted(line) in nodes]
    if not len(places) == len(nodes) <= _LONGEST or places[-1] - places[0] >= len(places):
        return False
    lines = [body[place] for place in places]
    return _calls(lines[0], nodes) and len({_form(line) for line in lines}) == 1


def without_nested(assertions: Sequence[Assertion]) -> list[Assertion]:
    """The assertions that are part of no other: ``assert run(order()) == 3`` is one, though ``run`` asserts."""
    inside = {
        id(part)
        for assertion in assertions
        for part in walk(assertion.node)
        if part is not assertion.node
    }
    return [assertion for assertion in assertions if id(assertion.node) not in inside]


def _asserted(statement: ast.stmt) -> int:
    """The node that would be the assertion of a statement."""
    return id(statement.value if isinstance(statement, ast.Expr) else statement)


def _calls(line: ast.stmt, assertions: set[int]) -> bool:
    """Whether an assertion calls what it is about."""
    return any(isinstance(part, ast.Call) and id(part) not in assertions for part in walk(line))


def _form(node: ast.AST) -> str:
    """A statement without its literals and without the names that are no functions."""
    match node:
        case ast.Constant() | ast.Name() | ast.JoinedStr() | ast.Tuple() | ast.List() | ast.Dict():
            return "_"
        case ast.UnaryOp(operand=operand):
            return _form(operand)
        case ast.Call(func=func, args=arguments, keywords=keywords):
            passed = [
                *map(_form, arguments),
                *(f"{one.arg}={_form(one.value)}" for one in keywords),
            ]
            return f"{_called(func)}({passed})"
        case ast.Attribute(value=value, attr=attr):
            return f"{_form(value)}.{attr}"
    parts = [_form(part) for part in ast.iter_child_nodes(node)]
    return f"{type(node).__name__}({parts})"


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    name = getattr(function, "attr", "")
    return f"{_form(getattr(function, 'value', function))}.{_FALSE.get(name, name)}"
