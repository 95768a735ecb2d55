"""What the set-up of a class leaves on ``self``, and what a test reads of it."""
# socrates: ignore-file[SOC103] each test has a table of its own, and its name says what that has in common

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates.model.suite.self_attributes import Reads, SelfAttributes
from socrates.model.suite.setup import SetupFinder

OpenModule = Callable[..., FileContext]

MODULE = """\
import functools
import os
import pytest

def watched(test):
    @functools.wraps(test)
    def wrapper(self, *args):
        print(self.watched)
        return test(self, *args)
    return wrapper

def plainly(test):
    def wrapper():
        print(self.never)
    print(test.never)
    return wrapper

def make():
    return 1

def started():
    return Log().start()

class Far:
    def far(self): print(self.of_far)

class Base:
    def setUp(self):
        self.base = 1
    def check(self):
        print(self.checked)
    def round(self):
        self.trip()
    def trip(self):
        self.round(self.a)
    @staticmethod
    def plain():
        print(self.never)

class TestIt(Base):
{members}
"""


def opened(open_module: OpenModule, members: str, name: str = "test_it.py") -> FileContext:
    return open_module({name: MODULE.format(members=indent(members, "    "))}, name)


@pytest.fixture
def provided(open_module: OpenModule) -> Callable[[str], list[str]]:
    """The attributes that a class with these members gives to its tests."""

    def find(members: str) -> list[str]:
        file = opened(open_module, members + "\ndef test_it(self): pass\n")
        reads = SelfAttributes(file.inference.resolver)
        finder = SetupFinder(file.fixtures, file.inference, reads)
        cls = file.tests[0].cls
        assert cls is not None
        return [attribute.name for attribute in finder.of(cls)]

    return find


