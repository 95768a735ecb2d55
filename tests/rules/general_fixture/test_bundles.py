"""Several objects in one: what a fixture hands out, and which parts of it a test uses."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.general_fixture.bundles import is_read, parameter_is_read
from socrates_rules.general_fixture.provision import Provisions

OpenModule = Callable[..., FileContext]

MODULE = """\
import collections
import dataclasses
import types
import typing

import attr
import pytest

ByWords = collections.namedtuple("ByWords", "one two")
ByCommas = collections.namedtuple("ByCommas", "one, two")
ByNames = collections.namedtuple("ByNames", ["one", "two"])
ByKeyword = collections.namedtuple("ByKeyword", field_names="one two")
ByPairs = typing.NamedTuple("ByPairs", [("one", int), ("two", int)])

class Typed(typing.NamedTuple):
    one: int
    two: int

@dataclasses.dataclass
class Record:
    shared: typing.ClassVar[int] = 0
    one: int = 1
    two: int = 2

    def first(self):
        return self.one

    def everything(self):
        return dataclasses.asdict(self)

class Bare:
    one: int = 1
    two: int = 2

@attr.s
class Attrs:
    one = attr.ib()
    two = attr.ib()

class Plain:
    def __init__(self, one, two):
        self.one, self.two = one, two

def make_pair():
    return 1, 2

def make_call():
    return make_pair()

@pytest.fixture
def other():
    return 1, 2

@pytest.fixture
def value(request, other):
{fixture}

