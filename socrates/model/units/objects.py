"""The production objects that a test builds or receives, and which of them go into which."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.local_facts import local_class
from socrates.model.python.module import ClassInfo, ModuleInfo
from socrates.model.python.names import Scope, binding_at, walk_function
from socrates.model.python.shapes import returned
from socrates.model.python.values import (
    ClassValue,
    ExternalResult,
    FunctionValue,
    Instance,
    OneOf,
    Value,
)
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase
from socrates.model.suite.given import given_names
from socrates.model.suite.helpers import HelperCall, is_helper_module, resolve_helper

_MAX_DEPTH = 3
_TELLING: frozenset[type[ast.AST]] = frozenset(
    {ast.Call, ast.Attribute, ast.Name, ast.Compare, ast.Subscript, ast.Assign, ast.AugAssign}
    | {ast.For, ast.comprehension, ast.withitem, ast.ClassDef}
    | {ast.FunctionDef, ast.AsyncFunctionDef}
)
"""Nodes that tell of objects; the others are only passed on the way to them."""
_TAKEN_APART = ("unpack", "item", "with")

Body = tuple[Sequence[ast.AST], Scope]
_Followed = tuple[int, int, frozenset[tuple[str, Value]]]


@dataclass(slots=True)
class Objects:
    """``built``: classes of the objects that a test has, by their nodes. ``bodies``: where it got them."""

    built: dict[int, ClassInfo] = field(default_factory=dict)
    bodies: list[Body] = field(default_factory=list)

    def of(self, cls: ClassInfo, inference: Inference) -> bool:
        """Whether one of them is an object of a class or of a subclass."""
        return any(
            base.node is cls.node
            for one in self.built.values()
            for base in inference.resolver.mro(one)
        )


def telling_nodes(function: ast.AST) -> list[ast.AST]:
    """The nodes of a function's body that tell of objects, in source order."""
    return [node for node in walk_function(function) if node.__class__ in _TELLING]


