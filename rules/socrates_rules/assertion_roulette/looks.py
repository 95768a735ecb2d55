"""How often a test looks: assertions in a row about one state are one look at it.

Twelve assertions about the fields of one object fail at the first field that is wrong, and pytest
names it. Twelve that each call something are twelve cases, of which a red run shows only one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from socrates.model.suite.assertions import Assertion

_ONLY_LOOKS = frozenset(
    "len str repr list dict set tuple frozenset sorted reversed sum min max any all isinstance "
    "issubclass type bool int float bytes abs round hasattr getattr callable id next iter zip "
    "enumerate range approx keys values items copy strip lower upper split join "
    "splitlines startswith endswith encode decode format tolist first last one scalar "
    "Decimal date datetime timedelta time Path dedent sentinel".split()
)
_GETTERS = ("get", "is", "has", "to_", "as_", "find", "assert")


def looks(body: Sequence[ast.stmt], assertions: Sequence[Assertion]) -> int:
    """The number of states that assertions look at: a call, or a change, makes another state."""
    asserting = {id(assertion.node) for assertion in assertions}
    count, changed = 0, True
    for statement in _in_order(body):
        made = [node for node in _shallow(statement) if id(node) in asserting]
        acts = any(_acts(node, asserting) for node in _shallow(statement))
        if made:
            count += 1 if changed or acts else 0
            changed = False
        elif acts:
            changed = True
    return count


def _in_order(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement as it is written, those in blocks after the head of their block."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from _in_order(getattr(statement, block, []))
        for handler in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _in_order(handler.body)


def _shallow(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, without the statements inside it."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        stack += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt)]


def _acts(node: ast.AST, asserting: set[int]) -> bool:
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return not isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Call) or id(node) in asserting:
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name not in _ONLY_LOOKS and not name.startswith(_GETTERS)
