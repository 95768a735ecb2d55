"""Which methods of its unit a test calls, and the part that each call plays."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates.model.units.production import ProductionCall, methods_under_test

OpenModule = Callable[..., FileContext]
CallsOf = Callable[..., list[ProductionCall]]

PRODUCTION = """
    import collections

    class Box(collections.UserDict):
        @classmethod
        def of(cls, *items):
            box = cls()
            box.add(items)
            return box

        @classmethod
        def limit(cls):
            return 3

        @property
        def size(self):
            return 0

        def add(self, item): ...
        def drop(self): ...
        def get_all(self): ...
        def plain(self):
            '''Says what it holds.'''
            return self.data
        def hold(self): ...
        def close(self): ...
        def encode(self): ...
        def decode(self, data): ...
        def _secret(self): ...
        def __call__(self): ...
        def copy_of(self) -> "Box": ...
        turn = marked(collections.UserDict.copy)
        part = Part()
    class Part:
        def __call__(self): ...
    """


@pytest.fixture
def calls_of(open_module: OpenModule) -> CallsOf:
    """The production calls of a test method with this body, in a class that is named after Box."""

    def find(body: str, before: str = "", name: str = "test_it") -> list[ProductionCall]:
        text = (
            f"import pytest\nfrom production import Box\n{before}\n"
            f"class TestBox:\n    def {name}(self):\n{indent(body, '        ')}\n"
        )
        file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
        return file.production_calls(file.tests[0])

    return find


def role(call: ProductionCall) -> str:
    """One word for the part of a call."""
    if call.observes:
        return "observes"
    if call.cleans_up:
        return "cleans up"
    return "acts" if call.checked else "sets up"


HELPERS = """\
def go(box):
    box.add(1)

def one(box): two(box)
def two(box): three(box)
def three(box): four(box)
def four(box):
    box.add(1)
    five(box)
