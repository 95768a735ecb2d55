"""Fixtures that hand several objects at once, and which of them a test uses.

Several objects are a tuple, a list or a dict with literal keys as written in the fixture, or an
object with fields whose class the tests define: dataclass, attrs, named tuple, SimpleNamespace.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name, walk_function
from socrates.model.python.shapes import returned
from socrates.model.python.values import FunctionValue, Instance
from socrates.model.python.walk import children, walk
from socrates.model.suite.fixtures import Fixture, FixtureGraph
from socrates.model.suite.helpers import is_helper_module
from socrates.model.suite.self_attributes import SelfAttributes
from socrates.model.suite.setup import after_yield
from socrates_rules.general_fixture.own_classes import classes_in, needed_by, with_heirs

_RECORD_DECORATORS = ("dataclasses.dataclass", "attr.", "attrs.", "pydantic.dataclasses.dataclass")
_NAMED_TUPLES = ("typing.NamedTuple", "collections.namedtuple", "typing_extensions.NamedTuple")
_MAX_HOPS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One of the objects: its index, key or field, and the fixture's own name for it, if any.

    ``kept``: it is there for more than the test, such as clean-up, or a base that registers it.
    """

    key: Hashable
    kept: bool = False
    local: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The objects that one name hands to a test."""

    shape: Literal["items", "keys", "fields"]
    parts: tuple[Part, ...]
    cls: ClassInfo | None = None
    ordered: bool = False
    """Whether a record can be unpacked as a tuple too."""
    needs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Which other classes of the fixture each of its classes mentions."""