def test_it(value):
{test}
"""

HANDED_OUT = {
    "a tuple": ("return 1, 2", "print(value[0])", ["value[1]"]),
    "a list": ("return [1, 2]", "print(value[0])", ["value[1]"]),
    "a tuple of one": ("return (1,)", "print(value[0])", []),
    "a tuple with a star": ("return (*range(2), 3)", "print(value[0])", []),
    "a dict": ("return {'a': 1, 'b': 2}", "print(value['a'])", ["value['b']"]),
    "a dict with unknown keys": ("return {str(1): 1, 'b': 2}", "print(value['b'])", []),
    "a variable": ("pair = 1, 2\nreturn pair", "print(value[0])", ["value[1]"]),
    "a variable that is changed": (
        "pair = [1, 2]\npair[0] = 3\nreturn pair",
        "print(value[0])",
        [],
    ),
    "a variable with two values": (
        "pair = 1, 2\npair = 3, 4\nreturn pair",
        "print(value[0])",
        [],
    ),
    "in two branches alike": (
        "if request:\n    return 1, 2\nreturn 3, 4",
        "print(value[0])",
        ["value[1]"],
    ),
    "in two branches unlike": (
        "if request:\n    return 1, 2\nreturn 3, 4, 5",
        "print(value[0])",
        [],
    ),
    "what another fixture hands out": ("return other", "print(value[0])", ["value[1]"]),
    "what a helper returns": ("return make_pair()", "print(value[0])", ["value[1]"]),
    "what a helper of a helper returns": ("return make_call()", "print(value[0])", []),
    "a namespace": (
        "return types.SimpleNamespace(one=1, two=2)",
        "print(value.one)",
        ["value.two"],
    ),
    "a namespace of unknown names": (
        "return types.SimpleNamespace(one=1, **{})",
        "print(value.one)",
        [],
    ),
    "a named tuple by words": ("return ByWords(1, 2)", "print(value.one)", ["value.two"]),
    "a named tuple by commas": ("return ByCommas(1, 2)", "print(value.one)", ["value.two"]),
    "a named tuple by names": ("return ByNames(1, 2)", "print(value.one)", ["value.two"]),
    "a named tuple by keyword": ("return ByKeyword(1, 2)", "print(value.one)", []),
    "a named tuple by pairs": ("return ByPairs(1, 2)", "print(value.one)", ["value.two"]),
    "a typed named tuple": ("return Typed(1, 2)", "print(value.one)", ["value.two"]),
    "a named tuple, unpacked": ("return Typed(1, 2)", "a, b = value; print(a)", ["value.two"]),
    "a named tuple, by index": ("return Typed(1, 2)", "print(value[1])", ["value.one"]),
    "a dataclass": ("return Record()", "print(value.one)", ["value.two"]),
    "a class with annotations alone": ("return Bare()", "print(value.one)", []),
    "an attrs class": ("return Attrs(1, 2)", "print(value.one)", ["value.two"]),
    "an object of another class": ("return Plain(1, 2)", "print(value.one)", []),
    "what is cleaned up after the yield": (
        "one, two = object(), object()\nyield one, two\none.close()",
        "print(value[1])",
        [],
    ),
    "what is registered for clean-up": (
        "one = object()\nrequest.addfinalizer(one.close)\nreturn one, 2",
        "print(value[1])",
        [],
    ),
}
USES = {
    "by index from the end": ("return 1, 2", "print(value[-1])", []),
    "by an index that is not there": ("return 1, 2", "print(value[2])", []),
    "by an unknown index": ("return 1, 2", "print(value[len('a')])", []),
    "by a key that is not there": ("return {'a': 1, 'b': 2}", "print(value['c'])", []),
    "overwritten": (
        "return [1, 2]",
        "value[0] = 3\nprint(value[1])",
        ["value[0]"],
    ),
    "unpacked": ("return 1, 2", "a, b = value; print(b)", ["value[0]"]),
    "unpacked, both read": ("return 1, 2", "a, b = value; print(a, b)", []),
    "unpacked into a rest": ("return 1, 2", "a, *b = value; print(a)", []),
    "unpacked into too few": ("return 1, 2, 3", "a, b = value; print(a)", []),
    "unpacked, read through locals": ("return 1, 2", "a, b = value; print(locals())", []),
    "unpacked, one added to": ("return 1, 2", "a, b = value; a += b", []),
    "the whole": ("return 1, 2", "print(value)", []),
    "in a nested function": ("return 1, 2", "(lambda: print(value[0]))()", ["value[1]"]),
    "a field that is overwritten": (
        "return Record()",
        "value.one = 3\nprint(value.two)",
        ["value.one"],
    ),
    "through a method": ("return Record()", "print(value.first())", ["value.two"]),
    "through a method that hands on the whole": ("return Record()", "value.everything()", []),
    "through an unknown attribute": ("return Record()", "print(value.other)", []),
    "a record by index": ("return Record()", "print(value[0])", []),
}


def unused(file: FileContext) -> list[str]:
    parts = Provisions(file).of(file.tests[0])
    return [part.name for part in parts if not part.used]


@pytest.mark.parametrize(
    ("fixture", "test", "expected"),
    [pytest.param(*case, id=name) for name, case in (HANDED_OUT | USES).items()],
)
def test_unused_parts(
    open_module: OpenModule, fixture: str, test: str, expected: list[str]
) -> None:
    text = MODULE.format(fixture=indent(fixture, " " * 4), test=indent(test, " " * 4))
    assert unused(open_module(text)) == expected


MANAGERS = """\
import contextlib

import vendor

@contextlib.contextmanager
def made():
    yield 1, 2

@contextlib.asynccontextmanager
async def made_later():
    yield 1, 2

class Made:
    def __enter__(self):
        return 1, 2
    def __exit__(self, *error): pass

class MadeLater:
    async def __aenter__(self):
        return 1, 2
    async def __aexit__(self, *error): pass

def plain():
    return 1, 2

def with_two(function):
    def wrapper(*args):
        return function(object(), object(), *args)
    return wrapper

def with_one(function):
    def wrapper(*args):
        return function(object(), *args)
    return wrapper