@pytest.mark.parametrize(
    "method",
    [
        "setUp(self)",
        "setup_method(self)",
        "setup(self)",
        "async asyncSetUp(self)",
        "setUpClass(cls)",
        "setup_class(cls)",
        "setUpTestData(cls)",
    ],
)
def test_every_method_of_set_up_counts(method: str, provided: Callable[[str], list[str]]) -> None:
    asynchronous, _, name = method.rpartition(" ")
    first = "cls" if "cls" in name else "self"
    members = f"{asynchronous} def {name}:\n    {first}.own = 1".strip()
    assert "own" in provided(members)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param("", ["base"], id="inherited"),
        pytest.param("def setUp(self):\n    self.a = 1", ["a"], id="replaced"),
        pytest.param(
            "def setUp(self):\n    super().setUp()\n    self.a = 1", ["base", "a"], id="super"
        ),
        pytest.param(
            "def setUp(self):\n    Base.setUp(self)\n    self.a = 1", ["base", "a"], id="by name"
        ),
        pytest.param("def setUp(self):\n    Base.setUp(1)\n    self.a = 1", ["a"], id="of another"),
        pytest.param("@staticmethod\ndef setUp():\n    self.a = 1", [], id="static"),
        pytest.param(
            "async def asyncSetUp(self):\n    await self.more()\nasync def more(self):\n    self.a = 1",
            ["base", "a"],
            id="awaited",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\ndef tearDown(self):\n    drop(self)", [], id="all"
        ),
        pytest.param(
            "def setUp(self):\n    log = Log()\n    self.log = log\n    self.addCleanup(log.close)",
            [],
            id="cleaned up by a local name",
        ),
        pytest.param(
            "def setUp(self):\n    self.log = log = Log()\n    self.addCleanup(log.close)",
            [],
            id="known by a local name",
        ),
        pytest.param(
            "def setUp(self):\n    log = Log()\n    self.log = log\n    other.addfinalizer(1)",
            ["log"],
            id="other clean-up",
        ),
        pytest.param(
            "def setUp(self):\n    self.a.b = 1\n    self.timeout = 3", [], id="framework"
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    self.b = 2 + self.a\n    self.c = [self.b]\n"
            "    self.d = 1\n    self.addCleanup(self.c.clear)",
            ["d"],
            id="built into what is cleaned up",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = self.b = self.c = 1\n"
            "    os.makedirs(self.a, mode=self.b)",
            ["c"],
            id="handed to a function of a module",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    print(self.a)", ["a"], id="handed to a builtin"
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    x = os.stat(self.a)", ["a"], id="for a result"
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    os.makedirs(other.a)", ["a"], id="of another"
        ),
        pytest.param(
            "def setUp(self):\n    self.more()\n    self.a = 1\n"
            "def more(self):\n    self.b = 1\n    self.setUp()",
            ["b", "a"],
            id="methods that call each other",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = self.more()\ndef more(self):\n    self.b = 1",
            ["a"],
            id="method called for its result",
        ),
        pytest.param(
            "def setUp(self):\n    self.assertBig = self.a = 1", ["a"], id="assertion of its own"
        ),
        pytest.param(
            "def setUp(self):\n    def undo():\n        self.a.close(log)\n    log = 1\n"
            "    self.a = self.b = 1\n    self.log = log\n    self.addCleanup(undo)",
            ["b"],
            id="cleaned up by a function inside",
        ),
        pytest.param(
            "def setUp(self):\n    def undo():\n        self.a.close()\n    self.a = 1",
            ["a"],
            id="function inside that nobody calls",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    self.addCleanup(drop, self)",
            ["a"],
            id="clean-up that gets the object",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = 1\n    self.addCleanup(drop, it=self.a)",
            [],
            id="cleaned up by keyword",
        ),
        pytest.param(
            "def setUp(self):\n    self.p = Patch()\n    self.b = self.p.start()\n    self.c = 1",
            ["c"],
            id="what was started",
        ),
        pytest.param(
            "async def asyncSetUp(self):\n    self.a = await Log().start()",
            ["base"],
            id="awaited start",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = self.useFixture(1).path[0]\n    self.b = x.path[0]",
            ["b"],
            id="part of what was started",
        ),
        pytest.param(
            "def setUp(self):\n    super().setUp()\n    self.base = Log().start()\n    self.a = 1",
            ["a"],
            id="started in the place of another",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = make()\n    self.b = started()", ["a"], id="helper"
        ),
        pytest.param(
            "def setUp(self):\n    self.a = os.open()\n    self.b = os\n"
            "def tearDown(self):\n    os.close()",
            ["b"],
            id="undone by a function of the module",
        ),
        pytest.param(
            "def setUp(self):\n    self.a = os.open()\ndef tearDown(self):\n    functools.close()",
            ["a"],
            id="another module",
        ),
    ],
)
def test_set_up_provides(
    members: str, expected: list[str], provided: Callable[[str], list[str]]
) -> None:
    assert provided(members) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("self.a = 1", ["a"], id="plain"),
        pytest.param("self.a = 1\nyield", ["a"], id="generator"),
        pytest.param("self.a = self.b = 1\nyield\nself.a.close()", ["b"], id="closed after it"),
        pytest.param("self.a = 1\nself.a.open()\nyield", ["a"], id="used before it"),
        pytest.param(
            "self.a = self.b = 1\ntry:\n    yield\nfinally:\n    self.a.close()",
            ["b"],
            id="finally",
        ),
        pytest.param("with Log() as self.a:\n    self.b = 1\n    yield", ["b"], id="with"),
        pytest.param("self.a = 1\nwith self.a:\n    self.b = 1\n    yield", ["b"], id="with it"),
        pytest.param("self.a = 1\nyield\ndrop(self)", [], id="all after it"),
    ],
)
def test_autouse_fixture_provides(
    body: str, expected: list[str], provided: Callable[[str], list[str]]
) -> None:
    fixture = f"@pytest.fixture(autouse=True)\ndef made(self):\n{indent(body, '    ')}\n"
    assert provided(f"def setUp(self): pass\n{fixture}") == expected


@pytest.mark.parametrize(
    "method",
    [
        "tearDown(self)",
        "teardown_method(self)",
        "teardown(self)",
        "async asyncTearDown(self)",
        "tearDownClass(self)",
        "teardown_class(self)",
    ],
)
def test_what_is_torn_down_is_not_provided(
    method: str, provided: Callable[[str], list[str]]
) -> None:
    asynchronous, _, name = method.rpartition(" ")
    torn = f"{asynchronous} def {name}:\n    self.a.close()".strip()
    assert provided(f"def setUp(self):\n    self.a = self.b = 1\n{torn}") == ["b"]


@pytest.mark.parametrize(
    "name",
    "addCleanup addClassCleanup addAsyncCleanup addModuleCleanup addfinalizer callback "
    "push_async_callback".split(),
)
def test_what_is_cleaned_up_is_not_provided(
    name: str, provided: Callable[[str], list[str]]
) -> None:
    body = f"self.a = self.b = 1\n    self.{name}(self.a.close)"
    assert provided(f"def setUp(self):\n    {body}") == ["b"]


