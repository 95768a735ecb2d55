"""What the set-up of a test class leaves on ``self``: unittest's, xunit-style and autouse fixtures.

Attributes that clean-up reads, and those that stand for an effect (a patch that was started, a
context that was entered), are left out: they are there to be undone, not to be read by tests.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo, statements
from socrates.model.python.names import Scope, dotted_name, parameters, root_of, walk_function
from socrates.model.python.shapes import self_assignments
from socrates.model.python.values import FunctionValue
from socrates.model.python.walk import walk
from socrates.model.suite.fixtures import Fixture, FixtureGraph
from socrates.model.suite.self_attributes import Reads, SelfAttributes, after, first_parameter
from socrates.model.suite.setup_flow import feeds, read_later

SETUP_METHODS = (
    "setUpClass", "setUpTestData", "setup_class", "setUp", "asyncSetUp", "setup_method", "setup",
)  # fmt: skip
PER_CLASS = frozenset({"setUpClass", "setUpTestData", "setup_class"})
"""Those of the set-up methods that run once for all tests of a class."""
TEARDOWN_METHODS = (
    "tearDown", "asyncTearDown", "tearDownClass", "teardown_method", "teardown_class", "teardown",
)  # fmt: skip
_CLEANUPS = frozenset(
    {"addCleanup", "addClassCleanup", "addAsyncCleanup", "addModuleCleanup", "addfinalizer"}
    | {"callback", "push_async_callback"}
)
_STARTS = frozenset(
    {"start", "__enter__", "enterContext", "enterClassContext", "enterAsyncContext"}
    | {"enter_context", "enter_async_context", "useFixture"}
)
_LEAVES = frozenset(
    "mkdir makedirs write_text write_bytes writelines symlink copytree copyfile chmod".split()
)
"""Methods by which a helper leaves files behind, whatever it returns."""
_FRAMEWORK = frozenset({"maxDiff", "longMessage", "failureException", "timeout", "__doc__"})
"""Attributes that the framework reads, so setting them is an effect."""


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """An attribute that set-up provides: where it is set, in which class and method, and to what."""

    name: str
    node: ast.AST
    module: ModuleInfo
    owner: ClassInfo
    method: str
    values: tuple[ast.expr, ...] = ()

    @property
    def function(self) -> FunctionNode | None:
        """The set-up method; None where it is a fixture of another name."""
        return self.owner.methods.get(self.method)

    @property
    def scope(self) -> Scope:
        """Where the set-up method reads names."""
        return Scope(self.owner.module, self.function, self.owner, is_method=True)


@dataclass(slots=True)
class _Gathered:
    """What is known while the set-up of one class is followed."""

    attributes: dict[str, SetAttribute] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    all_dropped: bool = False
    feeds: set[tuple[str, str]] = field(default_factory=set)
    """Attributes that are read to build others, and those."""
    read_later: set[str] = field(default_factory=set)
    """Attributes that functions which set-up defines read when they are called."""
    seen: set[int] = field(default_factory=set)


class SetupFinder:
    """Finds the attributes that set-up provides to the tests of a class."""

    def __init__(self, fixtures: FixtureGraph, inference: Inference, reads: SelfAttributes) -> None:
        self.fixtures = fixtures
        self.inference = inference
        self.resolver = inference.resolver
        self.reads = reads
        self._of_class: dict[int, tuple[ClassInfo, tuple[SetAttribute, ...]]] = {}
        self._feeds: dict[int, frozenset[tuple[str, str]]] = {}
        self._read_later: dict[int, frozenset[str]] = {}

    def of(self, cls: ClassInfo) -> tuple[SetAttribute, ...]:
        """The attributes in the order in which they are set, inherited ones too."""
        kept = self._of_class.get(id(cls))
        if kept is None:
            kept = self._of_class[id(cls)] = (cls, self._find(cls))
        return kept[1]

    def used(self, cls: ClassInfo, reads: Reads, sets: Collection[str] = ()) -> frozenset[str]:
        """The attributes that a test uses: those it reads, and those that set-up built them from.

        Those that it ``sets`` are used where a function that set-up defines reads them.
        """
        used = {attribute.name for attribute in self.of(cls) if attribute.name in reads}
        used |= self._read_later.get(id(cls), frozenset()) & set(sets)
        queue = [*reads.names]
        feeds = self._feeds.get(id(cls), frozenset())
        while queue:
            built = queue.pop()
            found = {name for name, other in feeds if other == built} - used
            used |= found
            queue += found
        return frozenset(used)

    def _find(self, cls: ClassInfo) -> tuple[SetAttribute, ...]:
        found = _Gathered()
        mro = self.resolver.mro(cls)
        own_fixtures = self.fixtures.of_class(cls)
        functions = {id(fixture.node) for fixture in own_fixtures}
        for name in SETUP_METHODS:
            owner, node = self.resolver.method(cls, name)
            if owner is not None and node is not None and id(node) not in functions:
                self._follow(owner, node, name, cls, mro, found)
        for fixture in own_fixtures:
            if fixture.autouse:
                self._autouse(fixture, cls, mro, found)
        if not found.attributes:
            return ()
        self._feeds[id(cls)] = frozenset(found.feeds)
        self._read_later[id(cls)] = frozenset(found.read_later)
        for owner in mro:  # one that overrides another may forget to call it
            for name in TEARDOWN_METHODS:
                node = owner.methods.get(name)
                if node is not None:
                    reads = self.reads.of_method(owner, node, cls)
                    found.dropped |= reads.names | _undone(node, owner.module, found.attributes)
                    found.all_dropped |= reads.whole
        if found.all_dropped:
            return ()
        while (
            more := {name for name, built in found.feeds if built in found.dropped} - found.dropped
        ):
            found.dropped |= more  # what is built from it does not count, so it does not either
        return tuple(a for name, a in found.attributes.items() if name not in found.dropped)

    def _autouse(
        self, fixture: Fixture, cls: ClassInfo, mro: tuple[ClassInfo, ...], found: _Gathered
    ) -> None:
        owner = next((c for c in mro if fixture.node in c.methods.values()), cls)
        self._follow(owner, fixture.node, fixture.node.name, cls, mro, found)
        first = first_parameter(fixture.node)
        if first is not None:
            reads = self.reads.of_expressions(after_yield(fixture.node), first, owner, cls)
            found.dropped |= reads.names
            found.all_dropped |= reads.whole

    def _follow(
        self,
        owner: ClassInfo,
        node: FunctionNode,
        method: str,
        cls: ClassInfo,
        mro: tuple[ClassInfo, ...],
        found: _Gathered,
    ) -> None:
        """Add what one set-up function sets, and those that it calls on ``self`` or ``super()``.

        Base classes of production code are the framework under test, not a fixture of its tests.
        """
        first = first_parameter(node)
        if first is None or id(node) in found.seen or not owner.module.is_test:
            return
        found.seen.add(id(node))
        for base_owner, base in self._called(node, first, owner, mro):
            self._follow(base_owner, base, method, cls, mro, found)
        found.feeds.update(feeds(node, first))
        found.read_later |= read_later(node, first)
        cleaned = self._cleanups(node, first, owner, cls, found)
        found.dropped |= set(_known_as(node, first, cleaned))
        scope = Scope(owner.module, node, cls, is_method=True)
        handed = _handed_over(node, first, scope)
        found.dropped |= handed
        for found_in in mro:
            for name in handed & found_in.methods.keys():
                reads = self.reads.of_method(found_in, found_in.methods[name], cls)
                found.dropped |= reads.names
        for name, values in self_assignments(node).items():
            if (
                name in _FRAMEWORK
                or name.startswith("assert")
                or any(self._for_effect(v, scope, cleaned) for v in values)
            ):
                found.dropped.add(name)
                continue
            place = _place(node, first, name)
            attribute = SetAttribute(name, place, owner.module, owner, method, tuple(values))
            found.attributes.setdefault(name, attribute)

    def _called(
        self, node: FunctionNode, first: str, owner: ClassInfo, mro: tuple[ClassInfo, ...]
    ) -> Iterator[tuple[ClassInfo, FunctionNode]]:
        """The methods that a set-up function calls to go on with the set-up.

        A method that is called for its result is not one: what it keeps on ``self`` is a cache.
        """
        alone = {id(_unawaited(s.value)) for s in statements(node.body) if isinstance(s, ast.Expr)}
        for part in walk_function(node):
            if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)):
                continue
            base, name = part.func.value, part.func.attr
            classes: tuple[ClassInfo, ...] = ()
            if isinstance(base, ast.Name) and base.id == first:
                classes = mro if id(part) in alone else ()
            elif isinstance(base, ast.Call) and getattr(base.func, "id", "") == "super":
                classes = after(owner, mro)
            elif part.args and getattr(part.args[0], "id", "") == first:
                named = self.resolver.expression(base, Scope(owner.module))
                classes = self.resolver.mro(named.cls) if named and named.cls else ()
            for cls in classes:
                if name in cls.methods:
                    yield cls, cls.methods[name]
                    break

    def _cleanups(
        self, node: FunctionNode, first: str, owner: ClassInfo, cls: ClassInfo, found: _Gathered
    ) -> set[str]:
        """Note what registered clean-up reads of ``self``; the local names it reads come back."""
        nested = {n.name: n for n in statements(node.body) if isinstance(n, ast.FunctionDef)}
        expressions: list[ast.AST] = []
        for part in walk_function(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                if part.func.attr in _CLEANUPS:
                    expressions += [*part.args, *(keyword.value for keyword in part.keywords)]
                elif part.func.attr in _STARTS:
                    expressions += [part.func.value, *part.args]
        names = {n.id for e in expressions for n in walk(e) if isinstance(n, ast.Name)}
        for name in names & set(nested):
            expressions += nested[name].body
            names |= {n.id for n in walk_function(nested[name]) if isinstance(n, ast.Name)}
        expressions = [e for e in expressions if getattr(e, "id", "") != first]
        if expressions:
            reads = self.reads.of_expressions(expressions, first, owner, cls)
            found.dropped |= reads.names
        return names - {first}

    def _for_effect(self, value: ast.expr, scope: Scope, cleaned: set[str]) -> bool:
        """Whether a value stands for something that was started, entered or will be cleaned up."""
        value = _unawaited(value)
        if isinstance(value, ast.Name):
            return value.id in cleaned
        while isinstance(value, (ast.Attribute, ast.Subscript)):
            value = value.value  # ``self.useFixture(TempDir()).path``
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute) and value.func.attr in _STARTS:
            return True
        called = self.inference.infer(value.func, scope)
        return isinstance(called, FunctionValue) and called.module.is_test and _starts(called.node)


def _unawaited(value: ast.expr) -> ast.expr:
    return value.value if isinstance(value, ast.Await) else value


def after_yield(node: FunctionNode) -> list[ast.AST]:
    """The clean-up of a generator fixture: statements after the yield, ``finally`` and ``with``."""
    rows = [
        part.lineno for part in walk_function(node) if isinstance(part, (ast.Yield, ast.YieldFrom))
    ]
    if not rows:
        return []
    found: list[ast.AST] = [s for s in statements(node.body) if s.lineno > min(rows)]
    for statement in statements(node.body):
        if isinstance(statement, (ast.With, ast.AsyncWith)) and statement.lineno <= min(rows):
            found += [item.context_expr for item in statement.items]
            found += [
                _loaded(item.optional_vars)
                for item in statement.items
                if item.optional_vars is not None
            ]
    return found


def _loaded(target: ast.expr) -> ast.expr:
    """A target as if it were read: what ``with`` binds is cleaned up when it is left."""
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    return target


def _starts(node: FunctionNode) -> bool:
    """Whether a helper starts something, registers clean-up for it, or leaves files behind."""
    return any(
        isinstance(part, ast.Attribute) and part.attr in (_STARTS | _CLEANUPS | _LEAVES)
        for part in walk_function(node)
    )


def _undone(
    node: FunctionNode, module: ModuleInfo, attributes: Mapping[str, SetAttribute]
) -> set[str]:
    """Attributes from a function of a module of which clean-up calls another: ``t.setUp()``, ``t.tearDown()``."""
    called = {_module_of(part, module) for part in walk_function(node)} - {""}
    return {
        name
        for name, attribute in attributes.items()
        if any(_module_of(value, attribute.module) in called for value in attribute.values)
    }


def _module_of(node: ast.AST, module: ModuleInfo) -> str:
    """The imported module whose function is called, or nothing."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in module.imports:
            return module.imports[name]
    return ""


