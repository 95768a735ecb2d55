"""The production class that most tests of a module build or get: its unit, when names don't tell."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, ModuleInfo
from socrates.model.python.names import walk_function
from socrates.model.python.values import ClassValue, FunctionValue, Instance, Value
from socrates.model.suite.collect import TestCase

_TESTING_MODULES = frozenset({"testing", "test", "testclient", "test_utils", "pytest_plugin"})
_CHECKS = re.compile(r"_*(assert|raises|warns|deprecated_call|fail)", re.IGNORECASE)


def most_used_class(
    module: ModuleInfo, tests: Sequence[TestCase], inference: Inference
) -> ClassInfo | None:
    """The one class that more than half of the tests use, or None."""
    imports = _Imports(module, inference)
    if not imports.reach_production():
        return None
    counts: Counter[int] = Counter()
    classes: dict[int, ClassInfo] = {}
    for test in tests:
        used = {id(cls.node): cls for cls in _Uses(test, imports, inference).classes()}
        classes.update(used)
        counts.update(used.keys())
    most = [key for key, count in counts.items() if count * 2 > len(tests)]
    return classes[most[0]] if len(most) == 1 else None


class _Imports:
    """The production classes that a test module can name by its imports."""

    def __init__(self, module: ModuleInfo, inference: Inference) -> None:
        self.module = module
        self.resolver = inference.resolver
        self._answers: dict[int, tuple[ClassInfo, bool]] = {}

    def __contains__(self, cls: ClassInfo) -> bool:
        if id(cls) not in self._answers:
            self._answers[id(cls)] = (cls, self._reach(cls))
        return self._answers[id(cls)][1]

    def reach_production(self) -> bool:
        """Whether the module imports anything that could be a unit."""
        found = (
            self.resolver.name(dotted, self.module.path) for dotted in self.module.imports.values()
        )
        return any(one.in_production and one.kind in ("module", "class") for one in found)

    def _reach(self, cls: ClassInfo) -> bool:
        """Whether an import leads to a class that can be a unit: test clients and runners are tools."""
        if cls.module.is_test or _is_testing_module(cls.module):
            return False
        for dotted in self.module.imports.values():
            found = self.resolver.name(dotted, self.module.path)
            if found.kind == "module" and found.in_production:
                found = self.resolver.name(f"{dotted}.{cls.name}", self.module.path)
            if found.kind == "class" and found.cls is not None and found.cls.node is cls.node:
                return True
        return False


def _is_testing_module(module: ModuleInfo) -> bool:
    """Whether a production module is there to test others with: ``click.testing``."""
    return not _TESTING_MODULES.isdisjoint(module.name.split("."))


class _Uses:
    """The classes that one test uses, those of mere arguments aside."""

    def __init__(self, test: TestCase, imported: _Imports, inference: Inference) -> None:
        self.test = test
        self.imported = imported
        self.inference = inference
        self.nodes = list(walk_function(test.node))

    def classes(self) -> Iterator[ClassInfo]:
        """Production classes of objects that the test builds or gets."""
        passed = set(self._passed())
        arguments = self._only_arguments(passed)
        for name in self.test.fixture_names:
            if name not in arguments:
                yield from self._class_of(self.inference.fixture_value(name, self.test.scope))
        for node in self.nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in arguments:
                    passed.add(id(value))
        for node in self.nodes:
            if id(node) in passed:
                continue
            if isinstance(node, ast.Call):
                yield from self._class_of(self._built(node))
            elif _is_on_self(node):
                yield from self._class_of(self.inference.infer(node, self.test.scope))

    def _class_of(self, value: Value | None) -> Iterator[ClassInfo]:
        if isinstance(value, Instance) and value.cls in self.imported:
            yield value.cls

    def _built(self, call: ast.Call) -> Value | None:
        """What a constructor or a helper makes; what production code returns does not count."""
        if self._is_on_object(call.func):
            return None
        called = self.inference.infer(call.func, self.test.scope)
        is_helper = isinstance(called, FunctionValue) and called.module.is_test
        if is_helper or isinstance(called, ClassValue):
            return self.inference.infer(call, self.test.scope)
        return None

    def _is_on_object(self, func: ast.expr) -> bool:
        """Whether a method of a local object is called: no constructor, so not worth inferring."""
        if not isinstance(func, ast.Attribute):
            return False
        root = func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return True
        local = self.test.scope.lookup(root.id)
        if local is None or root.id == self.test.scope.self_name:
            return False
        return all(binding.kind not in ("import", "class") for binding in local[1])

    def _passed(self) -> Iterator[int]:
        """Arguments of calls, those of assertions and builtins aside."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and not _only_looks(node.func):
                yield from (id(argument) for argument in _arguments(node))

    def _only_arguments(self, passed: set[int]) -> set[str]:
        """Names that are read as arguments alone, or filled and then handed to production code."""
        reads: dict[str, list[bool]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                reads.setdefault(node.id, []).append(id(node) in passed)
        alone = {name for name, uses in reads.items() if all(uses)}
        handed = {name for name, uses in reads.items() if any(uses)} - alone
        if handed:
            handed &= set(self._handed_to_production())
        if handed:
            handed -= set(self._checked())
        return alone | handed

    def _handed_to_production(self) -> Iterator[str]:
        for node in self.nodes:
            if not isinstance(node, ast.Call):
                continue
            names = [a.id for a in _arguments(node) if isinstance(a, ast.Name)]
            if names and self._is_production(node.func):
                yield from names

    def _is_production(self, func: ast.expr) -> bool:
        called = self.inference.infer(func, self.test.scope)
        if isinstance(called, FunctionValue):
            return not called.module.is_test and not _is_testing_module(called.module)
        return isinstance(called, ClassValue) and not called.cls.module.is_test

    def _checked(self) -> Iterator[str]:
        """Names that an assertion mentions."""
        for node in self.nodes:
            if isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and _is_check(node)):
                yield from _names(node)
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                if any(_is_check(item.context_expr) for item in node.items):
                    yield from _names(node)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _is_check(expr: ast.AST) -> bool:
    match expr:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return bool(_CHECKS.match(name))
    return False


def _only_looks(func: ast.expr) -> bool:
    if isinstance(func, ast.Name):
        return func.id.startswith("assert") or hasattr(builtins, func.id)
    return isinstance(func, ast.Attribute) and func.attr.startswith("assert")


def _is_on_self(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
    )
