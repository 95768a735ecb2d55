"""The fixture graph: which fixture a name means to a test, as pytest would look it up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo, statements
from socrates.model.python.names import Scope, dotted_name, walk_function
from socrates.model.python.resolve import Resolver
from socrates.model.python.shapes import is_static, returned, yielded
from socrates.model.suite.collect import TestCase, fixture_decorator, marks_in, own_parameters


@dataclass(eq=False)
class Fixture:
    """A pytest fixture of the project. Fixtures of plugins are not modelled: they stay opaque."""

    name: str
    node: FunctionNode
    module: ModuleInfo
    cls: ClassInfo | None = None
    autouse: bool = False

    @cached_property
    def scope(self) -> Scope:
        """Where the names of its body are looked up."""
        is_method = self.cls is not None and not is_static(self.node)
        return Scope(self.module, self.node, self.cls, is_method=is_method)

    @property
    def requests(self) -> tuple[str, ...]:
        """The fixtures that it asks for by parameter."""
        return tuple(own_parameters(self.node, self.scope.is_method))

    @cached_property
    def is_generator(self) -> bool:
        """Whether it yields: what stands after the yield is clean-up."""
        return any(
            isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk_function(self.node)
        )

    @cached_property
    def values(self) -> list[ast.expr]:
        """The expressions it hands to tests."""
        return yielded(self.node) if self.is_generator else returned(self.node)


class FixtureGraph:
    """Looks fixtures up for tests of one module: class, module, conftest chain, plugins."""

    def __init__(self, module: ModuleInfo, resolver: Resolver) -> None:
        self.module = module
        self.resolver = resolver
        self._of_module: dict[Path, dict[str, Fixture]] = {}
        self._of_class: dict[int, dict[str, Fixture]] = {}
        self._set_on: dict[int, tuple[ClassInfo, dict[str, list[tuple[ast.expr, Scope]]]]] = {}

    def find(
        self, name: str, cls: ClassInfo | None, skip: FunctionNode | None = None
    ) -> Fixture | None:
        """The fixture of this name for code in ``cls``.

        With ``skip``, a fixture of the same name, the one that it overrides: the next outwards.
        """
        found = (level[name] for level in self._levels(cls) if name in level)
        if skip is None:
            return next(found, None)
        candidates = list(found)
        for position, fixture in enumerate(candidates):
            if fixture.node is skip:
                rest = (f for f in candidates[position + 1 :] if f.node is not skip)
                return next(rest, None)
        return candidates[0] if candidates else None

    def used_by_name(self, test: TestCase) -> set[str]:
        """Fixtures named by ``usefixtures`` marks and ``request.getfixturevalue`` calls."""
        names = _asked_by_marks(test.decorators)
        for node in walk_function(test.node):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "getfixturevalue":
                    names |= _texts(node.args)
        return names

    def autouse(self, test: TestCase) -> list[Fixture]:
        """Fixtures that run for the test without being asked for."""
        found: dict[str, Fixture] = {}
        for level in self._levels(test.cls):
            for name, fixture in level.items():
                if fixture.autouse and name not in found:
                    found[name] = self.find(name, test.cls) or fixture
        return list(found.values())

    def of_class(self, cls: ClassInfo) -> list[Fixture]:
        """The fixtures that are methods of a class, inherited ones too."""
        return list(self._in_class(cls).values())

    def set_on(self, cls: ClassInfo) -> dict[str, list[tuple[ast.expr, Scope]]]:
        """What fixtures that a test class asks for keep on it: ``request.cls.NAME = value``."""
        kept = self._set_on.get(id(cls))
        if kept is None:
            found: dict[str, list[tuple[ast.expr, Scope]]] = {}
            for fixture in self._asked_for(cls) if cls.module.is_test else ():
                for name, value in _kept_on_class(fixture.node):
                    found.setdefault(name, []).append((value, fixture.scope))
            kept = self._set_on[id(cls)] = (cls, found)
        return kept[1]

    def _asked_for(self, cls: ClassInfo) -> list[Fixture]:
        """The fixtures of ``usefixtures`` marks of a class, its bases and its module, and of autouse."""
        marks = [
            (mark, one.module)
            for one in self.resolver.mro(cls)
            for mark in (*one.node.decorator_list, *marks_in(one.assigns.get("pytestmark")))
        ]
        marks += [(mark, cls.module) for mark in marks_in(cls.module.assigns.get("pytestmark"))]
        names = _asked_by_marks(
            (dotted_name(mark.func, Scope(module)) or "", mark)
            for mark, module in marks
            if isinstance(mark, ast.Call)
        )
        found = [self.find(name, cls) for name in sorted(names)]
        found += [one for level in self._levels(cls) for one in level.values() if one.autouse]
        return [fixture for fixture in found if fixture is not None]

    def closure(self, test: TestCase) -> dict[str, Fixture | None]:
        """Every fixture that runs for a test: named, by mark, autouse, and what those request."""
        found: dict[str, Fixture | None] = {}
        queue = [*test.fixture_names, *sorted(self.used_by_name(test))]
        queue += [fixture.name for fixture in self.autouse(test)]
        while queue:
            name = queue.pop()
            if name in found:
                continue
            fixture = found[name] = self.find(name, test.cls)
            if fixture is not None:
                queue += fixture.requests
        return found

    def _levels(self, cls: ClassInfo | None) -> Iterator[dict[str, Fixture]]:
        current = cls
        while current is not None:
            yield self._in_class(current)
            current = current.outer
        yield from self._outer_levels

    @cached_property
    def _outer_levels(self) -> list[dict[str, Fixture]]:
        """The module, then each conftest upwards, each followed by the plugins it names."""
        return [
            self._in_module(module)
            for place in (self.module, *self.resolver.project.conftests(self.module.path))
            for module in (place, *self._plugins(place))
        ]

    def _plugins(self, conftest: ModuleInfo) -> Iterator[ModuleInfo]:
        value = conftest.assigns.get("pytest_plugins")
        names = _texts(value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value])
        for name in sorted(names):
            info = self.resolver.project.module(name, conftest.path)
            if info is not None:
                yield info

    def _in_class(self, cls: ClassInfo) -> dict[str, Fixture]:
        if id(cls) not in self._of_class:
            found: dict[str, Fixture] = {}
            for owner in reversed(self.resolver.mro(cls)):
                for node in owner.methods.values():
                    fixture = make_fixture(node, owner.module, cls)
                    if fixture is not None:
                        found[fixture.name] = fixture
            self._of_class[id(cls)] = found
        return self._of_class[id(cls)]

    def _in_module(self, module: ModuleInfo) -> dict[str, Fixture]:
        if module.path not in self._of_module:
            found: dict[str, Fixture] = {}
            self._of_module[module.path] = found
            for local in module.imports:
                if not self._may_be_fixture(local, module):
                    continue
                definition = self.resolver.name(module.imports[local], module.path)
                if definition.node is not None and definition.module is not None:
                    fixture = make_fixture(definition.node, definition.module, known_as=local)
                    if fixture is not None:
                        found[fixture.name] = fixture
            for star in module.star_imports:
                source = self.resolver.project.module(star, module.path)
                if source is not None:
                    found.update(self._in_module(source))
            for node in module.functions.values():
                fixture = make_fixture(node, module)
                if fixture is not None:
                    found[fixture.name] = fixture
        return self._of_module[module.path]

    def _may_be_fixture(self, local: str, module: ModuleInfo) -> bool:
        """Whether an imported name is worth a look: production code is only read when asked for."""
        project = self.resolver.project
        home = module.imports[local].rpartition(".")[0]
        path = project.find(home, module.path) if home else None
        if path is None:
            return False
        return project.is_test_path(path) or local in module.parameter_names


def make_fixture(
    node: FunctionNode,
    module: ModuleInfo,
    cls: ClassInfo | None = None,
    known_as: str | None = None,
) -> Fixture | None:
    """The fixture that a function is, or None; ``known_as`` is the name it was imported under."""
    decorator = fixture_decorator(node, module)
    if decorator is None:
        return None
    options = {}
    if isinstance(decorator, ast.Call):
        options = {k.arg: k.value for k in decorator.keywords if k.arg}
    name, autouse = options.get("name"), options.get("autouse")
    named = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
    return Fixture(
        named or known_as or node.name,
        node,
        module,
        cls,
        autouse=isinstance(autouse, ast.Constant) and autouse.value is True,
    )


def _asked_by_marks(marks: Iterable[tuple[str, ast.expr]]) -> set[str]:
    """The fixtures that ``usefixtures`` marks name; each mark with its dotted name."""
    names: set[str] = set()
    for dotted, mark in marks:
        if dotted.endswith("mark.usefixtures") and isinstance(mark, ast.Call):
            names |= _texts(mark.args)
    return names


def _texts(values: list[ast.expr | None] | list[ast.expr]) -> set[str]:
    return {v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)}


def _kept_on_class(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Names and values of ``request.cls.NAME = value`` in a fixture, and of ``request.instance``."""
    for statement in statements(node.body):
        if not isinstance(statement, ast.Assign):
            continue
        for target in statement.targets:
            match target:
                case ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="request"), attr="cls" | "instance"),
                    attr=name,
                ):
                    yield name, statement.value