@pytest.mark.parametrize(
    "name",
    "start __enter__ enterContext enterClassContext enterAsyncContext enter_context "
    "enter_async_context useFixture".split(),
)
def test_what_is_started_is_an_effect(name: str, provided: Callable[[str], list[str]]) -> None:
    body = f"self.a = Log().{name}()\n    self.b = Log().other()"
    assert provided(f"def setUp(self):\n    {body}") == ["b"]


@pytest.mark.parametrize("name", "maxDiff longMessage failureException timeout __doc__".split())
def test_what_the_framework_reads_is_an_effect(
    name: str, provided: Callable[[str], list[str]]
) -> None:
    assert provided(f"def setUp(self):\n    self.{name} = 1\n    self.b = 1") == ["b"]


def test_fixture_that_is_asked_for_is_no_set_up(provided: Callable[[str], list[str]]) -> None:
    fixture = "@pytest.fixture\ndef made(self):\n    self.a = 1\n"
    assert provided(f"def setUp(self): pass\n{fixture}") == []


def test_set_up_of_production_code_is_not_followed(open_module: OpenModule) -> None:
    text = "import kit\nclass Test(kit.Base):\n    def test_it(self): pass\n"
    base = "class Base:\n    def setUp(self):\n        self.a = 1\n"
    assert found_in(open_module({"kit.py": base, "test_it.py": text}, "test_it.py")) == []


def found_in(file: FileContext) -> list[tuple[str, str, str, int]]:
    """Attributes with the class and the method that set them, and the row."""
    cls = file.tests[0].cls
    assert cls is not None
    finder = SetupFinder(file.fixtures, file.inference, SelfAttributes(file.inference.resolver))
    return [
        (one.name, one.owner.name, one.method, getattr(one.node, "lineno", 0))
        for one in finder.of(cls)
    ]


def test_attribute_knows_where_it_is_set(open_module: OpenModule) -> None:
    file = open_module(
        "import pytest\n"
        "class Base:\n"
        "    @pytest.fixture(autouse=True)\n"
        "    def made(self):\n        other.a = self.a\n        self.a = 1\n        self.a = 2\n"
        "class Test(Base):\n"
        "    def setUp(self):\n        self.more()\n"
        "    def more(self):\n        self.b = 1\n"
        "    def test_it(self): pass\n"
    )
    assert found_in(file) == [("b", "Test", "setUp", 12), ("a", "Base", "made", 6)]


@pytest.mark.parametrize(
    ("body", "sets", "expected"),
    [
        pytest.param("self.a", "", {"a"}, id="read"),
        pytest.param("self.c", "", {"a", "b", "c"}, id="built from others"),
        pytest.param("self.other", "", set(), id="not of the set-up"),
        pytest.param("print(self)", "", {"a", "b", "c", "get"}, id="any"),
        pytest.param("self.get()", "", {"get", "b", "a"}, id="read by a function"),
        pytest.param("self.b = 1", "b", {"b"}, id="set for a function that reads it"),
        pytest.param("self.c = 1", "c", set(), id="set for nobody"),
    ],
)
def test_test_uses_of_its_set_up(
    body: str, sets: str, expected: set[str], open_module: OpenModule
) -> None:
    set_up = "self.a = 1\nself.b = [self.a]\nself.c = [self.b]\nself.get = lambda: self.b\n"
    members = f"def setUp(self):\n{indent(set_up, '    ')}def test_it(self):\n    {body}\n"
    file = opened(open_module, members)
    reads = SelfAttributes(file.inference.resolver)
    finder = SetupFinder(file.fixtures, file.inference, reads)
    cls = file.tests[0].cls
    assert cls is not None
    finder.of(cls)
    assert finder.used(cls, reads.of(file.tests[0]), set(sets)) == expected


