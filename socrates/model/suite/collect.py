"""The tests of a module: what pytest or unittest would collect, one entry per test function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property

from socrates.classes.lazy import dataclass
from socrates.discovery.pytest_config import PytestConfig
from socrates.model.python import semantics
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Scope, dotted_name, parameters
from socrates.model.python.resolve import Definition, Resolver
from socrates.model.python.shapes import is_property, is_static

_PATCHES = ("unittest.mock.patch", "mock.patch", "mock.mock.patch")


@dataclass(eq=False)
class TestCase:
    """One test function. ``cls`` is the class it runs in, ``owner`` the one that defines it."""

    __test__ = False

    nodeid: str
    node: FunctionNode
    module: ModuleInfo
    cls: ClassInfo | None = None
    owner: ClassInfo | None = None
    is_unittest: bool = False

    @property
    def name(self) -> str:
        """The function's name."""
        return self.node.name

    @property
    def container(self) -> str:
        """The class or module that holds the test, as a node id."""
        return self.nodeid.rpartition("::")[0]

    @cached_property
    def scope(self) -> Scope:
        """Where the names of its body are looked up."""
        is_method = self.cls is not None and not is_static(self.node)
        module = self.owner.module if self.owner else self.module
        return Scope(module, self.node, self.cls, is_method=is_method)

    @cached_property
    def decorators(self) -> tuple[tuple[str, ast.expr], ...]:
        """Dotted names of the decorators of the test and its classes, with their expressions.

        Marks in ``pytestmark`` of a class or the module count as decorators, and a name of the
        module for a ``parametrize`` as that.
        """
        lists = [(self.node.decorator_list, self.scope.module)]
        classes = [self.owner, self.cls] if self.owner is not self.cls else [self.cls]
        for start in classes:
            cls = start
            while cls is not None:
                marks = [*cls.node.decorator_list, *marks_in(cls.assigns.get("pytestmark"))]
                lists.append((marks, cls.module))
                cls = cls.outer
        lists.append((marks_in(self.module.assigns.get("pytestmark")), self.module))
        found = []
        for part, module in lists:
            scope = Scope(module)
            for written in part:
                decorator = _table_behind(written, module) or written
                callee = decorator.func if isinstance(decorator, ast.Call) else decorator
                found.append((dotted_name(callee, scope) or "", decorator))
        return tuple(found)

    @cached_property
    def parametrized(self) -> frozenset[str]:
        """Parameters that come from ``pytest.mark.parametrize`` rather than from a fixture."""
        names: set[str] = set()
        for dotted, decorator in self.decorators:
            if dotted.endswith("parametrize") and isinstance(decorator, ast.Call):
                names.update(argnames(decorator))
            elif isinstance(decorator, ast.Call) and _is_generator_of_values(dotted):
                names.update(keyword.arg for keyword in decorator.keywords if keyword.arg)
                if decorator.args:  # hypothesis fills parameters from the right
                    names.update(self.arguments[-len(decorator.args) :])
        return frozenset(names)

    @cached_property
    def patched(self) -> int:
        """How many leading parameters ``mock.patch`` decorators fill in."""
        return sum(1 for dotted, decorator in self.decorators if injects_mock(dotted, decorator))

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """All named parameters without ``self`` and those that have a default."""
        args = self.node.args
        names = [argument.arg for argument in (*args.posonlyargs, *args.args)]
        names = names[: len(names) - len(args.defaults)]
        if self.scope.is_method:
            names = names[1:]
        required = [
            argument.arg
            for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
            if default is None
        ]
        return (*names, *required)

    @cached_property
    def fixture_names(self) -> tuple[str, ...]:
        """Parameters that pytest fills from fixtures."""
        if self.is_unittest:
            return ()
        positional = self.arguments[self.patched :]
        return tuple(name for name in positional if name not in self.parametrized)

    @property
    def first_row(self) -> int:
        """The row of the first decorator, or of ``def``."""
        return min([self.node.lineno, *(d.lineno for d in self.node.decorator_list)])


