"""Code of a test that no run executes until somebody edits the file: it can miss nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from socrates.model.python.module import ModuleInfo
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase

_SKIPPED = frozenset({"pytest.mark.skip", "unittest.skip"})


def is_skipped(test: TestCase) -> bool:
    """Whether a test, its class or its module is skipped, whatever the machine has."""
    return any(name in _SKIPPED for name, _ in test.decorators)


def is_switched_off(node: ast.AST, test: TestCase) -> bool:
    """Whether a node of a test stands behind a constant of its module that is false."""
    return any(part is node for dead in _dead(test.node.body, test.module) for part in walk(dead))


def _dead(body: Iterable[ast.stmt], module: ModuleInfo) -> Iterator[ast.stmt]:
    """Statements that are never reached, also those after ``if not MANUAL: return``."""
    left = False
    for statement in body:
        if left:
            yield statement
        elif isinstance(statement, ast.If):
            never = _value(statement.test, module)
            if never is None:
                yield from _dead(statement.body, module)
                yield from _dead(statement.orelse, module)
            else:
                yield from statement.orelse if never else statement.body
                kept = statement.body if never else statement.orelse
                yield from _dead(kept, module)
                left = bool(kept) and isinstance(kept[-1], ast.Return)


def _value(test: ast.expr, module: ModuleInfo) -> bool | None:
    """What a condition is, by a constant that the module assigns once."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(operand, module)
            return None if value is None else not value
        case ast.Name(id=name):
            match module.assigns.get(name):
                case ast.Constant(value=bool(value)) if _is_assigned_once(name, module):
                    return value
    return None


def _is_assigned_once(name: str, module: ModuleInfo) -> bool:
    stores = (
        node
        for node in walk(module.source.tree)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    )
    return sum(1 for _ in stores) == 1
