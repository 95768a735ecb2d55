"""Types of the parameters that a fix adds."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates_rules.rewriting.annotations import is_annotated, path_type, type_of


def values(*codes: str) -> list[ast.expr]:
    return [ast.parse(code, mode="eval").body for code in codes]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (("1", "-2"), "int"),
        (("True", "False"), "bool"),
        (("'a'",), "str"),
        (("b'a'",), "bytes"),
        (("1j",), "complex"),
        (("1", "0.5"), "float"),
        (("[1, 2.5]",), "list[float]"),
        (("{'a'}",), "set[str]"),
        (("(1, 'a')",), "tuple[int, str]"),
        (("{'a': 1}", "{'b': 2, **{}}"), None),
        (("{'a': [1]}",), "dict[str, list[int]]"),
        (("1", "'a'"), None),
        (("1", "True"), None),
        (("None",), None),
        (("[]",), None),
        (("()",), None),
        (("a",), None),
        (("Size.S", "Size.L"), "Size"),
        (("shop.Size.S",), "shop.Size"),
        (("Size.S", "'a'"), None),
    ],
)
def test_type_of_literals(codes: tuple[str, ...], expected: str | None) -> None:
    try:
        found: str | None = type_of(values(*codes))
    except NoFix:
        found = None
    assert found == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("def f(a): pass", False),
        ("def f(a: int): pass", True),
        ("def f(a) -> None: pass", True),
        ("def f(*, a: int): pass", True),
    ],
)
def test_annotated_function(head: str, expected: bool) -> None:
    node = ast.parse(head).body[0]
    assert isinstance(node, ast.FunctionDef), "it is a function"
    assert is_annotated(node) is expected


@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        ("from pathlib import Path", "Path"),
        ("from pathlib import Path as P", "P"),
        ("import pathlib", "pathlib.Path"),
        ("import os\nimport pathlib as paths", "paths.Path"),
    ],
)
def test_name_of_path(
    open_module: Callable[..., FileContext], imported: str, expected: str
) -> None:
    assert path_type(open_module(f"{imported}\n")) == expected


def test_path_that_is_not_imported(open_module: Callable[..., FileContext]) -> None:
    with pytest.raises(NoFix, match="does not import Path"):
        path_type(open_module("import os\n"))
