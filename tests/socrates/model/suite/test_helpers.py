"""Which calls run helpers of the tests, and what those calls pass."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.suite.helpers import HelperCall, resolve_helper

OpenModule = Callable[..., FileContext]

FILES = {
    "shop.py": "def sell(x): ...\nclass Shop:\n    def sell(self): ...\n",
    "pkg/__init__.py": "",
    "pkg/testing.py": "def prepare(x): ...\n",
    "pkg/other.py": "def prepare(x): ...\n",
    "tests/conftest.py": "class Kit:\n    def tidy(self, x): ...\n",
    "tests/far_helpers.py": "class Far:\n    def reach(self, x): ...\n",
    "tests/tools.py": "from far_helpers import Far\nclass Near(Far): ...\ndef clean(x): ...\n",
    "tests/stars.py": "def shine(x): ...\n",
}
MODULE = """\
import pkg.other, shop
import tools
from conftest import Kit
from pkg import testing
from stars import *
from tools import Near, clean

def helper(x, y=2): ...

class TestIt(Near):
    def check(self, x): ...
    @staticmethod
    def plain(x): ...
    def test_it({first}):
        def inner(x): ...
        kit = Kit()
        far = Near()
        store = shop.Shop()
        {line}
"""


def resolved(open_module: OpenModule, line: str, first: str = "self") -> HelperCall | None:
    files = FILES | {"tests/test_it.py": MODULE.format(line=line, first=first)}
    file = open_module(files, "tests/test_it.py")
    last = file.tests[0].node.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    return resolve_helper(last.value, file.tests[0].scope, file.inference)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("helper(1)", "helper"),
        ("clean(1)", "clean"),
        ("tools.clean(1)", "clean"),
        ("shine(1)", "shine"),
        ("testing.prepare(1)", "prepare"),
        ("self.check(1)", "check"),
        ("self.plain(1)", "plain"),
        ("self.reach(1)", "reach"),
        ("kit.tidy(1)", "tidy"),
    ],
)
def test_helper(open_module: OpenModule, line: str, name: str) -> None:
    helper = resolved(open_module, line)
    assert (helper.function.node.name, list(helper.scope.arguments)) == (name, ["x"])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line",
    [
        "inner(1)",
        "print(1)",
        "unknown(1)",
        "self.unknown(1)",
        "shop.sell(1)",
        "store.sell()",
        "pkg.other.prepare(1)",
        "(lambda x: x)(1)",
        "far.reach(1)",
    ],
)
def test_no_helper(open_module: OpenModule, line: str) -> None:
    assert resolved(open_module, line) is None


@pytest.mark.parametrize("first", ["this", "cls"])
def test_helper_of_the_object_by_whatever_name(open_module: OpenModule, first: str) -> None:
    assert resolved(open_module, f"{first}.reach(1)", first) is not None


def test_answer_is_kept(open_module: OpenModule) -> None:
    file = open_module("def helper(): ...\ndef test_it():\n    helper()\n")
    call = next(node for node in ast.walk(file.tests[0].node) if isinstance(node, ast.Call))
    first = resolve_helper(call, file.tests[0].scope, file.inference)
    assert resolve_helper(call, file.tests[0].scope, file.inference) is first


@pytest.mark.parametrize("name", ["self", "cls"])
def test_helper_of_an_object_that_a_helper_was_handed(open_module: OpenModule, name: str) -> None:
    text = MODULE.format(line="through(self)", first="self")
    text += f"\ndef through({name}):\n    {name}.reach(1)\n"
    file = open_module(FILES | {"tests/test_it.py": text}, "tests/test_it.py")
    outer, inner = (
        next(n for n in ast.walk(body) if isinstance(n, ast.Call))
        for body in (file.tests[0].node.body[-1], file.module.functions["through"])
    )
    helper = resolve_helper(outer, file.tests[0].scope, file.inference)
    assert resolve_helper(inner, helper.scope, file.inference) is not None  # type: ignore[union-attr]
