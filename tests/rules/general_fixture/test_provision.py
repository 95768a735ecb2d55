"""What set-up leaves on ``self``, and what tests read of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.general_fixture.provision import Provisions, passed_by

OpenModule = Callable[..., FileContext]

SETUPS = {
    "assignments of every form": (
        "self.a = self.b = 1\nself.c, (self.d, self.e) = 1, (2, 3)\nself.f: int = 1\n",
        ["a", "b", "c", "d", "e", "f"],
    ),
    "in branches": ("if self:\n    self.a = 1\nelse:\n    self.b = 2\n", ["a", "b"]),
    "through a method": ("self.prepare()\n", ["prepared"]),
    "caches of a method that is called for its result": ("self.a = self.prepare()\n", ["a"]),
    "attributes of attributes are not of self": ("self.a = object()\nself.a.b = 1\n", ["a"]),
    "what tearDown reads": ("self.closed = 1\nself.kept = 1\n", ["kept"]),
    "what a clean-up reads": ("self.a = 1\nself.addCleanup(print, self.a)\n", []),
    "what a nested clean-up reads": (
        "self.a = 1\ndef undo():\n    print(self.a)\nself.addCleanup(undo)\n",
        [],
    ),
    "what a module gets": ("self.a = 1\nunittest.installed = self.a\n", []),
    "what setattr gives to others": ("self.a = 1\nsetattr(unittest, 'a', self.a)\n", []),
    "what setattr gives to self": ("self.a = 1\nsetattr(self, 'b', self.a)\n", ["a"]),
    "what a local object gets": ("self.a = 1\nbox = object()\nbox.a = self.a\n", ["a"]),
    "the framework's own": ("self.maxDiff = None\n", []),
    "started patches": ("self.a = mock.patch('os.getcwd').start()\n", []),
    "what a started patch is built from": (
        "self.a = 'os.getcwd'\nself.b = mock.patch(self.a).start()\n",
        [],
    ),
    "started by a helper": ("self.a = self.patch('os.getcwd')\n", []),
    "entered contexts": ("self.a = self.enterContext(open('x'))\n", []),
    "an attribute that is started": ("self.a = mock.patch('os.getcwd')\nself.a.start()\n", []),
}
CASE = """\
import unittest
from unittest import mock

class TestIt(unittest.TestCase):
    def setUp(self):
{body}
    def prepare(self):
        self.prepared = 1

    def patch(self, name):
        patcher = mock.patch(name)
        self.addCleanup(patcher.stop)
        return patcher.start()

    def tearDown(self):
        self.release()

    def release(self):
        print(self.closed)

    def test_it(self):
        {test}
"""


def provided(file: FileContext) -> list[str]:
    parts = Provisions(file).of(file.tests[0])
    return [part.name.removeprefix("self.") for part in parts]


def unused(file: FileContext) -> list[str]:
    parts = Provisions(file).of(file.tests[0])
    return [part.name.removeprefix("self.") for part in parts if not part.used]


@pytest.mark.parametrize(("body", "expected"), SETUPS.values(), ids=list(SETUPS))
def test_set_up_provides(open_module: OpenModule, body: str, expected: list[str]) -> None:
    file = open_module(CASE.format(body=indent(body, " " * 8), test="pass"))
    assert provided(file) == expected


READS = {
    "nothing": ("pass", ["a", "b"]),
    "directly": ("print(self.a)", ["b"]),
    "in a nested function": ("(lambda: print(self.a))()", ["b"]),
    "by a literal name": ("getattr(self, 'a')", ["b"]),
    "by an unknown name": ("getattr(self, input())", []),
    "of the class": ("print(TestIt.a, type(self).b)", []),
    "by another name for self": ("case = self; print(case.a)", ["b"]),
    "through a dictionary": ("print(self.__dict__)", []),
    "self handed on": ("print(self)", []),
    "super": ("super().setUp(); print(self.a)", ["b"]),
    "added to": ("self.a += 1", ["b"]),
    "overwritten": ("self.a = 1", ["a", "b"]),
    "of another self": ("(lambda self: self.a)(1)", ["a", "b"]),
}


@pytest.mark.parametrize(("test", "expected"), READS.values(), ids=list(READS))
def test_unread(open_module: OpenModule, test: str, expected: list[str]) -> None:
    body = indent("self.a = 1\nself.b = 2\n", " " * 8)
    assert unused(open_module(CASE.format(body=body, test=test))) == expected


def test_base_of_production_code_is_no_fixture(open_module: OpenModule) -> None:
    files = {
        "shop/testing.py": (
            "import unittest\n"
            "class ShopCase(unittest.TestCase):\n"
            "    def setUp(self):\n"
            "        self.shop = 1\n"
        ),
        "shop/__init__.py": "",
        "tests/test_it.py": (
            "from shop.testing import ShopCase\n"
            "class TestIt(ShopCase):\n"
            "    def test_it(self): pass\n"
        ),
    }
    assert provided(open_module(files, "tests/test_it.py")) == []


LOAN = """\
import pytest

