"""Which conditions have values that a red run would have to show.

``assertTrue(order.is_open)`` says on its own line what is false. ``assertTrue(total == 3)`` keeps to
itself what ``total`` was; so does ``assertTrue(key in row)``, unless the next line reads ``row[key]``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from socrates.model.python.walk import walk
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse
from socrates_rules.assertion_roulette.operators import operands, tested_by_operators
from socrates_rules.rewriting.comments import says_something

_COMPARES = frozenset(
    "isinstance issubclass all any startswith endswith match search fullmatch fnmatch "
    "fnmatchcase issubset issuperset isdisjoint isclose allclose array_equal equals".split()
)
_DENIES = frozenset({"assertFalse", "assert_false", "failIf", "fail_if"})


def unclear(
    opaque: Sequence[Assertion], unexplained: Sequence[Assertion], test: TestCase
) -> list[Assertion]:
    """The opaque assertions of whose failure the line alone does not tell what was found.

    Clear are those with a comment of their own, those whose key another assertion reads, and those
    whose operator itself is tested; in a loop none is, for no line says which round it was.
    """
    lines = test.scope.module.source.lines
    repeated = _in_loops(test.node)
    read = _read_by_key(unexplained) if any(map(_membership, opaque)) else frozenset()
    operated = tested_by_operators(map(condition_of, opaque))
    return [
        assertion
        for assertion in opaque
        if id(assertion.node) in repeated
        or not (
            _tells(assertion)
            or _has_comment(assertion, lines)
            or _membership(assertion) in read
            or operands(condition_of(assertion)) & operated
        )
    ]


def has_values(assertion: Assertion) -> bool:
    """Whether an assertion compares, joins or quantifies values."""
    condition = condition_of(assertion)
    return condition is not None and _has_operands(condition)


def condition_of(assertion: Assertion) -> ast.expr | None:
    """What has to hold, or not to hold."""
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


def _tells(assertion: Assertion) -> bool:
    """Whether the line alone says what was found: what should not be ``None`` is ``None``."""
    condition = condition_of(assertion)
    name = called_name(assertion.node) if isinstance(assertion.node, ast.Call) else ""
    holds = name not in _DENIES
    while isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        condition, holds = condition.operand, not holds
    same, other = (ast.IsNot, ast.NotEq) if holds else (ast.Is, ast.Eq)
    match condition:
        case ast.Compare(ops=[op], comparators=[right]):
            is_literal = isinstance(right, ast.Constant)
            return isinstance(op, same) or (isinstance(op, other) and is_literal)
    return False


def _membership(assertion: Assertion) -> str:
    """``row[key]`` for an assertion that ``key in row``; empty for others."""
    match condition_of(assertion):
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
    last = node.end_lineno or node.lineno
    if node.lineno > 1 and any(map(says_something, lines[node.lineno - 2 : node.lineno - 1])):
        return True
    rest = "".join(lines[last - 1 : last]).encode()[node.end_col_offset or 0 :]
    return says_something(rest.decode(errors="replace"))
