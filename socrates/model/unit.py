"""The unit under test: the production class or module that a test class or module exists to test."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from socrates.model.collect import TestCase
from socrates.model.infer import Inference
from socrates.model.module import ClassInfo, ModuleInfo
from socrates.model.names import walk_function
from socrates.model.values import ClassValue, FunctionValue, Instance, Value

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
        best = self._nearest(candidates, stem)
        info = project.module(best, None) if best else None
        return Unit(info) if info is not None else None

    def _nearest(self, candidates: Sequence[str], stem: str) -> str | None:
        """The candidate that mirrors the test's folders best, or that it imports, or the highest.

        None when two are equally near.
        """
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folders = set(self._surroundings())
        imported = self._imported_modules()

        def distance(name: str) -> tuple[int, bool, int, bool]:
            *parents, last = name.split(".")
            mirrored = len(folders & {part.lstrip("_") for part in parents})
            return (-mirrored, name not in imported, len(parents), last != stem)

        ranked = sorted(candidates, key=distance)
        return ranked[0] if distance(ranked[0]) < distance(ranked[1]) else None

    def _surroundings(self) -> Iterator[str]:
        """The folders above the test file that can mirror packages."""
        path, root = self.module.path, self.resolver.project.root
        parts = path.relative_to(root).parts if root in path.parents else path.parts
        for part in parts[:-1]:
            if part not in _NEUTRAL_FOLDERS:
                yield (unit_stem(part) or part).strip("_")

    def _imported_modules(self) -> set[str]:
        """Production modules that the test imports, or that define what it imports."""
        found: set[str] = set()
        for dotted in self.module.imports.values():
            definition = self.resolver.name(dotted, self.module.path)
            if definition.in_production and definition.module is not None:
                found.add(definition.module.name)
            parts = dotted.split(".")
            found.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return found

    # -- by use --------------------------------------------------------------------------------

    def _by_use(self) -> Unit | None:
        imported = self._imported_classes()
        if not imported:
            return None
        counts: Counter[int] = Counter()
        for test in self.tests:
            counts.update({id(cls.node) for cls in self._used_in(test, imported)})
        most = [key for key, count in counts.items() if count * 2 > len(self.tests)]
        if len(most) != 1:
            return None
        cls = imported[most[0]]
        return Unit(cls.module, cls)

    def _used_in(self, test: TestCase, imported: Mapping[int, ClassInfo]) -> Iterator[ClassInfo]:
        """Production classes of objects that a test builds or gets, mere arguments aside."""
        nodes = list(walk_function(test.node))
        passed = _passed(nodes)
        only_passed = _only_passed(nodes, passed)
        for name in test.fixture_names:
            if name not in only_passed:
                yield from self._object(self.inference.fixture_value(name, test.scope), imported)
        for node in nodes:
            if isinstance(node, ast.Assign) and _is_one_name(node.targets):
                target = node.targets[0]
                if isinstance(target, ast.Name) and target.id in only_passed:
                    passed.add(id(node.value))
        for node in nodes:
            if id(node) in passed:
                continue
            if isinstance(node, ast.Call):
                yield from self._object(self._built(node, test), imported)
            elif _is_on_self(node):
                yield from self._object(self.inference.infer(node, test.scope), imported)

    def _built(self, call: ast.Call, test: TestCase) -> Value | None:
        """What a constructor or a helper makes; what production code returns does not count."""
        called = self.inference.infer(call.func, test.scope)
        is_helper = isinstance(called, FunctionValue) and called.module.is_test
        if is_helper or isinstance(called, ClassValue):
            return self.inference.infer(call, test.scope)
        return None

    def _object(
        self, value: Value | None, imported: Mapping[int, ClassInfo]
    ) -> Iterator[ClassInfo]:
        if isinstance(value, Instance) and id(value.cls.node) in imported:
            yield value.cls

    def _imported_classes(self) -> dict[int, ClassInfo]:
        """Classes that the test module can name; test clients and runners are tools, not units."""
        found: dict[int, ClassInfo] = {}
        for dotted in self.module.imports.values():
            definition = self.resolver.name(dotted, self.module.path)
            if definition.kind == "class" and definition.cls is not None:
                if definition.in_production:
                    found[id(definition.cls.node)] = definition.cls
            elif definition.kind == "module" and definition.in_production and definition.module:
                found.update((id(cls.node), cls) for cls in definition.module.classes.values())
                for target in definition.module.imports.values():
                    inner = self.resolver.name(target, definition.module.path)
                    if inner.kind == "class" and inner.cls is not None and inner.in_production:
                        found[id(inner.cls.node)] = inner.cls
        return {key: cls for key, cls in found.items() if not is_testing_module(cls.module)}


def is_testing_module(module: ModuleInfo) -> bool:
    """Whether a production module is there to test others with: ``click.testing``."""
    return not _TESTING_MODULES.isdisjoint(module.name.split("."))


def _passed(nodes: Sequence[ast.AST]) -> set[int]:
    """Arguments of calls, those of assertions and builtins aside."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and not _only_looks(node.func):
            found.update(id(argument) for argument in node.args)
            found.update(id(keyword.value) for keyword in node.keywords)
    return found


def _only_looks(func: ast.expr) -> bool:
    if isinstance(func, ast.Name):
        return func.id.startswith("assert") or hasattr(builtins, func.id)
    return isinstance(func, ast.Attribute) and func.attr.startswith("assert")


def _only_passed(nodes: Sequence[ast.AST], passed: set[int]) -> set[str]:
    """Local names that are read as arguments and in no other way."""
    reads: dict[str, list[bool]] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            reads.setdefault(node.id, []).append(id(node) in passed)
    return {name for name, uses in reads.items() if all(uses)}


def _is_one_name(targets: Sequence[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name)


def _is_on_self(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
    )


_TESTING_MODULES = frozenset({"testing", "test", "testclient", "test_utils", "pytest_plugin"})
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