def marks_in(value: ast.expr | None) -> list[ast.expr]:
    """The marks that ``pytestmark`` is set to: one, or a list of them."""
    if value is None:
        return []
    return list(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else [value]


def _table_behind(decorator: ast.expr, module: ModuleInfo) -> ast.Call | None:
    """The ``parametrize`` that a decorator of the module's own stands for, or returns."""
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not isinstance(name, ast.Name):
        return None
    function = module.functions.get(name.id)
    values = [module.assigns.get(name.id)]
    if function is not None:
        values = [node.value for node in function.body if isinstance(node, ast.Return)]
    for value in values:
        while isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and value.func.attr == "parametrize":
                return value
            value = value.func  # ``parametrize(...)(function)``
    return None


def argnames(decorator: ast.Call) -> list[str]:
    """The parameter names of one ``parametrize`` decorator."""
    first = decorator.args[0] if decorator.args else None
    for keyword in decorator.keywords:
        if keyword.arg == "argnames":
            first = keyword.value
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return [name.strip() for name in first.value.split(",") if name.strip()]
    if isinstance(first, (ast.Tuple, ast.List)):
        return [
            e.value for e in first.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)
        ]
    return []


def _is_generator_of_values(dotted: str) -> bool:
    return dotted in ("hypothesis.given", "hypothesis.core.given")


def injects_mock(dotted: str, decorator: ast.expr) -> bool:
    """Whether a ``mock.patch`` decorator hands its mock to the test as a parameter."""
    if not isinstance(decorator, ast.Call) or not dotted.startswith(_PATCHES):
        return False
    if dotted.endswith((".dict", ".multiple")):
        return False
    position = 2 if dotted.endswith(".object") else 1
    has_new = len(decorator.args) > position or any(k.arg == "new" for k in decorator.keywords)
    return not has_new