def lend(function):
    def wrapper(*args, **kwargs):
        return function(1, 2, *args, **kwargs)
    return wrapper

@pytest.fixture
def pan():
    return 3

@lend
def test_it({parameters}):
    {body}
"""


@pytest.mark.parametrize(
    ("parameters", "body", "expected"),
    [
        pytest.param("one, two", "one", ["two loan"], id="second object"),
        pytest.param("one, two", "one, two", [], id="both are read"),
        pytest.param("_one, two", "two", [], id="first is meant to be unread"),
        pytest.param("one, two, pan", "one", ["pan pytest", "two loan"], id="fixture after them"),
        pytest.param("one, two, request, pan", "one, two", ["pan pytest"], id="request before it"),
        pytest.param(
            "one, two, _x, pan", "one, two", ["pan pytest"], id="unread by name before it"
        ),
    ],
)
def test_objects_that_a_decorator_passes(
    parameters: str, body: str, expected: list[str], open_module: OpenModule
) -> None:
    file = open_module(LOAN.format(parameters=parameters, body=body))
    parts = Provisions(file).of(file.tests[0])
    assert [f"{part.name} {part.type}" for part in parts if not part.used] == expected


REQUESTED = """\
import pytest

STATE = []

@pytest.fixture
def opened():
    STATE.append(1)

@pytest.fixture(autouse={autouse})
def always({always}):
    pass

@pytest.fixture
def value(opened):
    return 1

def test_it(value):
    pass
"""


@pytest.mark.parametrize(
    ("autouse", "always", "expected"),
    [
        pytest.param(True, "opened", ["value"], id="it runs anyway"),
        pytest.param(True, "", [], id="it runs only for the unread one"),
        pytest.param(False, "opened", [], id="nobody uses what would run it"),
    ],
)
def test_unread_fixture_with_a_fixture_that_does_something(
    autouse: bool, always: str, expected: list[str], open_module: OpenModule
) -> None:
    assert unused(open_module(REQUESTED.format(autouse=autouse, always=always))) == expected


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return function(*args)", 0),
        ("return function(make(), *args)", 1),
        ("return function(make(), 2, *args)", 2),
        ("log.info(1)\n        return function(make(), *args)", 1),
        ("print(1, 2)\n        return function(make(), *args)", 1),
        ("if 1: return function(1, 2)\n        return function(1)", 2),
        ("return function(args)", 0),
    ],
)
def test_how_many_objects_a_decorator_passes(body: str, count: int) -> None:
    text = f"def decorate(function):\n    def wrapper(*args):\n        {body}\n    return wrapper\n"
    decorator = ast.parse(text).body[0]
    assert isinstance(decorator, ast.FunctionDef)
    assert passed_by(decorator) == count