class BundleFinder:
    """Finds what fixtures and context managers of the tests hand out."""

    def __init__(
        self,
        fixtures: FixtureGraph,
        inference: Inference,
        reads: SelfAttributes,
        registers: Callable[[ast.ClassDef, Scope], bool],
    ) -> None:
        self.fixtures = fixtures
        self.registers = registers
        self.inference = inference
        self.reads = reads

    def of_fixture(self, fixture: Fixture, cls: ClassInfo | None, hops: int = 0) -> Bundle | None:
        """What a fixture hands out when that is several objects, else None."""
        values = fixture.values
        if len(values) == 1 and isinstance(values[0], ast.Name) and hops < _MAX_HOPS:
            name = values[0].id
            if name in fixture.requests:
                skip = fixture.node if name == fixture.name else None
                requested = self.fixtures.find(name, cls, skip)
                return self.of_fixture(requested, cls, hops + 1) if requested else None
        return self.of_values(values, fixture.node, fixture.scope)

    def of_values(
        self, values: Sequence[ast.expr], node: FunctionNode, scope: Scope
    ) -> Bundle | None:
        """What a function hands out by these returned or yielded expressions."""
        classes = classes_in(node)
        kept = _cleaned_names(node)
        acting = {name for name, cls in classes.items() if self.registers(cls, scope)}
        kept |= with_heirs(acting, classes)
        bundles = [self._of_value(value, scope, kept) for value in values]
        first = bundles[0] if bundles else None
        if first is None or any(bundle is None or not _same(bundle, first) for bundle in bundles):
            return None
        return replace(first, needs=needed_by(classes)) if len(first.parts) > 1 else None

    def _of_value(self, value: ast.expr, scope: Scope, kept: set[str]) -> Bundle | None:
        if isinstance(value, ast.Name):
            bindings = scope.bindings.get(value.id, [])
            if len(bindings) != 1 or bindings[0].kind != "value" or value.id in kept:
                return None
            if not isinstance(bindings[0].value, ast.expr) or _is_touched(value.id, scope):
                return None
            value = bindings[0].value
        match value:
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                if any(isinstance(element, ast.Starred) for element in elements):
                    return None
                parts = [_part(i, e, kept) for i, e in enumerate(elements)]
                return Bundle("items", tuple(parts))
            case ast.Dict(keys=keys, values=values):
                if not all(isinstance(key, ast.Constant) for key in keys):
                    return None
                named = [k.value for k in keys if isinstance(k, ast.Constant)]
                pairs = zip(named, values, strict=True)
                return Bundle("keys", tuple(_part(k, v, kept) for k, v in pairs))
            case ast.Call():
                return self._record(value, scope, kept) or self._by_helper(value, scope)
        return None

    def _by_helper(self, call: ast.Call, scope: Scope) -> Bundle | None:
        """What a function of the tests returns, when a fixture hands that on."""
        function = self.inference.infer(call.func, scope)
        if not isinstance(function, FunctionValue) or not is_helper_module(function.module):
            return None
        values = returned(function.node)
        if not values or any(isinstance(v, (ast.Name, ast.Call)) for v in values):
            return None
        return self.of_values(values, function.node, self.inference.scope_of(function))

    def _record(self, call: ast.Call, scope: Scope, kept: set[str]) -> Bundle | None:
        dotted = dotted_name(call.func, scope) or ""
        passed = {k.arg: k.value for k in call.keywords if k.arg}
        if dotted == "types.SimpleNamespace":
            if call.args or len(passed) != len(call.keywords):
                return None
            parts = [_part(name, v, kept) for name, v in passed.items()]
            return Bundle("fields", tuple(parts))
        named = self._named_tuple(dotted, scope)
        if named:
            positional = dict(zip(named, call.args, strict=False))
            parts = [_part(f, {**positional, **passed}.get(f), kept) for f in named]
            return Bundle("fields", tuple(parts), ordered=True)
        made = self.inference.infer(call, scope)
        if not isinstance(made, Instance) or not is_helper_module(made.cls.module):
            return None
        return self._of_class(made.cls, call, passed, kept)

    def _of_class(
        self, cls: ClassInfo, call: ast.Call, passed: dict[str, ast.expr], kept: set[str]
    ) -> Bundle | None:
        ordered = any(b in _NAMED_TUPLES for b in self.inference.resolver.external_bases(cls))
        if not ordered and not is_record(cls):
            return None
        fields = [
            name
            for owner in reversed(self.inference.resolver.mro(cls))
            for name in [*owner.annotations, *_attr_fields(owner)]
            if not _is_class_variable(owner.annotations.get(name))
        ]
        fields = list(dict.fromkeys(fields))
        given = {**dict(zip(fields, call.args, strict=False)), **passed}
        parts = [_part(name, given.get(name), kept) for name in fields]
        return Bundle("fields", tuple(parts), cls, ordered)

    def _named_tuple(self, dotted: str, scope: Scope) -> list[str]:
        """The fields of a ``namedtuple("X", "a b")`` that the tests define."""
        if not dotted:
            return []
        found = self.inference.resolver.name(dotted, scope.module.path)
        if found.kind != "value" or not isinstance(found.value, ast.Call) or found.module is None:
            return []
        if not is_helper_module(found.module) or len(found.value.args) < 2:
            return []
        if dotted_name(found.value.func, Scope(found.module)) not in _NAMED_TUPLES:
            return []
        fields = found.value.args[1]
        if isinstance(fields, ast.Constant) and isinstance(fields.value, str):
            return fields.value.replace(",", " ").split()
        names = [e.elts[0] if isinstance(e, ast.Tuple) and e.elts else e for e in _elements(fields)]
        return [n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str)]

    def used(self, bundle: Bundle, name: str, function: FunctionNode) -> set[Hashable]:
        """The keys of the parts that a function uses of the bundle it knows as ``name``."""
        everything = {part.key for part in bundle.parts}
        found: set[Hashable] = set()
        for node, parent in _uses(function, name):
            keys = self._use(node, parent, bundle, function)
            if keys is None:
                return everything
            found |= keys
        return found | _needed(bundle, found)

    def _use(
        self, node: ast.Name, parent: ast.AST, bundle: Bundle, function: FunctionNode
    ) -> set[Hashable] | None:
        """The parts that one mention uses; None when the whole goes somewhere."""
        match parent:
            case ast.Assign(targets=[ast.Tuple() | ast.List() as target], value=value):
                if value is node and (bundle.shape == "items" or bundle.ordered):
                    return unpacked(target, bundle, function)
            case ast.Subscript(value=value, slice=ast.Constant(value=key)) if value is node:
                return self._subscript(key, parent, bundle)
            case ast.Attribute(value=value, attr=attr) if value is node:
                return self._attribute(attr, parent, bundle)
        return None

    def _subscript(self, key: object, node: ast.Subscript, bundle: Bundle) -> set[Hashable] | None:
        if isinstance(node.ctx, ast.Store):
            return set()
        if bundle.shape == "fields" and not bundle.ordered:
            return None
        if isinstance(key, int) and bundle.shape != "keys":
            parts = bundle.parts
            return {parts[key].key} if key < len(parts) else None
        return {key} if any(part.key == key for part in bundle.parts) else None

    def _attribute(self, attr: str, node: ast.Attribute, bundle: Bundle) -> set[Hashable] | None:
        if bundle.shape != "fields":
            return None
        if any(part.key == attr for part in bundle.parts):
            return set() if isinstance(node.ctx, ast.Store) else {attr}
        if bundle.cls is not None:
            owner, method = self.inference.resolver.method(bundle.cls, attr)
            if owner is not None and method is not None:
                reads = self.reads.of_method(owner, method, bundle.cls)
                return None if reads.whole else set(reads.names)
        return None