class Collector:
    """Collects the tests of one module."""

    def __init__(
        self,
        module: ModuleInfo,
        nodeid: str,
        resolver: Resolver,
        config: PytestConfig,
        unittest_only: bool = False,
    ) -> None:
        self.module = module
        self.nodeid = nodeid
        self.resolver = resolver
        self.config = config
        self.unittest_only = unittest_only

    def tests(self) -> list[TestCase]:
        """All tests in the order in which they, or the classes that inherit them, stand in the file.

        A test that several classes inherit is collected once for each of them, and imported
        tests are collected here too, as pytest does.
        """
        if _is_off(self.module.assigns.get("__test__")):
            return []
        placed: list[tuple[int, TestCase]] = []
        if not self.unittest_only:
            placed += self._functions()
        for name, cls, row in self._classes():
            for test in self._class(cls, f"{self.nodeid}::{name}", name):
                own = test.owner is cls or (test.cls is not None and test.owner is test.cls)
                placed.append(
                    (test.node.lineno if own and cls.module is self.module else row, test)
                )
        return [test for _, test in sorted(placed, key=lambda pair: pair[0])]

    def _functions(self) -> Iterator[tuple[int, TestCase]]:
        for name, node in self.module.functions.items():
            if self.config.is_test_function(name) and not is_fixture(node, self.module):
                yield node.lineno, TestCase(f"{self.nodeid}::{name}", node, self.module)
        for name, found in self._imported(self.config.is_test_function):
            if found.node is None or found.module is None or found.cls is not None:
                continue
            if self.config.is_test_function(name):
                if not is_fixture(found.node, found.module):
                    yield 1, TestCase(f"{self.nodeid}::{name}", found.node, found.module)

    def _classes(self) -> Iterator[tuple[str, ClassInfo, int]]:
        """Classes by the name that the module knows them by, imported ones too."""
        for name, cls in self.module.classes.items():
            yield name, cls, cls.node.lineno
        for name, found in self._imported(self.config.is_test_class):
            if found.kind == "class" and found.cls is not None and found.cls.outer is None:
                yield name, found.cls, 1

    def _imported(self, is_test: Callable[[str], bool]) -> Iterator[tuple[str, Definition]]:
        """What the module imports that may be a test by its name or by where it comes from."""
        own = {*self.module.functions, *self.module.classes, *self.module.assigns}
        project = self.resolver.project
        for name, dotted in self.module.imports.items():
            if name in own:
                continue
            path = project.find(dotted.rpartition(".")[0], self.module.path)
            if path is not None and (is_test(name) or project.is_test_path(path)):
                yield name, self.resolver.name(dotted, self.module.path)

    def _class(self, cls: ClassInfo, nodeid: str, name: str) -> Iterator[TestCase]:
        is_unittest = self.is_unittest(cls)
        switch = self._switch(cls)
        if _is_off(switch):
            return
        if not is_unittest and (
            self.unittest_only or not self._is_plain_test_class(cls, name, switch)
        ):
            return
        count = 0
        for owner, method, node in self._methods(cls, is_unittest):
            count += 1
            yield TestCase(f"{nodeid}::{method}", node, self.module, cls, owner, is_unittest)
        if is_unittest:
            if not count:
                yield from self._run_test(cls, nodeid)
            return
        inner: dict[str, ClassInfo] = {}
        for owner in reversed(self.resolver.mro(cls)):
            inner.update(owner.inner)
        for name, nested in inner.items():
            yield from self._class(nested, f"{nodeid}::{name}", name)

    def _run_test(self, cls: ClassInfo, nodeid: str) -> Iterator[TestCase]:
        """unittest's ``runTest``, which counts when a class has no other test."""
        owner, node = self.resolver.method(cls, "runTest")
        if owner is not None and node is not None:
            yield TestCase(f"{nodeid}::runTest", node, self.module, cls, owner, True)

    def _methods(
        self, cls: ClassInfo, is_unittest: bool
    ) -> Iterator[tuple[ClassInfo, str, FunctionNode]]:
        """Test methods of a class and its bases; ``test_x = None`` takes an inherited one away."""
        names: set[str] = set()
        for owner in self.resolver.mro(cls):
            found: dict[str, FunctionNode | None] = {
                name: self._aliased(value, owner) for name, value in owner.assigns.items()
            }
            found.update(owner.methods)
            for name, node in found.items():
                if name in names:
                    continue
                names.add(name)
                is_test = (
                    name.startswith("test") if is_unittest else self.config.is_test_function(name)
                )
                if node is None or not is_test or is_property(node):
                    continue
                if not is_fixture(node, owner.module):
                    yield owner, name, node

    def _aliased(self, value: ast.expr, owner: ClassInfo) -> FunctionNode | None:
        """The function that ``test_other = test_one`` means, in the body of a class."""
        if not isinstance(value, ast.Name):
            return None
        return owner.methods.get(value.id) or owner.module.functions.get(value.id)

    def is_unittest(self, cls: ClassInfo) -> bool:
        """Whether a class inherits from ``unittest.TestCase``, at any height."""
        if any(semantics.is_test_case(name) for name in self.resolver.external_bases(cls)):
            return True
        # In the standard library's own test package, unittest is a module of the project.
        return any(base.full_name == "unittest.case.TestCase" for base in self.resolver.mro(cls))

    def _is_plain_test_class(self, cls: ClassInfo, name: str, switch: ast.expr | None) -> bool:
        on = isinstance(switch, ast.Constant) and switch.value is True
        if not on and not self.config.is_test_class(name):
            return False
        return not any(
            special in owner.methods
            for owner in self.resolver.mro(cls)
            for special in ("__init__", "__new__")
        )

    def _switch(self, cls: ClassInfo) -> ast.expr | None:
        """The value of ``__test__``, which subclasses inherit."""
        for owner in self.resolver.mro(cls):
            if "__test__" in owner.assigns:
                return owner.assigns["__test__"]
        return None


def _is_off(switch: ast.expr | None) -> bool:
    return isinstance(switch, ast.Constant) and not switch.value


def is_fixture(node: FunctionNode, module: ModuleInfo) -> bool:
    """Whether a function is a pytest fixture."""
    return fixture_decorator(node, module) is not None


def fixture_decorator(node: FunctionNode, module: ModuleInfo) -> ast.expr | None:
    """The decorator that makes a function a fixture, whatever it was imported as."""
    scope = Scope(module)
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        dotted = dotted_name(callee, scope) or ""
        if dotted.rpartition(".")[2] in ("fixture", "yield_fixture") and dotted.startswith(
            "pytest"
        ):
            return decorator
    return None


def own_parameters(node: FunctionNode, is_method: bool) -> list[str]:
    """The names of a function's parameters without ``self``."""
    names = [argument.arg for argument in parameters(node)]
    return names[1:] if is_method else names
