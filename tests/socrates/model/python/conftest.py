"""What an expression of a small project is, in words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

import pytest

from socrates.model.context import FileContext
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    ModuleValue,
    Value,
)

OpenModule = Callable[..., FileContext]
Describe = Callable[..., str]

FACTORY = """
    import functools, typing
    from typing import *

    T = TypeVar("T")

    class Base:
        shared = 1

    class Part(Base): ...

    class Thing(Base):
        declared: Part
        first = Part()

        class Inner:
            class Deep: ...

        def __init__(self):
            self.part = Part()
            self.empty = None
            self.left, self.right = Part(), Thing()
            with Managed() as self.managed:
                pass

        def fill(self):
            self.once = Part()
            self.mixed = Part()
            self.typed: Base = Thing()

        def refill(self):
            self.once = Part()
            self.mixed = 1

        @classmethod
        def make(cls): return cls()

        @staticmethod
        def plain(other: Part): return other

        @functools.cached_property
        def cached(self): return Part()

        def me(self) -> Self: ...
        def typed_me(self) -> typing.Self: ...
        def build(self, kind: type[T], name) -> T: ...

        def either(self, flag):
            if flag:
                return Part()
            def inner():
                return 1
            return Part()

        def __sub__(self, other): return Part()
        def __getitem__(self, key) -> Part: ...

    class Sub(Thing): ...

    class Managed:
        def __enter__(self) -> Part: ...
        def __exit__(self, *args): ...

    class Bare: ...

    def pair():
        return Thing(), Part()

    def pairs(flag):
        if flag:
            return Thing(), Part()
        return Part(), Part()

    def single():
        return (Thing(),)

    Alias = Thing
    NUMBER = 3
    """


@pytest.fixture
def describe(open_module: OpenModule) -> Describe:
    """What ``x`` is after the last line of a test; ``factory`` can be imported from."""

    def describe_x(
        body: str, parameters: str = "", before: str = "", files: Mapping[str, str] | None = None
    ) -> str:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        text = (
            "import functools, pathlib, typing\nfrom typing import *\n"
            f"import factory\nfrom factory import *\n{before}\n"
            f"def test_it({parameters}):\n{lines}    x\n"
        )
        file = open_module({"factory.py": FACTORY, **(files or {}), "test_x.py": text}, "test_x.py")
        test = file.tests[0]
        statement = test.node.body[-1]
        assert isinstance(statement, ast.Expr)
        return _shown(file.infer(statement.value, test.scope))

    return describe_x


def _shown(value: Value | None) -> str:
    match value:
        case Instance(cls=cls):
            return f"a {cls.name}"
        case ClassValue(cls=cls):
            return f"class {cls.name}"
        case FunctionValue(node=node):
            return f"function {node.name}"
        case ModuleValue(module=module):
            return f"module {module.name}"
        case Builtin(type=kind):
            return kind
        case ExternalResult(name=name):
            return f"result of {name}"
        case External(name=name):
            return name
    return "unknown"
