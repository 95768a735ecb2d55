"""The tests of a module: what pytest or unittest would collect, one entry a test function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from socrates.discovery.pytest_config import PytestConfig
from socrates.model import semantics
from socrates.model.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.names import Scope, dotted_name, parameters
from socrates.model.resolve import Resolver
from socrates.model.shapes import is_property, is_static

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
        """Dotted names of the decorators of the test and its classes, with their expressions."""
        module_scope = Scope(self.scope.module)
        lists = [self.node.decorator_list]
        cls = self.owner or self.cls
        while cls is not None:
            lists.append(cls.node.decorator_list)
            cls = cls.outer
        found = []
        for decorator in (d for part in lists for d in part):
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            found.append((dotted_name(callee, module_scope) or "", decorator))
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
        """All tests, in the order in which they stand in the file."""
        found = [] if self.unittest_only else list(self._functions())
        seen: set[int] = set()
        for cls in self.module.classes.values():
            found += self._class(cls, self.nodeid, seen)
        return sorted(
            found,
            key=lambda test: (
                test.node.lineno
                if test.cls is None or test.owner is test.cls
                else test.cls.node.lineno
            ),
        )

    def _functions(self) -> Iterator[TestCase]:
        for name, node in self.module.functions.items():
            if self.config.is_test_function(name) and not is_fixture(node, self.module):
                yield TestCase(f"{self.nodeid}::{name}", node, self.module)

    def _class(self, cls: ClassInfo, prefix: str, seen: set[int]) -> Iterator[TestCase]:
        is_unittest = self.is_unittest(cls)
        if not is_unittest and (self.unittest_only or not self._is_plain_test_class(cls)):
            return
        if self._switched_off(cls):
            return
        nodeid = f"{prefix}::{cls.name}"
        for owner, name, node in self._methods(cls, is_unittest):
            if owner is not cls and (id(node) in seen or self._collects(owner)):
                continue
            seen.add(id(node))
            yield TestCase(f"{nodeid}::{name}", node, self.module, cls, owner, is_unittest)
        for inner in cls.inner.values():
            yield from self._class(inner, nodeid, seen)

    def _methods(
        self, cls: ClassInfo, is_unittest: bool
    ) -> Iterator[tuple[ClassInfo, str, FunctionNode]]:
        """Test methods of a class and of bases in the same file that are not collected themselves."""
        names: set[str] = set()
        for owner in self.resolver.mro(cls):
            for name, node in owner.methods.items():
                if name in names:
                    continue
                names.add(name)
                is_test = (
                    name.startswith("test") if is_unittest else self.config.is_test_function(name)
                )
                if not is_test or is_property(node) or is_fixture(node, owner.module):
                    continue
                if owner is cls or owner.module is self.module:
                    yield owner, name, node

    def _collects(self, cls: ClassInfo) -> bool:
        if self._switched_off(cls):
            return False
        return self.is_unittest(cls) or self._is_plain_test_class(cls)

    def is_unittest(self, cls: ClassInfo) -> bool:
        """Whether a class inherits from ``unittest.TestCase``, at any height."""
        return any(semantics.is_test_case(name) for name in self.resolver.external_bases(cls))

    def _is_plain_test_class(self, cls: ClassInfo) -> bool:
        if not self.config.is_test_class(cls.name):
            return False
        return not any("__init__" in owner.methods for owner in self.resolver.mro(cls))

    def _switched_off(self, cls: ClassInfo) -> bool:
        value = cls.assigns.get("__test__")
        return isinstance(value, ast.Constant) and value.value is False


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