ALL = None
"""Any attribute may be read."""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("self.a", {"a"}, id="directly"),
        pytest.param("self.__class__.a", {"a"}, id="of the class"),
        pytest.param("type(self).a", {"a"}, id="of the type"),
        pytest.param("type(self, 1).a", set(), id="no type"),
        pytest.param("TestIt.a + Other.b", {"a"}, id="of the class by name"),
        pytest.param("Base.a", {"a"}, id="of a base by name"),
        pytest.param("self.check()", {"check", "checked"}, id="through a method"),
        pytest.param("super().check()", {"checked"}, id="through super"),
        pytest.param("Base.check(self)", {"checked"}, id="through a base by name"),
        pytest.param("Far.far(self)", {"of_far"}, id="through a class by name"),
        pytest.param("base.check(self)", ALL, id="no class"),
        pytest.param("self.plain()", {"plain"}, id="static methods see no self"),
        pytest.param("self.round()", {"round", "trip", "a"}, id="methods that call each other"),
        pytest.param("self.x = self.y = self", set(), id="kept on itself"),
        pytest.param("self.x[self.a] = self", {"x", "a"}, id="kept in an attribute"),
        pytest.param("isinstance(self, Base)", set(), id="type looked at"),
        pytest.param("id(self), type(self)", set(), id="identity looked at"),
        pytest.param("issubclass(self, Base)", set(), id="class looked at"),
        pytest.param("print(self)", ALL, id="handed on"),
        pytest.param("setattr(self, 'a', self.b)", {"b"}, id="set by name"),
        pytest.param("hasattr(self, 'a')", {"a"}, id="asked for"),
        pytest.param("getattr(self, 'a', self.b)", {"a", "b"}, id="with a default"),
        pytest.param("getattr(self)", ALL, id="getattr of all"),
        pytest.param("other = self\nother.a", {"a"}, id="another name"),
        pytest.param("other = self.a\nother.b", {"a"}, id="another object"),
        pytest.param("self.a[0].b", {"a"}, id="part of an attribute"),
        pytest.param("self.a += self.b", {"a", "b"}, id="in place"),
        pytest.param("def inner(x=self.a):\n    self.b", {"a", "b"}, id="default and body"),
        pytest.param("def inner(self, *, x=self.a):\n    self.b", {"a"}, id="another self"),
        pytest.param("@self.a\ndef inner(): pass", {"a"}, id="decorator"),
    ],
)
def test_test_reads(body: str, expected: set[str] | None, open_module: OpenModule) -> None:
    members = f"def test_it(self):\n{indent(body, '    ')}\n"
    file = opened(open_module, members)
    reads = SelfAttributes(file.inference.resolver).of(file.tests[0])
    assert (ALL if reads.whole else set(reads.names)) == expected


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("@watched\n", {"watched"}),
        ("@functools.cache\n", set()),
        ("@unknown\n", set()),
        ("@unknown\n@watched\n", {"watched"}),
        ("@plainly\n", set()),
    ],
)
def test_wrapper_of_a_test_reads(
    decorator: str, expected: set[str], open_module: OpenModule
) -> None:
    file = opened(open_module, f"{decorator}def test_it(self): pass\n")
    assert SelfAttributes(file.inference.resolver).of(file.tests[0]).names == expected


def test_static_test_reads_nothing_of_self(open_module: OpenModule) -> None:
    file = opened(open_module, "@staticmethod\ndef test_it(self):\n    self.a\n")
    assert SelfAttributes(file.inference.resolver).of(file.tests[0]) == Reads()


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        (Reads(frozenset("a")), True),
        (Reads(frozenset("b")), False),
        (Reads(whole=True), True),
        (Reads(), False),
    ],
)
def test_attribute_is_among_those_read(reads: Reads, expected: bool) -> None:
    assert ("a" in reads) is expected


def test_function_reads_nothing_of_self(open_module: OpenModule) -> None:
    file = open_module("def test_it(self):\n    self.a\n")
    assert SelfAttributes(file.inference.resolver).of(file.tests[0]).names == frozenset()


def test_clean_up_of_a_base_counts_though_it_is_overridden(open_module: OpenModule) -> None:
    file = open_module(
        "import unittest\n"
        "class Base(unittest.TestCase):\n"
        "    def setUp(self):\n        self.old, self.new = 1, 2\n"
        "    def tearDown(self):\n        self.old\n"
        "class Tests(Base):\n"
        "    def tearDown(self): pass\n"
        "    def test_it(self): pass\n"
    )
    cls = file.tests[0].cls
    assert cls is not None
    reads = SelfAttributes(file.inference.resolver)
    found = SetupFinder(file.fixtures, file.inference, reads).of(cls)
    assert [one.name for one in found] == ["new"]
