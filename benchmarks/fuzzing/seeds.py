"""What mutants are made of: tests, production code, settings and results that are sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from socrates import registry
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.store.scenario_files import ScenarioFile, to_text

REPOSITORY = Path(__file__).parents[2]

PRODUCTION = b'''\
"""A shop."""
from __future__ import annotations

import dataclasses
from typing import overload

PRICES: dict[str, int] = {"apple": 2}


@dataclasses.dataclass
class Cart:
    """Things and how many of them."""

    limit: int = 100
    items: dict = dataclasses.field(default_factory=dict)

    def add(self, name, count=1, *more, key=None, **options):
        self.items[name] = self.items.get(name, 0) + count
        return self

    @property
    def total(self):
        return sum(PRICES[name] * n for name, n in self.items.items())

    async def send(self):
        async with self.lock as held:
            yield [x async for x in held if x]

    def __str__(self):
        match self.items:
            case {"apple": 1, **rest} if rest:
                return f"{rest!r:>{self.limit}}"
            case [Cart(limit=n), *_] | (n, _):
                return str(n)
        return ""


def verify(cart, expected=3):
    try:
        assert cart.total == expected, "the total"
    except* ValueError as group:
        raise group from None
'''
CONFTEST = b"""\
import pytest

from shop import Cart


@pytest.fixture(params=[1, 2], autouse=False, scope="module")
def cart(request):
    made = Cart(request.param)
    yield made
    made.items.clear()


@pytest.fixture
def full(cart, tmp_path):
    return cart.add("apple", 3), tmp_path
"""
TESTS = b"""\
import unittest

import pytest

from shop import Cart, verify


class TestCart:
    def setup_method(self):
        self.cart = Cart(limit=3)
        self.other = Cart()

    @pytest.mark.parametrize("count", [1, 2])
    def test_add(self, full, count):
        self.cart.add("apple", count)
        self.cart.add("pear")
        assert self.cart.items["apple"] == count
        assert self.cart.total == 2
        verify(self.cart)

    def test_text(self, tmp_path):
        path = tmp_path / "cart.txt"
        path.write_text(str(self.cart))
        with open("prices.txt") as stream, pytest.raises(ValueError, match="no"):
            assert stream.read() == path.read_text()