class ObjectFinder:
    """Finds the objects of the tests of one file."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._plain: dict[tuple[int, str], tuple[ModuleInfo, bool]] = {}
        self._helpers: dict[_Followed, tuple[FunctionValue, Objects]] = {}

    def of(self, test: TestCase) -> Objects:
        """From the body, fixtures, set-up, tables and helpers; not what production methods return."""
        found = Objects()
        for name in given_names(test)[test.patched :]:
            self._add(self.inference.fixture_value(name, test.scope), found)
        self._body(telling_nodes(test.node), test.scope, found, 0)
        return found

    def _in_helper(self, helper: HelperCall, depth: int) -> Objects:
        """What a helper builds: looked up once for all calls that pass it the same kinds of things."""
        function = helper.function
        passed = {
            (name, value)
            for name, given in helper.scope.arguments.items()
            if isinstance(
                value := self.inference.infer(*given), (ClassValue, FunctionValue, Instance)
            )
        }
        key = (id(function.node), id(function.owner), frozenset(passed))
        kept = self._helpers.get(key)
        if kept is None:
            found = Objects()
            kept = self._helpers[key] = (function, found)  # one that calls itself adds nothing
            nodes = telling_nodes(function.node)
            scope = self.inference.scope_of(function)
            scope.arguments.update({name: helper.scope.arguments[name] for name, _ in passed})
            self._body(nodes, scope, found, depth)
        return kept[1]

    def _body(self, nodes: Sequence[ast.AST], scope: Scope, found: Objects, depth: int) -> None:
        found.bodies.append((nodes, scope))
        # Callees, what a handler makes for whoever calls it, and what only marks a function.
        passed: set[int] = set()
        for node in nodes:
            if id(node) in passed:
                continue
            if isinstance(node, ast.Call):
                passed.add(id(node.func))
                if _is_assertion(node.func):
                    continue
                self._add(self._built(node, scope), found)
                helper = resolve_helper(node, scope, self.inference) if depth < _MAX_DEPTH else None
                if helper is not None:
                    inside = self._in_helper(helper, depth + 1)
                    found.built.update(inside.built)
                    found.bodies += [body for body in inside.bodies if body not in found.bodies]
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                if self._is_read(node, scope):
                    self._add(self.inference.infer(node, scope), found)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if self._is_received(node, scope):
                    self._add(self.inference.infer(node, scope), found)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.decorator_list:
                passed.update(id(value) for value in returned(node))
                passed.update(id(d) for d in node.decorator_list if isinstance(d, ast.Name))

    def _add(self, value: Value | None, found: Objects) -> None:
        if isinstance(value, Instance):
            found.built[id(value.cls.node)] = value.cls

    def _built(self, call: ast.Call, scope: Scope) -> Value | None:
        """What a constructor, a factory or a helper makes."""
        func = call.func
        called = self.inference.infer(func, scope)
        if isinstance(called, ClassValue):
            return Instance(called.cls)
        if called is None or isinstance(called, OneOf):
            return self.inference.infer(call, scope)
        if not isinstance(called, FunctionValue):
            return None
        if called.owner is not None and not is_helper_module(called.module):
            base = func.value if isinstance(func, ast.Attribute) else None
            on_class = base is not None and isinstance(
                self.inference.infer(base, scope), ClassValue
            )
            if not on_class:
                return None
        return self.inference.infer(call, scope)

    def _is_read(self, node: ast.Attribute, scope: Scope) -> bool:
        """Whether an attribute is read of an object, of a record or of the test itself."""
        base = node.value
        if isinstance(base, ast.Name) and base.id in ("self", "cls"):
            return True
        return isinstance(self.inference.infer(base, scope), (Instance, ExternalResult))

    def _is_received(self, node: ast.Name, scope: Scope) -> bool:
        """Whether a name stands for a global object, or for one out of what a helper made."""
        local = scope.lookup(node.id)
        if local is None:
            module = scope.module
            key = (id(module), node.id)
            if key not in self._plain:
                known = node.id in module.assigns or node.id in module.imports
                value = self.inference.infer(node, scope) if known else None
                self._plain[key] = (module, not isinstance(value, Instance))
            return not self._plain[key][1]
        owner, bindings = local
        binding = binding_at(bindings, node.lineno)
        if binding.kind not in _TAKEN_APART or not isinstance(binding.value, ast.expr):
            return False
        return not self._is_production_call(binding.value, owner)

    def _is_production_call(self, expr: ast.expr, scope: Scope) -> bool:
        if isinstance(expr, ast.Await):
            expr = expr.value
        if not isinstance(expr, ast.Call):
            return False
        called = self.inference.infer(expr.func, scope)
        if isinstance(called, FunctionValue):
            return called.owner is not None and not is_helper_module(called.module)
        return called is None and isinstance(expr.func, ast.Attribute)


class LinkFinder:
    """Which classes' objects come from, or go into, objects of which others."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._kept: dict[int, tuple[Sequence[ast.AST], set[tuple[int, int]]]] = {}

    def of(self, bodies: Sequence[Body]) -> set[tuple[int, int]]:
        """Pairs of class nodes: objects of the first serve objects of the second."""
        found: set[tuple[int, int]] = set()
        for nodes, scope in bodies:
            kept = self._kept.get(id(nodes))
            if kept is None:
                links = {link for node in nodes for link in self._links(node, scope)}
                kept = self._kept[id(nodes)] = (nodes, links)
            found |= kept[1]
        return found

    def _links(self, node: ast.AST, scope: Scope) -> Iterator[tuple[int, int]]:
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
                yield from self._pair(left, right, scope)
            case ast.Compare(left=left, comparators=[right, *_]):
                yield from self._compared(left, right, scope)
            case ast.Call(func=func, args=[left, right, *_]) if _is_assertion(func):
                yield from self._compared(left, right, scope)
            case ast.Call():
                yield from self._call(node, scope)
            case ast.ClassDef():
                yield from self._in_class(node, scope)
            case ast.withitem(context_expr=ast.Call() as call, optional_vars=ast.expr() as target):
                yield from self._entered(call, target, scope)
            case ast.Attribute(value=base, ctx=ast.Load()):
                yield from self._pair(node, base, scope)
            case ast.Subscript(value=base, slice=key):
                yield from self._pair(key, base, scope)
            case ast.Assign(
                targets=[ast.Attribute(value=base) | ast.Subscript(value=base)], value=value
            ):
                for part in _inside(value):
                    yield from self._pair(part, base, scope)
            case ast.AugAssign(target=base, value=value):
                yield from self._pair(value, base, scope)
            case ast.For(target=target, iter=base) | ast.comprehension(target=target, iter=base):
                yield from self._pair(target, base, scope)

    def _compared(self, left: ast.expr, right: ast.expr, scope: Scope) -> Iterator[tuple[int, int]]:
        """An expected object stands for one that comes out of what it is compared with."""
        for one, other in ((left, right), (right, left)):
            expected = [self.inference.infer(expr, scope) for expr in _inside(one)]
            classes = [value.cls for value in expected if isinstance(value, Instance)]
            if not classes:
                continue
            for part in (*ast.walk(other), *_asked(other, scope)):
                if isinstance(part, (ast.Name, ast.Attribute)):
                    owner = self.inference.infer(part, scope)
                    if isinstance(owner, Instance):
                        for cls in classes:
                            yield from self._serving(cls, owner.cls)

    def _call(self, call: ast.Call, scope: Scope) -> Iterator[tuple[int, int]]:
        target = self._target(call, scope)
        if target is None:
            return
        made = self.inference.infer(call, scope)
        for cls in self._passed(call, scope):
            served = list(self._serving(cls, target))
            yield from served
            if isinstance(made, Instance) and served:
                yield from self._serving(cls, made.cls)
        if isinstance(made, Instance):
            yield from self._serving(made.cls, target)
            if isinstance(call.func, ast.Attribute):  # ``shop.Order()``, where shop is an object
                yield from self._pair(call, call.func.value, scope)

    def _passed(self, call: ast.Call, scope: Scope) -> Iterator[ClassInfo]:
        """The classes of the objects that a call passes, whole or a part of them: ``server.url``."""
        for part in (*call.args, *(keyword.value for keyword in call.keywords)):
            for expr in _inside(part):
                value = self.inference.infer(expr, scope)
                if not isinstance(value, Instance) and isinstance(expr, ast.Attribute):
                    value = self.inference.infer(expr.value, scope)
                if isinstance(value, Instance):
                    yield value.cls

    def _in_class(self, node: ast.ClassDef, scope: Scope) -> Iterator[tuple[int, int]]:
        """Objects that the body of a class keeps serve it: the fields of a model or a form."""
        local = scope.lookup(node.name)
        if local is None:
            return
        cls = local_class(self.inference, node, local[0])
        for statement in node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                for part in walk(statement.value):
                    value = (
                        self.inference.infer(part, scope) if isinstance(part, ast.Call) else None
                    )
                    if isinstance(value, Instance):
                        yield from self._serving(value.cls, cls)

    def _entered(self, call: ast.Call, target: ast.expr, scope: Scope) -> Iterator[tuple[int, int]]:
        """What a manager is made of serves what it hands out."""
        value = self.inference.infer(target, scope)
        if isinstance(value, Instance):
            for cls in self._passed(call, scope):
                yield from self._serving(cls, value.cls)

    def _target(self, call: ast.Call, scope: Scope) -> ClassInfo | None:
        """The class whose constructor, factory or method a call runs."""
        called = self.inference.infer(call.func, scope)
        if isinstance(called, ClassValue):
            return called.cls
        if not isinstance(called, FunctionValue) or is_helper_module(called.module):
            return None
        if called.owner is not None:
            return called.owner
        made = self.inference.infer(call, scope)
        return made.cls if isinstance(made, Instance) else None

    def _pair(self, expr: ast.expr, base: ast.expr, scope: Scope) -> Iterator[tuple[int, int]]:
        owner = self.inference.infer(base, scope)
        value = self.inference.infer(expr, scope) if isinstance(owner, Instance) else None
        if isinstance(owner, Instance) and isinstance(value, Instance):
            yield from self._serving(value.cls, owner.cls)

    def _serving(self, one: ClassInfo, other: ClassInfo) -> Iterator[tuple[int, int]]:
        """With bases, as an object of a subclass is an object of the class."""
        mro = self.inference.resolver.mro
        ours, theirs = mro(one), mro(other)
        for cls in ours:
            if all(cls.node is not base.node for base in theirs):
                for base in theirs:
                    if all(base.node is not own.node for own in ours):
                        yield id(cls.node), id(base.node)


def _is_assertion(func: ast.expr) -> bool:
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name.startswith(("assert", "raises"))


def _asked(expr: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The objects whose methods gave what a local name stands for: ``events = [parser.next()]``."""
    local = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    if local is None:
        return
    bound = binding_at(local[1], expr.lineno).value
    for part in _inside(bound) if isinstance(bound, ast.expr) else ():
        match part:
            case ast.Call(func=ast.Attribute(value=owner)):
                yield owner


def _inside(expr: ast.expr) -> Iterator[ast.expr]:
    """An argument, and the elements of one that is a collection as written."""
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            for part in elts:
                yield from _inside(part)
        case ast.Dict(keys=keys, values=values):
            for item in (*keys, *values):
                if item is not None:
                    yield from _inside(item)
        case ast.Starred(value=inner) | ast.Await(value=inner):
            yield from _inside(inner)
        case _:
            yield expr