def _needed(bundle: Bundle, used: set[Hashable]) -> set[Hashable]:
    """The parts that used ones can't be defined without."""
    names = {part.local for part in bundle.parts if part.key in used}
    while more := {n for name in names for n in bundle.needs.get(name, ())} - names:
        names |= more
    return {part.key for part in bundle.parts if part.local and part.local in names}


def unpacked(
    target: ast.Tuple | ast.List, bundle: Bundle, function: FunctionNode
) -> set[Hashable] | None:
    """The parts that ``a, b = bundle`` binds to names that are read."""
    if len(target.elts) != len(bundle.parts):
        return None
    used: set[Hashable] = set()
    for element, part in zip(target.elts, bundle.parts, strict=True):
        if not isinstance(element, ast.Name):
            return None
        if is_read(element.id, function):
            used.add(part.key)
    return used | _needed(bundle, used)


def is_read(name: str, function: FunctionNode) -> bool:
    """Whether a function reads a local name, by itself or through ``locals()``."""
    return any(_reads(name, statement) for statement in function.body)


def parameter_is_read(name: str, function: FunctionNode) -> bool:
    """Whether a function reads what it was handed: not what it assigns to the name before."""
    for statement in function.body:
        if _reads(name, statement):
            return True
        match statement:
            case ast.Assign(targets=targets):
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    return False
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr()) if bound == name:
                return False
    return False


def _reads(name: str, statement: ast.stmt) -> bool:
    for node in walk(statement):
        if isinstance(node, ast.Name):
            if node.id == name and not isinstance(node.ctx, ast.Store):
                return True
            if node.id in ("locals", "vars", "eval", "exec"):
                return True
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name) and node.target.id == name:
                return True
        elif isinstance(node, (ast.Nonlocal, ast.Global)) and name in node.names:
            return True
    return False


def is_record(cls: ClassInfo) -> bool:
    """Whether a decorator makes a class a dataclass or an attrs class."""
    scope = Scope(cls.module)
    for decorator in cls.node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (dotted_name(callee, scope) or "").startswith(_RECORD_DECORATORS):
            return True
    return False


def _attr_fields(cls: ClassInfo) -> list[str]:
    """Fields of attrs classes without annotations: ``x = attr.ib()``."""
    scope = Scope(cls.module)
    return [
        name
        for name, value in cls.assigns.items()
        if isinstance(value, ast.Call)
        and (dotted_name(value.func, scope) or "").startswith(("attr.", "attrs."))
    ]


def _is_class_variable(annotation: ast.expr | None) -> bool:
    return annotation is not None and "ClassVar" in ast.dump(annotation)


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.List, ast.Tuple)) else []


def _same(one: Bundle, other: Bundle) -> bool:
    return one.shape == other.shape and [p.key for p in one.parts] == [p.key for p in other.parts]


def _uses(function: FunctionNode, name: str) -> Iterator[tuple[ast.Name, ast.AST]]:
    """Every mention of a name in a function with the node around it."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        parent = stack.pop()
        for node in children(parent):
            if isinstance(node, ast.Name) and node.id == name:
                if not (isinstance(parent, ast.withitem) and parent.optional_vars is node):
                    yield node, parent
            stack.append(node)


def _is_touched(name: str, scope: Scope) -> bool:
    """Whether a function changes a collection after making it, so its parts are unknown."""
    if scope.function is None or isinstance(scope.function, ast.Lambda):
        return True
    for node, parent in _uses(scope.function, name):
        if isinstance(parent, (ast.Subscript, ast.Attribute)) and parent.value is node:
            return True
    return False


def _part(key: Hashable, value: ast.expr | None, kept: set[str]) -> Part:
    local = value.id if isinstance(value, ast.Name) else ""
    return Part(key, local in kept, local)


def _cleaned_names(node: FunctionNode) -> set[str]:
    """Local names that the clean-up of a generator, or a registered finalizer, mentions."""
    parts: list[ast.AST] = list(after_yield(node))
    for part in walk_function(node):
        if isinstance(part, ast.Call) and getattr(part.func, "attr", "") in (
            "addfinalizer",
            "addCleanup",
            "callback",
        ):
            parts += part.args
    return {n.id for part in parts for n in walk(part) if isinstance(n, ast.Name)}
