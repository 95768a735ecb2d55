"""What a name is bound to where it is read."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.python.names import Binding, Scope, binding_at, parameters, walk_function

OpenModule = Callable[..., FileContext]
Describe = Callable[..., str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Part()\nx = Thing()", "a Thing", id="the last binding"),
        pytest.param("y = Part()\nx = y\ny = Thing()", "a Part", id="the binding before the read"),
        pytest.param("x = Thing()\nx = x.part", "a Part", id="the older one on the right"),
        pytest.param("x = Thing()\nx += 2", "a Thing", id="changed in place"),
        pytest.param("x = (y := Thing())", "a Thing", id="walrus"),
        pytest.param("(x := Thing())", "a Thing", id="bound by a walrus"),
        pytest.param("x: Thing", "a Thing", id="declared"),
        pytest.param("x: Part = Thing()", "a Thing", id="annotated and assigned"),
        pytest.param("x, y = pair()", "a Thing", id="first of a pair"),
        pytest.param("y, x = pairs(1)", "a Part", id="the same in all pairs"),
        pytest.param("x, y = pairs(1)", "a Base", id="different in pairs"),
        pytest.param("y, x = single()", "unknown", id="no second"),
        pytest.param("x, y = 3", "unknown", id="no pair"),
        pytest.param("x, y = open('a')", "unknown", id="pair of a library"),
        pytest.param("x, y = Thing(), Part()", "a Thing", id="two at once"),
        pytest.param("[y, x] = Thing(), Part()", "a Part", id="two at once in brackets"),
        pytest.param("*x, y = pair()", "unknown", id="the rest"),
        pytest.param("(x, z), y = pair()", "unknown", id="nested"),
        pytest.param("try: pass\nexcept ValueError as x: pass", "unknown", id="exception"),
        pytest.param("from factory import Part as P\nx = P()", "a Part", id="imported here"),
        pytest.param("import factory as f\nx = f.Thing.Inner()", "a Inner", id="module by alias"),
        pytest.param("x = factory", "module factory", id="module"),
        pytest.param("def x(): pass", "function x", id="function"),
        pytest.param("class x: pass", "class x", id="class"),
        pytest.param("class Own(Thing): pass\nx = Own().part", "a Part", id="base of a class"),
        pytest.param("K = Thing.Inner\nx = K()", "a Inner", id="alias of an attribute"),
        pytest.param("Thing = Thing\nx = Thing()", "unknown", id="a name for itself"),
        pytest.param(
            "x = Thing()\nx = (\n    x.part\n)", "a Part", id="the older one, lines below"
        ),
        pytest.param("x = 1\nx = 'a'; x = x + 'b'", "str", id="the older one, on one line"),
        pytest.param("x = x", "unknown", id="no older one"),
        pytest.param("x += 1", "unknown", id="only changed in place"),
        pytest.param("for *x, y in [pair()]: pass", "unknown", id="the rest of each"),
        pytest.param("for y, x in [pair()]: pass", "a Part", id="part of each"),
        pytest.param("with pair() as (x, y): pass", "a Thing", id="part of what entering gives"),
        pytest.param("y = [x for x in [Thing()]]", "a Thing", id="in a comprehension"),
        pytest.param("async for x in [Thing()]: pass", "a Thing", id="async for"),
        pytest.param("f = lambda x: 1\nx = Thing()", "a Thing", id="parameter of a lambda"),
        pytest.param(
            "def f():\n    x = 1\nx = Thing()\ndef g():\n    x = 1", "a Thing", id="inner"
        ),
        pytest.param("class A:\n    x = 1\n    y = (x := 2)\nx", "test_x.x", id="of a class"),
    ],
)
def test_bound_name(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize(
    "signature", ["Thing", "Thing, /", "*Thing", "*, Thing", "**Thing"], ids=lambda text: text
)
def test_every_sort_of_parameter_hides_a_name_of_the_module(
    signature: str, describe: Describe
) -> None:
    assert describe("x = Thing()", signature) == "unknown"


def test_parameters_stand_in_their_order() -> None:
    node = ast.parse("def f(a, /, b, *args, c, **rest): ...").body[0]
    assert isinstance(node, ast.FunctionDef)

    assert [one.arg for one in parameters(node)] == ["a", "b", "args", "c", "rest"]


@pytest.mark.parametrize(
    ("row", "expected"), [(1, 2), (2, 2), (3, 2), (4, 4), (5, 4)], ids=lambda row: f"{row}"
)
def test_binding_that_holds_at_a_row(row: int, expected: int) -> None:
    assert binding_at([Binding("value", 2), Binding("value", 4)], row).row == expected


@pytest.mark.parametrize(
    ("is_method", "signature", "expected"),
    [(True, "me, a", "me"), (True, "*all", "all"), (True, "", None), (False, "me", None)],
)
def test_name_of_the_object_in_a_method(
    is_method: bool, signature: str, expected: str | None, open_module: OpenModule
) -> None:
    file = open_module(f"def test_it({signature}): ...\n")
    function = file.module.functions["test_it"]

    assert Scope(file.module, function, is_method=is_method).self_name == expected


def test_a_module_has_no_object(open_module: OpenModule) -> None:
    assert Scope(open_module("").module, is_method=True).self_name is None


def test_nodes_of_a_function_come_in_the_order_of_the_source() -> None:
    node = ast.parse("def f():\n    a(b)\n    def g(): c\n").body[0]
    names = [part.id for part in walk_function(node) if isinstance(part, ast.Name)]

    assert names == ["a", "b", "c"]


def test_nodes_of_a_lambda_are_those_of_its_expression() -> None:
    node = ast.parse("lambda a: b + c", mode="eval").body

    assert [n.id for n in walk_function(node) if isinstance(n, ast.Name)] == ["b", "c"]


def test_scopes_let_go_of_what_was_found_out(open_module: OpenModule) -> None:
    scope = Scope(open_module("").module)
    inner = scope.inner(ast.parse("lambda: 1", mode="eval").body)  # type: ignore[arg-type]
    deep = inner.inner(ast.parse("lambda: 2", mode="eval").body)  # type: ignore[arg-type]
    deep.arguments["a"] = (ast.Constant(1), scope)
    scope.memo["kept"] = (inner, deep)
    scope.dissolve()

    assert [one.memo or one.arguments for one in (scope, inner, deep)] == [{}, {}, {}]


def test_a_parameter_hides_a_name_of_the_module(describe: Describe) -> None:
    assert describe("x = Thing()", "Thing") == "unknown"
