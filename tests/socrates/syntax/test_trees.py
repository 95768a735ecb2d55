"""Trees with newer nodes: their text, and whether they compile."""

from __future__ import annotations

import ast

import pytest

from socrates.syntax import LIBCST
from socrates.syntax.compiling import compiles
from socrates.syntax.parsers.parse import parse
from socrates.syntax.unparse import unparse


def expression(text: str) -> ast.expr:
    (statement,) = parse(text, LIBCST).body
    assert isinstance(statement, ast.Expr)
    return statement.value


@pytest.mark.parametrize(
    "text",
    ["a + b", "f(a, *b, c=1)", "{a: b}", "[a for a in b]", "f'{a!r:>10}'", "'it''s'", "lambda: x"],
)
def test_text_of_trees_is_that_of_the_standard_library(text):
    assert unparse(expression(text)) == ast.unparse(ast.parse(text, mode="eval"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(t'a{b}c')", "f(t'a{b}c')"),
        ("t'{a!r:>{b}}'", "t'{a!r:>{b}}'"),
        ("t'{{{ {1: 2} }}}'", "t'{{{ {1: 2}}}}'"),
        ('t"it\'s {a}"', 't"it\'s {a}"'),
        ("t'{d['k']}'", "t\"{d['k']}\""),
        ("t'a\\n{b}'", "t'a\\n{b}'"),
        ("t'é{b}'", "t'é{b}'"),
    ],
)
def test_templates_have_a_text_on_every_python(text, expected):
    assert unparse(expression(text)) == expected


@pytest.mark.parametrize(
    "text", ["f'{'\\n'.join(a)}'", "f'{f'{f'{f'{a}'}'}'}'", "f(f'{'\\t'}{'\"'}')"]
)
def test_strings_with_any_code_in_fields_have_a_text_that_means_the_same(text):
    tree = expression(text)
    assert ast.dump(expression(unparse(tree))) == ast.dump(tree)


@pytest.mark.parametrize(
    "text",
    [
        "type Pair[T] = tuple[T, T]\n",
        "def f[T](a: T) -> T:\n    return t'{a!r:>{a}}'\n",
        "class A[T = int]:\n    def f(self):\n        type X = T\n        return X\n",
        "try:\n    pass\nexcept A, B:\n    pass\n",
        "x = f'{'\\n'.join(a)}'\n",
    ],
)
def test_newer_programs_compile_from_their_trees(text):
    assert compiles(parse(text, LIBCST))


@pytest.mark.parametrize(
    "text",
    [
        "type X = int\nreturn 1\n",
        "def f[T](a, a): pass\n",
        "type X = int\nnonlocal a\n",
        "x = t'{a}'\nbreak\n",
        "x = t'{await a}'\n",
        "x = t'{(yield)}'\n",
        "type X = (yield)\nawait x\n",
    ],
)
def test_trees_that_no_python_compiles_do_not(text):
    assert not compiles(parse(text, LIBCST))
