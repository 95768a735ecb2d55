"""How deeply a text is nested, and which statement of a module is at fault."""

from __future__ import annotations

import pytest

from socrates.syntax.nesting import DEEPEST, TooDeep, depth_of
from socrates.syntax.parsers.parse import _top_level


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a + b\n", 1, id="operator"),
        pytest.param("a + b\nc + d\n", 1, id="lines one after another"),
        pytest.param("a + b + c\n", 2, id="chain"),
        pytest.param("f(a)\n", 1, id="bracket"),
        pytest.param("f(g(a))\n", 2, id="bracket in a bracket"),
        pytest.param("f((a + b), c)\n", 3, id="operator in brackets"),
        pytest.param("[(a), (b), (c)]\n", 2, id="brackets that are closed again"),
        pytest.param("(a), (b), (c)\n", 1, id="brackets side by side"),
        pytest.param("not a and b\n", 2, id="words that chain"),
    ],
)
def test_depth(text: str, expected: int) -> None:
    assert depth_of(text) == expected


@pytest.mark.parametrize("text", ["-" * DEEPEST + "-a", "(" * 200, "case " + "(" * 8])
def test_too_deep(text: str) -> None:
    with pytest.raises(TooDeep):
        depth_of(text)


@pytest.mark.parametrize("text", ["-" * DEEPEST + "a", "(" * 199, "case " + "(" * 7])
def test_just_not_too_deep(text: str) -> None:
    assert depth_of(text) > 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb\n", [(1, "a\n"), (2, "b\n")], id="lines"),
        pytest.param("(\na\n)\nb\n", [(1, "(\na\n)\n"), (4, "b\n")], id="brackets at the margin"),
        pytest.param(
            "if a:\n  b\nelse:\n  c\nd\n",
            [(1, "if a:\n  b\nelse:\n  c\n"), (5, "d\n")],
            id="branches",
        ),
        pytest.param("@a\ndef f(): b\nc\n", [(1, "@a\ndef f(): b\n"), (3, "c\n")], id="decorator"),
        pytest.param(
            "# a\nb\n# c\nd\n", [(1, "# a\n"), (2, "b\n# c\n"), (4, "d\n")], id="comments"
        ),
    ],
)
def test_statements_of_a_module(text: str, expected: list[tuple[int, str]]) -> None:
    assert list(_top_level(text)) == expected
