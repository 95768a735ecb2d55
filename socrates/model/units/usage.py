"""The production class that most tests of a module build or receive."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Scope
from socrates.model.python.values import ClassValue, Instance
from socrates.model.suite.collect import TestCase
from socrates.model.suite.fixtures import FixtureGraph
from socrates.model.units.objects import Body, LinkFinder, ObjectFinder, Objects, telling_nodes

_TESTING_MODULES = frozenset({"testing", "test", "testclient", "test_utils", "pytest_plugin"})


@dataclass(frozen=True, slots=True)
class MostUsed:
    """The one class, or that several are used as much: then nobody can tell."""

    cls: ClassInfo | None = None
    rivals: tuple[ClassInfo, ...] = ()


@dataclass(slots=True)
class _Counted:
    """How many tests have objects of which candidates."""

    counts: Counter[int] = field(default_factory=Counter)
    classes: dict[int, ClassInfo] = field(default_factory=dict)
    _others: set[int] = field(default_factory=set)

    def is_candidate(self, cls: ClassInfo, ask: Callable[[ClassInfo], bool]) -> bool:
        """Whether a class may be the unit, asked once per class."""
        key = id(cls.node)
        if key not in self.classes and key not in self._others:
            if ask(cls):
                self.classes[key] = cls
            else:
                self._others.add(key)
        return key in self.classes


class Usage:
    """Counts by which tests the objects of which classes are used."""

    def __init__(self, inference: Inference, fixtures: FixtureGraph) -> None:
        self.inference = inference
        self.resolver = inference.resolver
        self.fixtures = fixtures
        self._finder = ObjectFinder(inference)
        self._links = LinkFinder(inference)
        self._bodies: dict[int, Body] = {}
        self._kept: dict[int, Objects] = {}

    def objects(self, test: TestCase) -> Objects:
        """The objects of a test."""
        if id(test) not in self._kept:
            self._kept[id(test)] = self._finder.of(test)
        return self._kept[id(test)]

    def touches(self, test: TestCase, cls: ClassInfo) -> bool:
        """Whether a test has an object of a class, or asks the class itself for something."""
        if self.objects(test).of(cls, self.inference):
            return True
        return any(
            self._names_class(node, scope, cls)
            for nodes, scope in self.objects(test).bodies
            for node in nodes
        )

    def _names_class(self, node: ast.AST, scope: Scope, cls: ClassInfo) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        if isinstance(node, ast.Attribute) and node.attr != cls.name:
            return False
        value = self.inference.infer(node, scope)
        return isinstance(value, ClassValue) and any(
            base.node is cls.node for base in self.resolver.mro(value.cls)
        )

    def most_used(
        self, tests: Sequence[TestCase], is_candidate: Callable[[ClassInfo], bool]
    ) -> MostUsed:
        """The one candidate that more than half of the tests build or receive.

        A test that several classes inherit is as many tests; where no class is in more than half
        of them, one that is in more than half of the tests as they are written.
        """
        over = self._over_half([[test] for test in tests], is_candidate)
        written = _by_node(tests)
        if not over and len(written) < len(tests):
            over = self._over_half(written, is_candidate)
        over = [cls for cls in over if not self._has_subclass_in(cls, over)]
        if len(over) < 2:
            return MostUsed(over[0]) if over else MostUsed()
        left = self._not_serving(over, tests)
        if len(left) > 1:
            base = self._base_of(left, tests)
            return MostUsed(base) if base is not None else MostUsed(rivals=tuple(left))
        return MostUsed(left[0]) if left else MostUsed(rivals=tuple(over))

    def _over_half(
        self, groups: Sequence[Sequence[TestCase]], is_candidate: Callable[[ClassInfo], bool]
    ) -> list[ClassInfo]:
        """The candidates that a test in more than half of the groups builds or receives."""
        counted = _Counted()
        for ahead, same in zip(range(len(groups) - 1, -1, -1), groups, strict=True):
            for cls in {id(c.node): c for test in same for c in self._had(test)}.values():
                if counted.is_candidate(cls, is_candidate):
                    counted.counts[id(cls.node)] += 1
            if (max(counted.counts.values(), default=0) + ahead) * 2 <= len(groups):
                return []
        return [
            counted.classes[key] for key, count in counted.counts.items() if count * 2 > len(groups)
        ]

    def _had(self, test: TestCase) -> list[ClassInfo]:
        """Classes of its objects, with their bases, tests' own classes aside."""
        found: dict[int, ClassInfo] = {}
        for cls in self.objects(test).built.values():
            for base in self.resolver.mro(cls):
                if not base.module.is_test:
                    found[id(base.node)] = base
        return list(found.values())

    def _has_subclass_in(self, cls: ClassInfo, others: Sequence[ClassInfo]) -> bool:
        return any(
            other is not cls and any(base.node is cls.node for base in self.resolver.mro(other))
            for other in others
        )

    def _not_serving(
        self, classes: Sequence[ClassInfo], tests: Sequence[TestCase]
    ) -> list[ClassInfo]:
        """Those whose objects do not come from, or go into, another in every test that has both."""
        wanted = {id(cls.node) for cls in classes}
        seen: list[tuple[set[int], set[tuple[int, int]]]] = []
        for test in tests:
            had = {id(cls.node) for cls in self._had(test)} & wanted
            if len(had) > 1:
                links = self._links.of(self._set_up(test))
                seen.append((had, links))

        def serves(one: int, other: int) -> bool:
            both = [links for had, links in seen if one in had and other in had]
            return bool(both) and all((one, other) in links for links in both)

        return [
            cls
            for cls in classes
            if not any(
                serves(id(cls.node), id(other.node))
                for other in classes
                if other is not cls and not serves(id(other.node), id(cls.node))
            )
        ]

    def _set_up(self, test: TestCase) -> list[Body]:
        """The bodies that a test's objects come from: its own, helpers', fixtures' and set-up's."""
        bodies = list(self.objects(test).bodies)
        fixtures = (fixture for fixture in self.fixtures.closure(test).values() if fixture)
        bodies += [self._body(one.node, one.scope) for one in fixtures]
        if test.cls is not None:
            for name in ("setUp", "asyncSetUp", "setup_method", "setUpClass", "setup_class"):
                owner, node = self.resolver.method(test.cls, name)
                if owner is not None and node is not None:
                    scope = self.inference.method_scope(owner, node, test.cls)
                    bodies.append(self._body(node, scope))
        return bodies

    def _body(self, node: FunctionNode, scope: Scope) -> Body:
        if id(node) not in self._bodies:
            self._bodies[id(node)] = (telling_nodes(node), scope)
        return self._bodies[id(node)]

    def _base_of(self, classes: Sequence[ClassInfo], tests: Sequence[TestCase]) -> ClassInfo | None:
        """The base that siblings share, if it has every method that the tests call on them."""
        first, *rest = (self.resolver.mro(cls) for cls in classes)
        shared = [cls for cls in first[1:] if all(any(c.node is cls.node for c in m) for m in rest)]
        if not shared or shared[0].module.is_test:
            return None
        called = {
            node.func.attr
            for test in tests
            for nodes, scope in self.objects(test).bodies
            for node in nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr[0] != "_"
            and self._is_one_of(node.func.value, scope, classes)
        }
        known = {name for cls in self.resolver.mro(shared[0]) for name in cls.methods}
        return shared[0] if called and called <= known else None

    def _is_one_of(self, expr: ast.expr, scope: Scope, classes: Sequence[ClassInfo]) -> bool:
        value = self.inference.infer(expr, scope)
        return isinstance(value, Instance) and any(value.cls.node is c.node for c in classes)


def _by_node(tests: Sequence[TestCase]) -> list[list[TestCase]]:
    """Tests as they are written: one that several classes inherit is one."""
    found: dict[int, list[TestCase]] = {}
    for test in tests:
        found.setdefault(id(test.node), []).append(test)
    return list(found.values())


def is_testing_module(module: ModuleInfo) -> bool:
    """Whether a production module is there to test others with: ``click.testing``."""
    return not _TESTING_MODULES.isdisjoint(module.name.split("."))
