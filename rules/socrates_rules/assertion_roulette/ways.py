"""How many assertions one run of a test can meet: of two branches it takes one, unless they stand in a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from socrates.model.python.walk import branches, walk
from socrates.model.suite.assertions import Assertion

_LEAVING = (ast.Return, ast.Raise)


def on_longest_way(body: Sequence[ast.AST], assertions: Iterable[Assertion]) -> int:
    """The most of some assertions that stand on one way through a body."""
    return _longest(body, {id(assertion.node) for assertion in assertions})


def _longest(body: Sequence[ast.AST], counted: set[int]) -> int:
    way = 0
    for node in reversed(body):
        match node:
            case ast.For() | ast.AsyncFor() | ast.While():
                way += _inside(node, counted)
            case ast.If(test=test, body=then, orelse=other):
                way = max(_joined(block, way, counted) for block in (then, other))
                way += _inside(test, counted)
            case ast.Match(subject=subject, cases=cases):
                way = max(_joined(case.body, way, counted) for case in cases)
                way += _inside(subject, counted)
            case ast.stmt() | ast.ExceptHandler() if hasattr(node, "body"):
                way += _longest(branches(node), counted)
            case _:
                way += _inside(node, counted)
    return way


def _joined(block: Sequence[ast.stmt], rest: int, counted: set[int]) -> int:
    """A branch, and what comes after it, unless it leaves."""
    leaves = bool(block) and isinstance(block[-1], _LEAVING)
    return _longest(block, counted) + (0 if leaves else rest)


def _inside(node: ast.AST, counted: set[int]) -> int:
    return sum(id(part) in counted for part in walk(node))
