"""The unit under test: the production class or module that a test class or module exists to test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from socrates.model.collect import TestCase
from socrates.model.infer import Inference
from socrates.model.module import ClassInfo, ModuleInfo
from socrates.model.names import walk_function
from socrates.model.project import Project
from socrates.model.values import ClassValue, Instance

CLASS_PATTERNS = (
    "Test{}", "{}Test", "{}Tests", "{}TestCase", "{}Spec", "{}Suite", "Test{}Case",
)  # fmt: skip
_STEM = re.compile(r"tests?_(?P<after>\w+)|(?P<before>\w+?)_tests?")


@dataclass(frozen=True, slots=True)
class Unit:
    """What is under test: a class, or a module when ``cls`` is None."""

    module: ModuleInfo
    cls: ClassInfo | None = None

    @property
    def name(self) -> str:
        """For messages: ``Stack`` or ``package.stack``."""
        return self.cls.name if self.cls else self.module.name


class UnitFinder:
    """Finds the unit of each test of one module, by name and then by use."""

    def __init__(
        self,
        module: ModuleInfo,
        tests: Sequence[TestCase],
        inference: Inference,
        patterns: Sequence[str] = (),
    ) -> None:
        self.module = module
        self.tests = tests
        self.inference = inference
        self.resolver = inference.resolver
        self.patterns = (*CLASS_PATTERNS, *patterns)
        self._by_class: dict[int, Unit | None] = {}
        self._module_unit: Unit | None = None
        self._used: Unit | None = None
        self._looked = False

    def of(self, test: TestCase) -> Unit | None:
        """The unit of a test, or None when neither its name nor its use gives exactly one."""
        if not self._looked:
            self._looked = True
            self._module_unit = self._by_file_name()
            self._used = None if self._module_unit else self._by_use()
        named = self._by_class_name(test.cls) if test.cls is not None else None
        return named or self._module_unit or self._used

    # -- by name -------------------------------------------------------------------------------

    def _by_class_name(self, cls: ClassInfo) -> Unit | None:
        if id(cls) not in self._by_class:
            found = self._find_class(cls)
            if found is None and cls.outer is not None:
                found = self._by_class_name(cls.outer)
            self._by_class[id(cls)] = found
        return self._by_class[id(cls)]

    def _find_class(self, cls: ClassInfo) -> Unit | None:
        places = [self._module_unit.module.name] if self._module_unit else []
        for name in class_names(cls.name, self.patterns):
            if name in self.module.imports:
                found = self.resolver.name(self.module.imports[name], self.module.path)
                if found.kind == "class" and found.cls is not None and found.in_production:
                    return Unit(found.cls.module, found.cls)
            for place in places:
                found = self.resolver.name(f"{place}.{name}", self.module.path)
                if found.kind == "class" and found.cls is not None and found.in_production:
                    return Unit(found.cls.module, found.cls)
        return None

    def _by_file_name(self) -> Unit | None:
        stem = unit_stem(self.module.path.stem)
        if not stem:
            return None
        project = self.resolver.project
        candidates = [
            name
            for name in project.production_modules()
            if name.rpartition(".")[2].lstrip("_") == stem.lstrip("_")
        ]
        best = _nearest(candidates, self._surroundings(project))
        info = project.module(best, None) if best else None
        return Unit(info) if info is not None else None

    def _surroundings(self, project: Project) -> list[str]:
        """The folders above the test file that can mirror packages."""
        parts = project.relative(self.module.path).split("/")[:-1]
        return [part for part in parts if part not in _NEUTRAL_FOLDERS]

    # -- by use --------------------------------------------------------------------------------

    def _by_use(self) -> Unit | None:
        counts: dict[int, tuple[ClassInfo, int]] = {}
        for test in self.tests:
            for cls in {id(c): c for c in self._used_in(test)}.values():
                known = counts.get(id(cls.node), (cls, 0))
                counts[id(cls.node)] = (known[0], known[1] + 1)
        most = [cls for cls, count in counts.values() if count * 2 > len(self.tests)]
        return Unit(most[0].module, most[0]) if len(most) == 1 else None

    def _used_in(self, test: TestCase) -> Iterator[ClassInfo]:
        """Production classes that a test builds or gets from a fixture, arguments of calls aside."""
        imported = self._imported_classes()
        for name in test.fixture_names:
            value = self.inference.fixture_value(name, test.scope)
            if isinstance(value, Instance) and id(value.cls.node) in imported:
                yield value.cls
        passed = {
            id(argument)
            for node in walk_function(test.node)
            if isinstance(node, ast.Call)
            for argument in (*node.args, *(k.value for k in node.keywords))
        }
        for node in walk_function(test.node):
            if isinstance(node, ast.Call) and id(node) not in passed:
                called = self.inference.infer(node.func, test.scope)
                if isinstance(called, ClassValue) and id(called.cls.node) in imported:
                    yield called.cls

    def _imported_classes(self) -> set[int]:
        found = set()
        for dotted in self.module.imports.values():
            definition = self.resolver.name(dotted, self.module.path)
            if definition.kind == "class" and definition.cls is not None:
                if definition.in_production:
                    found.add(id(definition.cls.node))
            elif definition.kind == "module" and definition.in_production and definition.module:
                found.update(id(cls.node) for cls in definition.module.classes.values())
                for target in definition.module.imports.values():
                    inner = self.resolver.name(target, definition.module.path)
                    if inner.kind == "class" and inner.cls is not None and inner.in_production:
                        found.add(id(inner.cls.node))
        return found


_NEUTRAL_FOLDERS = frozenset(
    {"tests", "test", "src", "lib", "unit", "units", "unittests", "unit_tests", "functional"}
    | {"integration", "e2e"}
)


def unit_stem(stem: str) -> str:
    """``test_foo`` and ``foo_test`` name the module ``foo``."""
    match = _STEM.fullmatch(stem)
    if match is None:
        return ""
    return match["after"] or match["before"] or ""


def class_names(test_class: str, patterns: Sequence[str]) -> Iterator[str]:
    """The production class names that a test class's name can stand for."""
    for pattern in patterns:
        before, _, after = pattern.partition("{}")
        if test_class.startswith(before) and test_class.endswith(after):
            name = test_class[len(before) : len(test_class) - len(after) or None]
            if name:
                yield name.strip("_")


def _nearest(candidates: Sequence[str], surroundings: Sequence[str]) -> str | None:
    """The candidate whose packages mirror the test's folders best, if exactly one does."""

    def distance(name: str) -> tuple[int, int]:
        parents = [part.lstrip("_") for part in name.split(".")[:-1]]
        matched = 0
        for part in reversed(surroundings):
            if part.lstrip("_") in parents:
                matched += 1
        return (-matched, len(parents))

    ranked = sorted(candidates, key=distance)
    if not ranked:
        return None
    if len(ranked) > 1 and distance(ranked[0]) == distance(ranked[1]):
        return None
    return ranked[0]
