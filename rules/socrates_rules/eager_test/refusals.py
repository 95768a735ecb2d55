"""Methods that all have to refuse: one exception for several of them is one behaviour.

So is any other assertion around each of them, such as ``with assert_no_queries():``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from socrates.model.python.walk import walk
from socrates.model.suite.assertion_names import names_assertion, names_raising
from socrates.model.suite.assertions import called_name
from socrates.syntax.unparse import unparse

if TYPE_CHECKING:
    from socrates.model.suite.collect import TestCase
    from socrates.model.units.production import ProductionCall


def without_repeated(
    acts: Sequence[ProductionCall], calls: Sequence[ProductionCall], test: TestCase
) -> list[ProductionCall]:
    """The acts; of methods that only have to raise one and the same exception, the first one's."""
    raised = dict(expected(test.node))
    outcomes: dict[str, set[str]] = {}
    for call in calls:
        outcomes.setdefault(call.method, set()).add(raised.get(id(call.node), ""))
    first: dict[str, str] = {}
    found = []
    for act in acts:
        exception, *others = outcomes[act.method]
        if others or not exception or first.setdefault(exception, act.method) == act.method:
            found.append(act)
    return found


def expected(function: ast.AST) -> Iterator[tuple[int, str]]:
    """Each node of a function that has to raise, with the exception or the assertion as it is written."""
    for node in walk(function):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                exception = _exception(item.context_expr) or _around(item.context_expr)
                for statement in node.body if exception else ():
                    yield from ((id(part), exception) for part in walk(statement))
        elif exception := _exception(node):
            yield from ((id(part), exception) for part in walk(node))


def _exception(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or not node.args:
        return ""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return unparse(node.args[0]) if names_raising(name) else ""


def _around(node: ast.AST) -> str:
    name = called_name(node) if isinstance(node, ast.Call) else None
    return unparse(node) if names_assertion(name or "") else ""
