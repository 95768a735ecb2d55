"""Which objects a test compares in order to test the comparison.

``assertTrue(one == two)`` beside ``assertFalse(one != two)`` is about ``==`` and ``!=``, and there is no
value that a better method would show.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import pairwise

from socrates.syntax.unparse import unparse

_ORDER = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def tested_by_operators(conditions: Iterable[ast.expr | None]) -> frozenset[str]:
    """The objects that are compared by several operators, both ways round, or with themselves."""
    ways: dict[frozenset[str], set[tuple[str, str]]] = {}
    for condition in conditions:
        for left, operator, right in _compared(condition):
            ways.setdefault(frozenset((left, right)), set()).add((left, operator))
    return frozenset(
        name
        for pair, used in ways.items()
        if len(used) > 1 or (len(pair) == 1 and not min(pair)[0].isupper())
        for name in pair
        if name.isidentifier() and name not in ("None", "True", "False")
    )


def operands(condition: ast.expr | None) -> frozenset[str]:
    """The objects that a condition compares with an operator which a class can define."""
    return frozenset(name for left, _, right in _compared(condition) for name in (left, right))


def _compared(condition: ast.expr | None) -> Iterator[tuple[str, str, str]]:
    while isinstance(condition, ast.UnaryOp):
        condition = condition.operand
    if isinstance(condition, ast.Compare):
        names = [_object(part) for part in (condition.left, *condition.comparators)]
        for (left, right), operator in zip(pairwise(names), condition.ops, strict=True):
            if left and right and isinstance(operator, _ORDER):
                yield left, type(operator).__name__, right


def _object(operand: ast.expr) -> str:
    """A name or a constant as it is written; for objects and members of a class, the class."""
    if isinstance(operand, (ast.Name, ast.Constant)):
        return unparse(operand)
    root = operand.func if isinstance(operand, ast.Call) else operand
    while isinstance(root, ast.Attribute):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    if name[:1].isupper():
        return name
    return unparse(operand) if isinstance(operand, ast.Attribute) else ""
