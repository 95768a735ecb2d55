"""Which acts of a test stand by themselves, and which continue what an earlier one began.

A test that acquires a lock, looks, releases it and looks again tells one story: its acts can't be
tested apart, and its maintainer would leave it. Acts on different objects, or on one that none of
them changes, are several tests under one name.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.context import FileContext
from socrates.model.python.names import Scope, binding_at, root_of
from socrates.model.python.values import FunctionValue
from socrates.model.python.walk import walk
from socrates.model.units.production import ProductionCall
from socrates.model.units.results_used import plain
from socrates.model.units.unit import Unit
from socrates.syntax.unparse import unparse
from socrates_rules.eager_test.refusals import expected
from socrates_rules.rewriting.mutation import mutation_of


@dataclass(eq=False)
class _Story:
    """Acts that continue one another: the objects that they change, the names that they bind."""

    changed: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    checked: list[str] = field(default_factory=list)


def own_acts(calls: Sequence[ProductionCall]) -> list[ProductionCall]:
    """The acts that are written together in the test itself, or in a function inside it.

    A helper, or another function inside, gives several of them one name.
    """
    acts = [call for call in calls if call.acts and not call.in_helper]
    together = Counter(id(call.scope.function) for call in acts).most_common(1)
    return [call for call in acts if id(call.scope.function) == together[0][0]]


def without_observers(
    calls: Sequence[ProductionCall], unit: Unit, file: FileContext
) -> list[ProductionCall]:
    """The acts without those that only look at an object which another of them changes."""
    if unit.cls is None:
        return list(calls)
    changing = {id(call) for call in calls if _may_change(call, file)}
    changed = {_receiver(call) for call in calls if id(call) in changing} - {""}
    return [call for call in calls if id(call) in changing or _receiver(call) not in changed]


def stories(calls: Sequence[ProductionCall], unit: Unit, file: FileContext) -> int:
    """How many acts of a test are checked, distinct and begin something of their own."""
    found: list[_Story] = []
    bound = dict(bindings(calls))
    effects = _effects(calls) if unit.cls is None else frozenset()
    for call in own_acts(calls):
        receiver = _receiver(call) if unit.cls is not None else unit.name
        read = {node.id for node in walk(call.node) if isinstance(node, ast.Name)}
        joined = [s for s in found if receiver in s.changed or s.bound & read]
        story = _Story()
        for other in joined:
            story.changed |= other.changed
            story.bound |= other.bound
            story.checked += other.checked
            found.remove(other)
        if id(call.node) in effects or (unit.cls and receiver and _may_change(call, file)):
            story.changed.add(receiver)
        story.bound |= bound.get(id(call.node), set())
        if call.checked:
            story.checked.append(call.method)
        found.append(story)
    methods: set[str] = set()
    for story in found:
        fresh = [method for method in story.checked if method not in methods]
        methods.update(fresh[:1])
    return len(methods)


def _receiver(call: ProductionCall) -> str:
    """What the method is called on, told apart from another object of the same name."""
    func = call.node.func if isinstance(call.node, ast.Call) else call.node
    if not isinstance(func, ast.Attribute):
        return ""
    base = func.value
    if isinstance(base, ast.Call):
        return f"made in row {base.lineno}, column {base.col_offset}"
    first = root_of(base)
    row = _bound_in(first, base.lineno, call.scope) if first is not None else 0
    return f"{unparse(base)} of row {row}"


def _bound_in(name: str, row: int, scope: Scope) -> int:
    local = scope.lookup(name)
    return binding_at(local[1], row).row if local is not None else 0


def _may_change(call: ProductionCall, file: FileContext) -> bool:
    func = call.node.func if isinstance(call.node, ast.Call) else call.node
    called = file.infer(func, call.scope) if isinstance(func, ast.expr) else None
    return not isinstance(called, FunctionValue) or mutation_of(called, file) != "none"


def _effects(calls: Sequence[ProductionCall]) -> frozenset[int]:
    """The functions that are called for what they change, and not for what they return.

    Functions of one module keep what they change in common: what one registers, the next lists.
    """
    function = _function_of(calls)
    return called_for_effect(function) if function is not None else frozenset()


def called_for_effect(function: ast.AST) -> frozenset[int]:
    """The calls whose result nobody takes, but for those that have to raise."""
    alone = {id(plain(node.value)) for node in walk(function) if isinstance(node, ast.Expr)}
    return frozenset(alone - dict(expected(function)).keys())


def _function_of(calls: Sequence[ProductionCall]) -> ast.AST | None:
    """The test, or the function inside it, that the acts are written in."""
    own = own_acts(calls)
    return own[0].scope.function if own else None


def bindings(calls: Sequence[ProductionCall]) -> Iterator[tuple[int, set[str]]]:
    """The names that the result of each act is given."""
    acts = {id(call.node) for call in calls}
    function = _function_of(calls)
    for node in walk(function) if function is not None else ():
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}
            for part in walk(node.value):
                if id(part) in acts:
                    yield id(part), names
