"""Functions that a fix changes: what they request, their bodies, their comments."""

from __future__ import annotations

import libcst as cst
import pytest

from socrates_rules.rewriting.functions import (
    block_of,
    requesting,
    without_comments,
    without_docstring,
)


def function(code: str) -> cst.FunctionDef:
    """The function that code defines."""
    made = cst.parse_module(code).body[0]
    assert isinstance(made, cst.FunctionDef), "it is a function"
    return made


def code_of(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("f()", "f(x, y)", id="none before"),
        pytest.param("f(a)", "f(a, x, y)", id="after those that are there"),
        pytest.param("f(a, b=1)", "f(a, x, y, b=1)", id="before those with a default"),
        pytest.param(
            "f(\n    a,\n)", "f(\n    a,\n    x,\n    y,\n)", id="with a comma at the end"
        ),
    ],
)
def test_requests(head: str, expected: str) -> None:
    made = requesting(function(f"def {head}: pass\n"), ["x", "y"])
    assert code_of(made) == f"def {expected}: pass\n"


def test_requests_with_types() -> None:
    made = requesting(function("def f(): pass\n"), ["x", "y"], {"y": "list[int]"})
    assert code_of(made) == "def f(x, y: list[int]): pass\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(" a; b", ["a", "b"], id="behind the colon"),
        pytest.param("\n    a\n    b", ["a", "b"], id="in lines of its own"),
    ],
)
def test_body_in_lines_of_its_own(body: str, expected: list[str]) -> None:
    block = block_of(function(f"def f():{body}\n"))
    assert [code_of(line).strip("; \n") for line in block.body] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("'doc'\n    a", ["a"], id="a docstring"),
        pytest.param("'doc' 'more'\n    a", ["a"], id="a docstring of two texts"),
        pytest.param("a\n    'b'", ["a", "'b'"], id="a text further below"),
        pytest.param("if a: b\n    c", ["if a: b", "c"], id="a block first"),
        pytest.param("x = 'a'", ["x = 'a'"], id="an assignment first"),
    ],
)
def test_statements_after_the_docstring(body: str, expected: list[str]) -> None:
    block = block_of(function(f"def f():\n    {body}\n"))
    assert [code_of(line).strip() for line in without_docstring(block.body)] == expected


def test_comments_go() -> None:
    code = "def f():  # one\n    # two\n    a  # three\n\n    b\n    # four\n"
    assert code_of(without_comments(function(code))) == "def f():\n    a\n\n    b\n"
