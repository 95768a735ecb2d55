"""Which conditions have values that a red run would have to show.

``assertTrue(order.is_open)`` says on its own line what is false. ``assertTrue(total == 3)`` keeps to
itself what ``total`` was; so does ``assertTrue(key in row)``, unless the next line reads ``row[key]``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from socrates.model.python.walk import walk
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse

_COMPARES = frozenset(
    "isinstance issubclass all any startswith endswith match search fullmatch fnmatch "
    "fnmatchcase issubset issuperset isdisjoint isclose allclose array_equal equals".split()
)
_DENIES = frozenset({"assertFalse", "assert_false", "failIf", "fail_if"})
_ORDER = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_PLAIN = (ast.Name, ast.Attribute, ast.Constant)
_NO_NAMES = ("None", "True", "False")
_SENTENCE = re.compile(r"\s*#\W*(?!noqa|type:|pragma|pylint|nosec|fmt)\w+\W+\w")


def hiding(
    opaque: Sequence[Assertion], unexplained: Sequence[Assertion], test: TestCase
) -> list[Assertion]:
    """The opaque assertions that compare, join or quantify what their failure does not show.

    Not those with a comment of their own, which says what is wrong when they fail; not those that
    a later assertion repeats, nor those whose operator itself is tested.
    """
    lines = test.scope.module.source.lines
    repeated = _in_loops(test.node)
    found = [one for one in opaque if _hides(one, is_repeated=id(one.node) in repeated)]
    if len(found) < 2:
        return found
    read = _read_by_key(unexplained) if any(map(_membership, found)) else frozenset()
    operated = _operated(found)
    return [
        assertion
        for assertion in found
        if not _has_comment(assertion, lines)
        and _membership(assertion) not in read
        and not _operands(assertion) & operated
    ]


def _condition(assertion: Assertion) -> ast.expr | None:
    node = assertion.node
    if isinstance(node, ast.Assert):
        return node.test
    return node.args[0] if node.args else None


def _in_loops(function: ast.AST) -> frozenset[int]:
    """All nodes of a function that run several times: a line alone does not say which time it was."""
    loops = [
        node for node in walk(function) if isinstance(node, (ast.For, ast.AsyncFor, ast.While))
    ]
    return frozenset(id(node) for loop in loops for node in walk(loop))


def _hides(assertion: Assertion, *, is_repeated: bool) -> bool:
    condition = _condition(assertion)
    if condition is None or not _has_operands(condition):
        return False
    name = called_name(assertion.node) if isinstance(assertion.node, ast.Call) else ""
    return is_repeated or not _tells(condition, name not in _DENIES)


def _has_operands(condition: ast.expr) -> bool:
    match condition:
        case ast.Compare() | ast.BoolOp() | ast.BinOp():
            return True
        case ast.UnaryOp(operand=inner) | ast.Await(value=inner) | ast.NamedExpr(value=inner):
            return _has_operands(inner)
        case ast.Call(func=func, args=arguments):
            name = getattr(func, "attr", getattr(func, "id", ""))
            if name == "bool" and arguments:
                return _has_operands(arguments[0])
            return name in _COMPARES
    return False


def _tells(condition: ast.expr, holds: bool) -> bool:
    """Whether the line alone says what was found: what should not be ``None`` is ``None``."""
    while isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        condition, holds = condition.operand, not holds
    same, other = (ast.IsNot, ast.NotEq) if holds else (ast.Is, ast.Eq)
    match condition:
        case ast.Compare(ops=[op], comparators=[right]):
            return isinstance(op, same) or (
                isinstance(op, other) and isinstance(right, ast.Constant)
            )
    return False


def _membership(assertion: Assertion) -> str:
    """``row[key]`` for an assertion that ``key in row``; empty for others."""
    match _condition(assertion):
        case ast.Compare(left=key, ops=[ast.In()], comparators=[row]):
            return f"{unparse(row)}[{unparse(key)}]"
    return ""


def _read_by_key(assertions: Sequence[Assertion]) -> frozenset[str]:
    """All that assertions read by a key: they fail with that key, if it is not there."""
    return frozenset(
        f"{unparse(node.value)}[{unparse(node.slice)}]"
        for assertion in assertions
        for node in walk(assertion.node)
        if isinstance(node, ast.Subscript)
    )


def _has_comment(assertion: Assertion, lines: Sequence[str]) -> bool:
    """Whether a comment of more than one word stands above an assertion or at its end."""
    node = assertion.node
    above, last = node.lineno - 2, (node.end_lineno or node.lineno) - 1
    if above >= 0 and _SENTENCE.match(lines[above]):
        return True
    rest = lines[last].encode()[node.end_col_offset or 0 :]
    return bool(_SENTENCE.match(rest.decode(errors="replace")))


def _operands(assertion: Assertion) -> frozenset[str]:
    """The names that an assertion compares with an operator which a class can define."""
    return frozenset(name for left, _, right in _compared(assertion) for name in (left, right))


def _compared(assertion: Assertion) -> Iterator[tuple[str, str, str]]:
    condition = _condition(assertion)
    while isinstance(condition, ast.UnaryOp):
        condition = condition.operand
    if isinstance(condition, ast.Compare):
        parts = [condition.left, *condition.comparators]
        for (left, right), op in zip(pairwise(parts), condition.ops, strict=True):
            if isinstance(op, _ORDER) and isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
                yield _object(left), type(op).__name__, _object(right)


def _object(operand: ast.expr) -> str:
    """An operand as it is written; all members of one class are alike."""
    text = unparse(operand)
    return text.partition(".")[0] if text[0].isupper() else text


def _operated(assertions: Sequence[Assertion]) -> frozenset[str]:
    """The objects that are compared by several operators, or both ways round: these are what is tested."""
    ways: dict[frozenset[str], set[tuple[str, str]]] = {}
    for assertion in assertions:
        for left, operator, right in _compared(assertion):
            ways.setdefault(frozenset((left, right)), set()).add((left, operator))
    pairs = [pair for pair, used in ways.items() if len(used) > 1]
    return frozenset(
        name for pair in pairs for name in pair if name[0].isalpha() and name not in _NO_NAMES
    )