class CartCase(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_total(self):
        with self.subTest("empty"):
            self.assertEqual(self.cart.total, 0)
        self.assertTrue(self.cart)
        self.assertIn("x", str(self.cart))  # socrates: ignore[SOC106] it is the text


async def test_send(cart):
    assert [each async for each in cart.send()] == []  # socrates: ignore
    assert (n := cart.total) and not n
"""
PYTHON_WORDS = (
    *("def test_a(self):\n", "async ", "await ", "class TestX:\n", "lambda x: ", "yield", "return"),
    *(
        "import *",
        "from . import x",
        "@pytest.fixture\n",
        "@pytest.mark.skip\n",
        "assert ",
        "del x",
    ),
    *(
        "global test_add",
        "nonlocal cart",
        "match x:\n    case ",
        "except* E:",
        "try:\n",
        "finally:\n",
    ),
    *("f'{a!r:>{w}}'", 'f"""{', "'''", '"""', "b'\\xff'", "r'\\'", "0o7", "1_0", "1j", "..."),
    *("# socrates: ignore[SOC101]", "# socrates: ignore-file", "# type: ignore", "# fmt: off\n"),
    *("self.assertEqual(1, 1)", "self.fail()", "super().setUp()", "pytest.raises(E)", "open('x')"),
    *(":=", "->", "**", "*", "//", "@", "=", ":", ",", ".", "(", ")", "[", "]", "{", "}", "\\\n"),
    *("if x:\n", "else:\n", "elif y:\n", "for x in y:\n", "while 1:\n", "with a as b:\n", "pass"),
    *("type X[T] = int\n", "def f[T: int](x: T, /, *, y): ...\n", "class C[T](B): ...\n", "\x0c"),
    *("setUp", "setup_module", "tmp_path", "cart", "Cart", "shop", "not ", " in ", " is not "),
)
SETTINGS: dict[str, bytes] = {
    "socrates.toml": b"""\
select = ["SOC1"]
ignore = ["SOC104"]
extend-exclude = ["build", "**/old_*"]
fail-on = "warning"
output-format = "concise"
cache-dir = ".socrates_cache"
strict = false
[rules.assertion-roulette]
max-unexplained = 3
assertion-helpers = ["verify", "check_*"]
[per-file-ignores]
"tests/*" = ["SOC101"]
[amplify]
jobs = "2"
explorer = "socratic"
faults = ["duplicate", "timeout"]
recovery = "12.5s"
include = ["Cart*"]
""",
    "pyproject.toml": b"""\
[project]
name = "shop"
version = "1"
[tool.socrates]
select = ["SOC101", "SOC105"]
min-severity = "info"
[tool.socrates.amplify]
budget = 100
[tool.pytest.ini_options]
addopts = "-q --strict-markers -p no:cacheprovider --import-mode=importlib -k 'not x'"
testpaths = ["tests", "t*"]
python_files = ["test_*.py", "*_check.py"]
python_classes = ["Test*", "*Case"]
python_functions = ["test_*", "check_*"]
norecursedirs = [".*", "build"]
pythonpath = [".", "src"]
""",
    "pytest.ini": b"""\
[pytest]
addopts = --setup-plan -x --junitxml=report.xml
    -p mine
testpaths = tests t*
python_files = test_*.py check_*.py
python_classes = Test *Case
norecursedirs = .* build
consider_namespace_packages = true
""",
    "setup.cfg": b"[metadata]\nname = shop\n[tool:pytest]\naddopts = -ra\ntestpaths = .\n",
    "tox.ini": b"[tox]\nenvlist = py\n[pytest]\npython_files = *.py\npython_functions = test\n",
    ".gitignore": b"build/\n*.log\n!keep.log\n/a*b*c*\n**/x/**\n[a-z]?.py\n\\#x\n",
}
SETTINGS_WORDS = (
    *(
        "[tool.socrates]\n",
        "[tool.pytest.ini_options]\n",
        "[pytest]\n",
        "[[x]]\n",
        "select",
        "ignore",
    ),
    *("addopts", "testpaths", "python_files", "= [", "]", "= {", "}", '"""', "'''", "1979-05-27"),
    *(
        "true",
        "false",
        "inf",
        "nan",
        "0x1F",
        "1e9",
        "[rules.eager-test]\n",
        "[amplify]\n",
        "strict",
    ),
    *(
        "cache-dir = '../x'\n",
        "baseline = '/etc/passwd'\n",
        "**/" * 20,
        "[!a]",
        "\\",
        "*.py",
        "../..",
    ),
    *("exclude = ['']\n", "jobs = 0\n", "jobs = 10000000000\n", "timeout = -1\n", "a.b.c = 1\n"),
)


def test_files() -> list[bytes]:
    """Our own sample, the code of every rule's examples, and small tests of this repository."""
    examples = [
        list(example.texts.values())[-1].encode()
        for entry in registry.installed().rules.values()
        for example in entry.rule.examples
    ]
    ours = sorted((REPOSITORY / "tests").rglob("test_*.py"))
    small = [path.read_bytes() for path in ours if path.stat().st_size < 3000]
    return [*[TESTS] * 40, *examples, *small]


def scenario() -> Any:
    """A scenario file as ``amplify`` writes it, as data."""
    fault = Fault("t1", "duplicate", "test", "Cart#1", "Add(1)")
    failure = Failure("AssertionError", "assert 2 == 1", "tests/test_shop.py:3", "Cart#1")
    nodeid = "tests/test_shop.py::TestCart::test_add[1-a b]"
    file = ScenarioFile(nodeid, Scenario.of([fault]), failure, "../..", "a" * 64)
    return json.loads(to_text(file))


def outcome() -> Outcome:
    """What a store keeps."""
    fault = Fault("t1", "duplicate", "test", "Cart#1", "Add(1)")
    sent = Trace((Send("t1", "test", "Cart#1", "Add(1)", "d", None),))
    failure = Failure("AssertionError", "assert 2 == 1", "tests/test_shop.py:3", "Cart#1")
    return Outcome(Scenario.of([fault]), Verdict.FAIL, failure, trace=sent)