{test}
"""
HANDED_TO_TESTS = {
    "a generator": ("def test_it():\n    with made() as (a, b): print(a)", ["made[1]"]),
    "a generator, under one name": (
        "def test_it():\n    with made() as x: print(x[0])",
        ["made[1]"],
    ),
    "a generator, nothing bound": ("def test_it():\n    with made(): pass", []),
    "an asynchronous generator": (
        "async def test_it():\n    async with made_later() as (a, b): print(a)",
        ["made_later[1]"],
    ),
    "a class": ("def test_it():\n    with Made() as (a, b): print(a)", ["Made[1]"]),
    "an asynchronous class": (
        "async def test_it():\n    async with MadeLater() as (a, b): print(a)",
        ["MadeLater[1]"],
    ),
    "in a nested function": (
        "def test_it():\n    def inner():\n        with made() as (a, b): print(a)\n    inner()",
        ["made[1]"],
    ),
    "a function that is no manager": ("def test_it():\n    with plain() as (a, b): print(a)", []),
    "a manager of a library": ("def test_it():\n    with vendor.made() as (a, b): print(a)", []),
    "a decorator": ("@with_two\ndef test_it(a, b): print(a)", ["b"]),
    "a decorator, with an underscore": ("@with_two\ndef test_it(a, _b): print(a)", []),
    "a decorator of one object": ("@with_one\ndef test_it(a): pass", []),
    "a decorator of a library": ("@vendor.with_two\ndef test_it(a, b): print(a)", []),
}


@pytest.mark.parametrize(
    ("test", "expected"), [pytest.param(*case, id=name) for name, case in HANDED_TO_TESTS.items()]
)
def test_unused_parts_of_what_is_handed_to_a_test(
    open_module: OpenModule, test: str, expected: list[str]
) -> None:
    assert unused(open_module(MANAGERS.format(test=test))) == expected


def test_override_hands_on_what_the_overridden_fixture_gives(open_module: OpenModule) -> None:
    files = {
        "conftest.py": "import pytest\n\n@pytest.fixture\ndef value():\n    return 1, 2\n",
        "test_it.py": (
            "import pytest\n\n@pytest.fixture\ndef value(value):\n    return value\n\n"
            "def test_it(value):\n    print(value[0])\n"
        ),
    }
    assert unused(open_module(files)) == ["value[1]"]


def test_override_of_a_fixture_with_effects_has_them_too(open_module: OpenModule) -> None:
    files = {
        "conftest.py": (
            "import pytest\n\n@pytest.fixture\ndef value(monkeypatch):\n"
            "    monkeypatch.setenv('A', '1')\n    return 1\n"
        ),
        "test_it.py": (
            "import pytest\n\n@pytest.fixture\ndef value(value):\n    return value + 1\n\n"
            "def test_it(value):\n    pass\n"
        ),
    }
    assert unused(open_module(files)) == []


@pytest.mark.parametrize(
    ("body", "read", "handed"),
    [
        pytest.param("x", True, True, id="read"),
        pytest.param("y", False, False, id="another name"),
        pytest.param("x = 1", False, False, id="set"),
        pytest.param("x = 1\nx", True, False, id="set, then read"),
        pytest.param("x: int = 1\nx", True, False, id="annotated and set, then read"),
        pytest.param("y: int = 1\nx", True, True, id="another is set, then read"),
        pytest.param("x: int\nx", True, True, id="only annotated, then read"),
        pytest.param("y = x = 1\nx", True, False, id="set with another"),
        pytest.param("y = 1\nx", True, True, id="another set before"),
        pytest.param("x.y = 1", True, True, id="attribute"),
        pytest.param("x = x + 1", True, True, id="set from itself"),
        pytest.param("x += 1", True, True, id="added to"),
        pytest.param("y += 1", False, False, id="another added to"),
        pytest.param("del x", True, True, id="deleted"),
        pytest.param("locals()", True, True, id="all names"),
        pytest.param("global x", True, True, id="global"),
        pytest.param("global y", False, False, id="another global"),
        pytest.param("def f():\n    return x", True, True, id="nested"),
    ],
)
def test_name_that_is_read(body: str, read: bool, handed: bool) -> None:
    node = ast.parse(f"def test_it():\n{indent(body, '    ')}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert (is_read("x", node), parameter_is_read("x", node)) == (read, handed)