def _handed_over(node: FunctionNode, first: str, scope: Scope) -> set[str]:
    """Attributes that set-up hands to what others made, and not for a result.

    ``os.makedirs(self.folder)``, ``monkeypatch.setattr(shop, "till", self.till)``,
    ``shop.till = self.till``: whatever becomes of them, the tests live with it.
    """
    handed = {argument.arg for argument in parameters(node)} - {first}
    found: set[str] = set()
    for statement in statements(node.body):
        given: Iterable[ast.expr] = ()
        match statement:
            case ast.Expr(value=ast.Call(func=func, args=args, keywords=keywords)):
                dotted = dotted_name(func, scope) or ""
                if (dotted and not dotted.startswith("builtins.")) or root_of(func) in handed:
                    given = (*args, *(keyword.value for keyword in keywords))
                elif dotted == "builtins.setattr" and root_of(args[0] if args else func) != first:
                    given = args[1:]
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=value):
                owner = root_of(target)
                if owner in handed or (owner is not None and owner in scope.module.imports):
                    given = (value,)
        found |= {
            part.attr
            for argument in given
            for part in walk(argument)
            if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == first
        }
    return found


def _known_as(node: FunctionNode, first: str, names: set[str]) -> Iterator[str]:
    """Attributes that are also known by a local name: ``self.log = log = Log()``."""
    for statement in statements(node.body):
        if isinstance(statement, ast.Assign):
            same = [*statement.targets, statement.value]
            if any(isinstance(one, ast.Name) and one.id in names for one in same):
                for one in same:
                    if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == first:
                        yield one.attr


def _place(node: FunctionNode, first: str, name: str) -> ast.AST:
    """The first place in a function where ``self.NAME`` is set."""
    for part in walk_function(node):
        if isinstance(part, ast.Attribute) and part.attr == name:
            if isinstance(part.ctx, ast.Store) and getattr(part.value, "id", "") == first:
                return part
    return node
