"""Which attributes a set-up function reads to build others, and which its inner functions read."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from socrates.model.suite.setup_flow import feeds, read_later


def function(body: str) -> ast.FunctionDef:
    node = ast.parse(f"def setUp(self):\n{indent(body, '    ')}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("self.b = Box(self.a)", {"ab"}, id="assigned"),
        pytest.param("self.c = self.b = Box(self.a)", {"ab", "ac"}, id="assigned twice"),
        pytest.param("self.b.part = self.a = Box()", {"ab"}, id="assigned and put into a part"),
        pytest.param("self.b: Box = Box(self.a)", {"ab"}, id="annotated"),
        pytest.param("self.b: Box", set(), id="only annotated"),
        pytest.param("self.b += self.a", {"ab"}, id="added to"),
        pytest.param("self.a = self.a + 1", set(), id="built from itself"),
        pytest.param("self.b, [self.c] = self.a", {"ab", "ac"}, id="unpacked"),
        pytest.param("self.b.part.more = self.a", {"ab"}, id="put into a part"),
        pytest.param("self.b[0] = self.a", {"ab"}, id="put under a key"),
        pytest.param("self.b.get(1).part = self.a", {"ab"}, id="put into what a call returns"),
        pytest.param("self.b.add(self.a)", {"ab"}, id="handed to a method"),
        pytest.param("self.b.add(1, part=self.a)", {"ab"}, id="handed by keyword"),
        pytest.param("self.b.add(self.b)", set(), id="handed to itself"),
        pytest.param("add(self.a)", set(), id="handed to a function"),
        pytest.param("self.b = other.a", set(), id="of another object"),
        pytest.param("other.b = self.a", set(), id="put into another object"),
        pytest.param("make().b = self.a", set(), id="put into the result of a function"),
        pytest.param("[0][0].b = self.a", set(), id="put into no name"),
        pytest.param("x = self.a\nself.b = x", {"ab"}, id="through a local name"),
        pytest.param("x = self.a\nx = self.b\nself.c = x", {"ac", "bc", "ba"}, id="either value"),
        pytest.param("x = Box()\nx.add(self.a)\nself.b = x", {"ab"}, id="filled before"),
        pytest.param("x = self.b\nx.add(self.a)", {"ab"}, id="filled by another name"),
        pytest.param("x = self.b\nx.add(self.b)", set(), id="filled with itself"),
        pytest.param("for x in self.a:\n    self.b.add(x)", {"ab"}, id="loop"),
        pytest.param("with self.a.open() as x:\n    self.b = x", {"ab"}, id="context"),
        pytest.param("with self.a, self.c as x:\n    self.b = x", {"cb"}, id="two contexts"),
        pytest.param("x = Box()\nself.a = x\nself.b = Box(x)", {"ab"}, id="also a local name"),
        pytest.param("self.a = x = Box()\nself.b = x.part", {"ab"}, id="named at once"),
        pytest.param("x = Box()\nself.b = Box(x)\nself.a = x", {"ab"}, id="named afterwards"),
        pytest.param("self.a = os\nself.b = os.open()", set(), id="name of a module"),
        pytest.param("class B:\n    x = self.a()\nself.b = B", {"ab"}, id="class"),
        pytest.param("class B(self.a): pass\nself.b = B()", {"ab"}, id="base of a class"),
        pytest.param("class B:\n    def f(self): self.a\nself.b = B", set(), id="other self"),
        pytest.param("def f(): return self.a\nself.b = f", {"ab"}, id="function"),
        pytest.param("def f(): self.a = 1\nself.b = f", set(), id="function that sets it"),
        pytest.param("@self.b.route('/')\ndef f(): self.a", {"ab"}, id="function registered with"),
    ],
)
def test_set_up_builds_from(body: str, expected: set[str]) -> None:
    assert {"".join(pair) for pair in feeds(function(body), "self")} == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("def get():\n    return self.a", {"a"}, id="function"),
        pytest.param("async def get():\n    return self.a", {"a"}, id="coroutine"),
        pytest.param("self.get = lambda: self.a", {"a"}, id="lambda"),
        pytest.param("self.b = self.a", set(), id="at once"),
        pytest.param("def get():\n    self.a = 1", set(), id="set"),
        pytest.param("def get():\n    return other.a", set(), id="of another object"),
        pytest.param("def get():\n    return make().a", set(), id="of no name"),
    ],
)
def test_inner_functions_read_later(body: str, expected: set[str]) -> None:
    assert read_later(function(body), "self") == expected
