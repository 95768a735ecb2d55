"""How often a test looks at something new.

Twelve assertions about the fields of one object fail at the first field that is wrong, and pytest
names it; so do twelve that follow one counter through a story. Twelve that each call something are
twelve cases, of which a red run shows only one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from socrates.model.python.walk import walk
from socrates.model.suite.assertions import Assertion

_ONLY_LOOKS = frozenset(
    "len str repr list dict set tuple frozenset sorted reversed sum min max any all isinstance "
    "issubclass type bool int float bytes abs round hasattr getattr callable id next iter zip "
    "enumerate range approx keys values items copy strip lower upper split join "
    "splitlines startswith endswith encode decode format tolist first last one scalar "
    "Decimal date datetime timedelta time Path dedent sentinel object".split()
)
_GETTERS = ("get", "is", "has", "to_", "as_", "find", "assert")


def looks(body: Sequence[ast.stmt], assertions: Sequence[Assertion]) -> int:
    """How many assertions call something, or are the first about what a call has just given.

    What was made before an earlier assertion, and is compared with something that was looked at
    already, is what that is expected to be: ``event.sender == sender`` is about the event.
    """
    asserting = {id(assertion.node) for assertion in assertions}
    count = 0
    fresh: set[str] = set()
    waiting: set[str] = set()
    local: set[str] = set()
    seen: set[str] = set()
    for statement in _in_order(body):
        nodes = list(_shallow(statement))
        acts = any(_acts(node, asserting) for node in nodes)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        if any(id(node) in asserting for node in nodes):
            read = {name.id for name in names}
            is_new = fresh & read or (waiting & read and not seen & read)
            count += 1 if acts or count == 0 or is_new else 0
            waiting = (waiting | fresh) - read
            fresh = set()
            seen |= local & read
        else:
            stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
            fresh |= stored if acts else set()
            local |= stored
            seen -= stored
    return count


def without_nested(assertions: Sequence[Assertion]) -> list[Assertion]:
    """The assertions that are part of no other: ``assert run(order()) == 3`` is one, though ``run`` asserts."""
    inside = {
        id(part)
        for assertion in assertions
        for part in walk(assertion.node)
        if part is not assertion.node
    }
    return [assertion for assertion in assertions if id(assertion.node) not in inside]


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
    if not isinstance(node, ast.Call) or id(node) in asserting:
        return False
    if isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
        return False  # ``process.name()`` hands out what is in it
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name not in _ONLY_LOOKS and not name.startswith(_GETTERS)
