"""The shape of a function as written: decorators, returns, what it keeps, what it asks for."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.python import shapes
from socrates.model.python.module import FunctionNode


def function(text: str) -> FunctionNode:
    node = ast.parse(text).body[0]
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return node


def shown(expressions: list[ast.expr]) -> list[str]:
    return [ast.unparse(one) for one in expressions]


@pytest.mark.parametrize(
    ("question", "decorator", "answer"),
    [
        (shapes.is_context_manager, "contextmanager", True),
        (shapes.is_context_manager, "contextlib.asynccontextmanager", True),
        (shapes.is_context_manager, "contextmanager.other", False),
        (shapes.is_context_manager, "other", False),
        (shapes.is_fixture_like, "pytest.fixture(scope='module')", True),
        (shapes.is_fixture_like, "patch('a.b')", False),
        (shapes.is_property, "property", True),
        (shapes.is_property, "functools.cached_property", True),
        (shapes.is_property, "size.setter", True),
        (shapes.is_property, "size.getter", True),
        (shapes.is_property, "size.deleter", False),
        (shapes.is_property, "other", False),
        (shapes.is_static, "staticmethod", True),
        (shapes.is_static, "classmethod", False),
        (shapes.is_classmethod, "classmethod", True),
        (shapes.is_classmethod, "staticmethod", False),
    ],
)
def test_decorator(question: Callable[[FunctionNode], bool], decorator: str, answer: bool) -> None:
    node = function(f"@first\n@{decorator}\ndef f(self): ...")

    assert question(node) is answer


@pytest.mark.parametrize(
    "node", [None, ast.parse("lambda: 0", mode="eval").body], ids=["no function", "lambda"]
)
def test_no_class_is_passed_to(node: ast.Lambda | None) -> None:
    assert shapes.is_classmethod(node) is False


EVERYWHERE = """
def f(x):
    def inner():
        yield 1
        return 2
    if x:
        return 3
    else:
        yield 4
    try:
        yield
    except Oops:
        return 5
    finally:
        yield 6
    match x:
        case 1:
            return
    return 7
"""


def test_returns_are_those_of_the_function_itself() -> None:
    assert shown(shapes.returned(function(EVERYWHERE))) == ["3", "5", "7"]


def test_what_is_yielded_without_a_value_or_by_others_is_left_out() -> None:
    assert shown(shapes.yielded(function(EVERYWHERE))) == ["4", "6"]


@pytest.mark.parametrize(
    ("parameters", "body", "expected"),
    [
        pytest.param("self", "self.a = 1", {"a": ["1"]}, id="value"),
        pytest.param("self", "self.a = self.b = 1", {"a": ["1"], "b": ["1"]}, id="two targets"),
        pytest.param("self", "self.a: int = 1", {"a": ["1"]}, id="annotated"),
        pytest.param("self", "self.a: int", {}, id="only annotated"),
        pytest.param("self", "self.a = 1; self.a = 2", {"a": ["1", "2"]}, id="twice"),
        pytest.param("self", "self.a, self.b = 1, 2", {"a": ["1"], "b": ["2"]}, id="pair"),
        pytest.param("self", "[self.a, b] = [1, 2]", {"a": ["1"]}, id="list"),
        pytest.param("self", "self.a, self.b = f()", {"a": ["f()"], "b": ["f()"]}, id="unpacked"),
        pytest.param("self", "with f() as self.a: pass", {"a": ["f()"]}, id="with"),
        pytest.param("self", "with f(), g() as self.a: pass", {"a": ["g()"]}, id="second with"),
        pytest.param("self", "if x:\n        self.a = 1", {"a": ["1"]}, id="in a branch"),
        pytest.param("self", "self.a += 1", {}, id="in place"),
        pytest.param("self", "other.a = 1", {}, id="of another"),
        pytest.param("self", "self.a.b = 1", {}, id="of an attribute"),
        pytest.param("self", "a = 1", {}, id="local"),
        pytest.param("me, /", "me.a = 1", {"a": ["1"]}, id="by position only"),
        pytest.param("", "self.a = 1", {}, id="no parameter"),
    ],
)
def test_attributes_that_a_method_assigns(
    parameters: str, body: str, expected: dict[str, list[str]]
) -> None:
    found = shapes.self_assignments(function(f"def f({parameters}):\n    {body}\n"))

    assert {name: shown(values) for name, values in found.items()} == expected


def test_async_with_assigns_too() -> None:
    found = shapes.self_assignments(
        function("async def f(self):\n    async with g() as self.a: pass")
    )

    assert {name: shown(values) for name, values in found.items()} == {"a": ["g()"]}


@pytest.mark.parametrize(
    ("expression", "decorator", "expected"),
    [
        pytest.param("request.param", "fixture(scope=1, params=[1])", "[1]", id="params"),
        pytest.param("request.param", "fixture", None, id="not called"),
        pytest.param("request.param", "fixture(scope='module')", None, id="without params"),
        pytest.param("request.node", "fixture(params=[1])", None, id="another attribute"),
        pytest.param("other.param", "fixture(params=[1])", None, id="of another"),
        pytest.param("a.request.param", "fixture(params=[1])", None, id="deeper"),
    ],
)
def test_params_that_a_fixture_gets(expression: str, decorator: str, expected: str | None) -> None:
    asked = ast.parse(expression, mode="eval").body
    assert isinstance(asked, ast.Attribute)
    found = shapes.requested_params(asked, function(f"@{decorator}\ndef f(request): ..."))

    assert (found and ast.unparse(found)) == expected


def test_a_lambda_has_no_params() -> None:
    asked = ast.parse("request.param", mode="eval").body
    node = ast.parse("lambda: 0", mode="eval").body
    assert isinstance(asked, ast.Attribute)
    assert isinstance(node, ast.Lambda)

    assert shapes.requested_params(asked, node) is None


def test_texts_passed_by_a_keyword() -> None:
    body = "g(name='a', other='b')\n    h(name=1, **rest)\n    k(name=x)\n    l(name='c')"
    node = function(f"def f():\n    {body}\n")

    assert shown(shapes.keyword_values(node, "name")) == ["'a'", "'c'"]


def test_no_function_passes_no_text() -> None:
    assert shapes.keyword_values(None, "name") == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", None), ("b", "1"), ("c", "2"), ("args", None), ("d", None), ("e", "3"), ("z", None)],
)
def test_default_of_a_parameter(name: str, expected: str | None) -> None:
    node = function("def f(a, b=1, /, c=2, *args, d, e=3): ...")
    found = shapes.default_of(node.args, name)

    assert (found and ast.unparse(found)) == expected