def five(box): box.drop()
"""


@pytest.mark.parametrize(
    ("body", "methods"),
    [
        pytest.param("Box().add(1)", ["add"], id="method"),
        pytest.param("box = Box()\nbox.add(1)\nbox.drop()", ["add", "drop"], id="in order"),
        pytest.param("box = Box.of(1)\nbox.drop()", ["drop"], id="alternative constructor"),
        pytest.param("assert Box.of(1) == {1: 1}", ["of"], id="what it makes is compared"),
        pytest.param("box = Box.of(1)\nassert box == {1: 1}", ["of"], id="compared by its name"),
        pytest.param("box = Box.of(1)\nassert box.data == {}", [], id="a part is compared"),
        pytest.param("assert Box.of(1) == Box.of(2)", [], id="two made alike are compared"),
        pytest.param("assert Box.of(1) == Box.limit()", ["limit"], id="compared with its kind"),
        pytest.param("assert Box.of(1) != 2", [], id="inequality is tested"),
        pytest.param(
            "box = Box()\nother = Box.of(box.encode())\nassert other == box",
            ["encode", "of"],
            id="round trip",
        ),
        pytest.param(
            "with pytest.raises(ValueError):\n    Box.of(1)", ["of"], id="constructor that raises"
        ),
        pytest.param("pytest.raises(ValueError, Box.of, 1)", ["of"], id="handed to raises to make"),
        pytest.param(
            "with pytest.raises(ValueError):\n    Box.of(1).drop()", ["drop"], id="then acted on"
        ),
        pytest.param("assert Box.limit() == 3", ["limit"], id="other class method"),
        pytest.param("Box()()", [], id="dunder"),
        pytest.param("Box()._secret()", [], id="private"),
        pytest.param("assert Box().size == 0", [], id="property"),
        pytest.param("with Box().hold():\n    pass", [], id="entering"),
        pytest.param("with Box() as box:\n    box.add(1)", ["add"], id="inside a manager"),
        pytest.param("pytest.raises(ValueError, Box().add, 1)", ["add"], id="handed to raises"),
        pytest.param(
            "self.assertRaisesRegex(ValueError, 'no', Box().add, 1)", ["add"], id="after a pattern"
        ),
        pytest.param("box = Box()\n@box.add\ndef f(): ...", [], id="bare decorator"),
        pytest.param(
            "box = Box()\n@box.add(1)\ndef f(): ...", ["add"], id="decorator that is called"
        ),
        pytest.param("add = Box().add\nadd(1)", ["add"], id="bound method"),
        pytest.param("Box().copy_of().drop()", ["copy_of", "drop"], id="chain"),
        pytest.param("def go():\n    Box().add(1)\ngo()", ["add"], id="nested function"),
        pytest.param("box = Box()\nbox.update(a=1)", ["update"], id="inherited from the library"),
        pytest.param("for box in [Box(), Box()]:\n    box.add(1)", ["add"], id="element"),
        pytest.param("box = object()\nbox.add(1)", [], id="other object"),
        pytest.param("class Mine(Box): ...\nMine().add(1)", ["add"], id="subclass in the tests"),
        pytest.param("class Mine(Box):\n    def add(self): ...\nMine().add()", [], id="its own"),
        pytest.param("call = lambda: Box().add(1)", ["add"], id="lambda"),
        pytest.param("with box as other:\n    Box().add(1)", ["add"], id="manager by a name"),
        pytest.param("Box.update(1)", [], id="of the library, on the class"),
        pytest.param("Box().data.clear()", [], id="method of a part"),
        pytest.param("Box().turn()", ["turn"], id="method that a wrapper makes"),
        pytest.param("Box().part()", [], id="part that is called"),
        pytest.param("add = Box().add\nadd = 1\nadd(1)", [], id="bound method replaced"),
        pytest.param("[Box().add][0](1)", [], id="method in a list"),
        pytest.param("Box().add = 1\nBox().add(1)", [], id="fake in its place"),
        pytest.param("box = Box()\nbox.drop = 1\nbox.add(1)", ["add"], id="fake for another"),
        pytest.param("pytest.raises(ValueError, go, Box())", ["add"], id="helper that raises"),
        pytest.param("one(Box())", ["add"], id="helpers four deep"),
        pytest.param("self.assertEqual(Box().add(1), Box().drop())", ["add", "drop"], id="method"),
        pytest.param("self.assertTrue(1, Box().add(1))", ["add"], id="message"),
        pytest.param("self.assertTrue(1, 2, msg=Box().add(1))", ["add"], id="keyword"),
        pytest.param("list(map(Box().add, [1]))", ["add"], id="handed to map"),
        pytest.param("sorted([1], key=Box().encode)", ["encode"], id="handed over as a key"),
        pytest.param("Thread(target=Box().drop)", ["drop"], id="handed to a thread"),
        pytest.param("loop.run_in_executor(None, Box().drop)", ["drop"], id="in an executor"),
        pytest.param("partial(Box().add, 1)", ["add"], id="handed to partial"),
        pytest.param("print(Box().add)", [], id="handed to something else"),
        pytest.param("getattr(Box(), 'add')(1)", ["add"], id="method by its name"),
        pytest.param("getattr(Box(), unknown)(1)", [], id="method by an unknown name"),
        pytest.param("stack.enter_context(Box().hold())", [], id="entering by a stack"),
        pytest.param("f = lambda: Box()\nf().add(1)", ["add"], id="made by a lambda"),
        pytest.param(
            "def go(box):\n    box.add(1)\npool.submit(go, Box())", ["add"], id="passed by others"
        ),
        pytest.param("def go(box):\n    box.add(1)\ngo(box=Box())", ["add"], id="passed by name"),
        pytest.param("def go(box):\n    box.add(1)\ngo(Box())\ngo(1)", [], id="passed or not"),
    ],
)
def test_calls(calls_of: CallsOf, body: str, methods: list[str]) -> None:
    assert [call.method for call in calls_of(body, HELPERS)] == methods


def test_calls_of_helpers_run_in_their_place(calls_of: CallsOf) -> None:
    helper = "def fill(box):\n    box.add(1)\n"
    calls = calls_of("box = Box()\nfill(box)\nbox.drop()", helper)
    assert [(call.method, call.in_helper) for call in calls] == [("add", True), ("drop", False)]


def test_assertions_of_a_helper_stand_where_they_are_written(calls_of: CallsOf) -> None:
    helper = "def setup_box(box):\n    box.add(1)\n    assert box.data\n"
    calls = calls_of("box = Box()\nsetup_box(box)\nbox.drop()\nassert 1", helper)
    assert [role(call) for call in calls] == ["acts", "acts"]


def test_asserting_method_in_a_helper_checks(calls_of: CallsOf) -> None:
    helper = "def setup_box(case, box):\n    box.add(1)\n    case.assertTrue(box.data)\n"
    calls = calls_of("box = Box()\nsetup_box(self, box)\nbox.drop()\nassert 1", helper)
    assert [role(call) for call in calls] == ["acts", "acts"]


def test_manager_of_the_tests_runs_around_the_body(calls_of: CallsOf) -> None:
    helper = (
        "import contextlib\n@contextlib.contextmanager\ndef filled():\n    box = Box()\n"
        "    box.add(1)\n    yield box\n    box.drop()\n"
    )
    calls = calls_of("with filled() as box:\n    box.encode()\n    assert 1", helper)
    assert [(call.method, role(call)) for call in calls] == [
        ("add", "sets up"),
        ("encode", "acts"),
        ("drop", "sets up"),
    ]


def test_assertion_in_a_nested_function_checks_nothing_before_it(calls_of: CallsOf) -> None:
    body = "box = Box()\nbox.add(1)\ndef check(x):\n    assert x\nbox.drop()\nassert 1"
    assert [role(call) for call in calls_of(body)] == ["sets up", "acts"]


def test_production_functions_are_not_followed(open_module: OpenModule) -> None:
    files = {
        "production.py": PRODUCTION,
        "tools.py": "from production import Box\ndef fill(box: Box):\n    box.add(1)\n",
        "test_x.py": (
            "from production import Box\nfrom tools import fill\n"
            "class TestBox:\n    def test_it(self):\n        box = Box()\n        fill(box)\n        box.drop()\n"
        ),
    }
    file = open_module(files, "test_x.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == ["drop"]


def test_helpers_that_call_each_other_end(calls_of: CallsOf) -> None:
    helpers = "def ping(box):\n    box.add(1)\n    pong(box)\ndef pong(box):\n    ping(box)\n"
    assert [call.method for call in calls_of("ping(Box())", helpers)] == ["add"]


def test_block_of_a_helper_runs_where_the_helper_yields(calls_of: CallsOf) -> None:
    helper = (
        "import contextlib\n@contextlib.contextmanager\ndef around(box):\n"
        "    kept = [1]\n    box.add(1)\n    yield kept\n    box.close()\n"
    )
    calls = calls_of("box = Box()\nwith around(box):\n    box.drop()", helper)
    assert [call.method for call in calls] == ["add", "drop", "close"]


def test_what_a_helper_in_an_assertion_calls_acts(calls_of: CallsOf) -> None:
    helper = "def filled() -> Box:\n    box = Box()\n    box.get_all()\n    return box\n"
    calls = calls_of("assert filled().plain()", helper)
    assert [(call.method, role(call)) for call in calls] == [
        ("get_all", "acts"),
        ("plain", "observes"),
    ]


@pytest.mark.parametrize(
    ("base", "methods"),
    [
        pytest.param("object", [], id="object"),
        pytest.param("collections.UserDict", ["update"], id="class of a library"),
        pytest.param("nowhere.Base", ["update"], id="class that can't be found"),
    ],
)
def test_methods_of_an_external_base(
    base: str, methods: list[str], open_module: OpenModule
) -> None:
    files = {
        "production.py": f"import collections, nowhere\nclass Box({base}): ...\n",
        "test_x.py": (
            "from production import Box\n"
            "class TestBox:\n    def test_it(self):\n        Box().update(a=1)\n"
        ),
    }
    file = open_module(files, "test_x.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == methods


@pytest.mark.parametrize(
    ("body", "roles"),
    [
        pytest.param("box.add(1)\nassert box.get_all()", ["acts", "observes"], id="getter"),
        pytest.param("box.add(1)\nassert box.plain()", ["acts", "observes"], id="attribute"),
        pytest.param("found = box.get_all()\nassert found", ["acts"], id="getter outside"),
        pytest.param("with pytest.raises(KeyError):\n    box.get_all()", ["acts"], id="raises"),
        pytest.param("box.add(1)\nbox.drop()\nassert 1", ["sets up", "acts"], id="set-up"),
        pytest.param("box.add(1)\nassert 1\nbox.drop()\nassert 1", ["acts", "acts"], id="in turn"),
        pytest.param(
            "assert box.decode(box.encode())", ["sets up", "acts"], id="round trip: the way back"
        ),
        pytest.param("box.add(1)\nbox.drop()", ["sets up", "sets up"], id="nothing asserted"),
        pytest.param("assert box.drop(box.add(1))", ["sets up", "acts"], id="argument"),
        pytest.param(
            "x = box.add(1)\ny = box.drop()\nassert x == y", ["sets up", "acts"], id="last"
        ),
        pytest.param("assert box.add(1) == box.drop()", ["acts", "sets up"], id="expected value"),
        pytest.param("assert box.add(1) and box.drop()", ["acts", "acts"], id="both in one"),
        pytest.param("expected = box.add(1)\nassert expected == 1", ["sets up"], id="by its name"),
        pytest.param("box.add(1)\nbox[0] = 1\nassert 1", ["sets up"], id="for a dunder"),
        pytest.param("x = box.add(1)\nx.go(2)\nassert x", ["sets up"], id="for its result"),
        pytest.param("x = box.add(1)\ny = x.read()\nassert y", ["acts"], id="result is read"),
        pytest.param("assert box.add(1).json() == 1", ["acts"], id="result is read in place"),
        pytest.param("box.add(1)\nassert 1\nbox.close()", ["acts", "cleans up"], id="clean-up"),
        pytest.param("box.close()\nassert box.data is None", ["acts"], id="clean-up looked at"),
        pytest.param(
            "try:\n    box.add(1)\nfinally:\n    x = 1\nbox.close()\nassert x",
            ["sets up", "acts"],
            id="after a finally",
        ),
        pytest.param("box.add(1)\nself.assertTrue(1)", ["acts"], id="asserting method"),
        pytest.param(
            "assert box.copy_of() == box.copy_of()", ["sets up", "sets up"], id="two of a kind"
        ),
        pytest.param(
            "assert box.copy_of() == box.decode(1)", ["acts", "sets up"], id="two of two kinds"
        ),
        pytest.param("x = box.copy_of()\nassert x == box", ["acts"], id="compared with a result"),
        pytest.param("x = box.copy_of()\nassert x < box", ["sets up"], id="ordered result"),
        pytest.param("assert box.copy_of() < box", ["sets up"], id="ordered in place"),
        pytest.param("x = box.drop()\nassert x < 3", ["acts"], id="ordered plain result"),
        pytest.param(
            "assert box.add(1) == 1 and box.drop()", ["acts", "acts"], id="after a comparison"
        ),
        pytest.param(
            "assert box.drop() and 1 == box.add(1)", ["acts", "acts"], id="before a comparison"
        ),
    ],
)
def test_roles(calls_of: CallsOf, body: str, roles: list[str]) -> None:
    assert [role(call) for call in calls_of(f"box = Box()\n{body}")] == roles


@pytest.mark.parametrize(
    ("name", "body", "methods"),
    [
        ("test_it", "box.add(1)\nbox.drop()", []),
        ("test_it", "box.add(1)\nbox.drop()\nassert 1", ["drop"]),
        ("test_it", "box.add(1)\nassert box.get_all()", ["add", "get_all"]),
        ("test_it", "assert box.get_all()", ["get_all"]),
        ("test_close", "assert 1\nbox.close()", []),
        ("test_it", "box.close()\nassert 1", ["close"]),
    ],
)
def test_methods_under_test(calls_of: CallsOf, name: str, body: str, methods: list[str]) -> None:
    assert methods_under_test(calls_of(f"box = Box()\n{body}", name=name)) == methods


FUNCTIONS = """
    from elsewhere import imported

    def parse(text): ...
    def is_valid(text): ...
    def get_state(): ...
    def join(parts): ...
    def _hidden(text): ...

    class _Tool:
        def load(self, text): ...

    _tool = _Tool()
    load = _tool.load
    lower = lambda text: text.lower()
    """


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        pytest.param("assert production.parse('a')", ["parse acts"], id="through the module"),
        pytest.param("assert parse('a')", ["parse acts"], id="imported"),
        pytest.param("assert again('a')", ["parse acts"], id="alias"),
        pytest.param("imported('a')", [], id="of another module"),
        pytest.param("production._hidden('a')", [], id="private"),
        pytest.param("assert load('a')", ["load acts"], id="name for a bound method"),
        pytest.param("assert lower('a')", ["lower acts"], id="name for a lambda"),
        pytest.param("assert is_valid('a')", ["is_valid observes"], id="predicate"),
        pytest.param(
            "x = parse('a')\nassert is_valid(x)",
            ["parse acts", "is_valid observes"],
            id="predicate on a result",
        ),
        pytest.param("assert join(['a'])", ["join acts"], id="function named like a clean-up"),
    ],
)
def test_functions(open_module: OpenModule, body: str, calls: list[str]) -> None:
    text = (
        "import production\n"
        "from production import get_state, imported, is_valid, join, load, lower, parse\n"
        "from production import parse as again\n"
        f"def test_it():\n{indent(body, '    ')}\n"
    )
    files = {
        "production.py": FUNCTIONS,
        "elsewhere.py": "def imported(text): ...\n",
        "test_production.py": text,
    }
    file = open_module(files, "test_production.py")
    found = [f"{call.method} {role(call)}" for call in file.production_calls(file.tests[0])]
    assert found == calls


def test_constructor_only_serves_a_test_of_equality(calls_of: CallsOf) -> None:
    assert calls_of("assert Box.of(1) == {1: 1}", name="test_equality") == []


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("[make, other]", id="written out"),
        pytest.param("MAKERS", id="by a name"),
        pytest.param("[(make), pytest.param(other, id='b')]", id="with a name for a row"),
    ],
)
def test_objects_of_functions_out_of_a_table(open_module: OpenModule, table: str) -> None:
    text = (
        "import pytest\nfrom production import MAKERS, make, other\n"
        f"@pytest.mark.parametrize('maker', {table})\n"
        "class TestBox:\n    def test_it(self, maker):\n        maker().add(1)\n"
    )
    makers = (
        "    def make(): return Box()\n    def other(): return Box()\n    MAKERS = [make, other]\n"
    )
    files = {"production.py": f"{PRODUCTION.rstrip(' ')}{makers}", "test_x.py": text}
    file = open_module(files, "test_x.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == ["add"]


def test_objects_out_of_a_column_of_a_table_with_a_name(open_module: OpenModule) -> None:
    text = (
        "import pytest\nfrom production import Box\nTABLE = [(1, Box()), (2, Box())]\n"
        "@pytest.mark.parametrize('number, box', TABLE)\n"
        "class TestBox:\n    def test_it(self, number, box):\n        box.add(number)\n"
    )
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == ["add"]


def test_object_that_a_module_publishes_to_be_called(open_module: OpenModule) -> None:
    files = {
        "codec.py": """
            class Decoder:
                def __call__(self, data): return data

            class Mute: ...

            decode = Decoder()
            mute = Mute()
        """,
        "test_codec.py": "import codec\ndef test_it():\n    assert codec.decode(1) == codec.mute()\n",
    }
    file = open_module(files, "test_codec.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == ["decode"]


def test_object_that_set_up_keeps_under_a_global_name(open_module: OpenModule) -> None:
    text = (
        "import unittest\nfrom production import Box\nbox = None\n"
        "class BoxTest(unittest.TestCase):\n"
        "    def setUp(self):\n        global box\n        box = Box()\n"
        "    def test_it(self):\n        box.add(1)\n"
    )
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    assert [call.method for call in file.production_calls(file.tests[0])] == ["add"]
