"""Code as text again: strings with fields are written with quotes that fit."""

from __future__ import annotations

import ast

import pytest

from socrates.syntax.unparse import unparse


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x + 1", "x + 1"),
        ("f'a{x}'", "f'a{x}'"),
        ("f(f'{x!r}')", "f(f'{x!r}')"),
        ("f'{x!s}{y!a}'", "f'{x!s}{y!a}'"),
        ("f'{x:>{w}}'", "f'{x:>{w}}'"),
        ("f'{{}}{x}'", "f'{{}}{x}'"),
        ('f"it\'s {x}"', 'f"it\'s {x}"'),
        ("f'''both ' and \" {x}'''", 'f"""both \' and " {x}"""'),
        ("f'{d[\"a\"]}'", "f\"{d['a']}\""),
        ("f\"{d['a']} it's\"", "f\"{d['a']} it's\""),
        ("f'{(lambda: 1)}'", "f'{(lambda: 1)}'"),
        ("f'{(a if b else c)}'", "f'{(a if b else c)}'"),
        ("f'{ {1: 2} }'", "f'{ {1: 2}}'"),
        ("f'\\n{x}\\\\'", "f'\\n{x}\\\\'"),
        ("f'{x}' + 'y'", "f'{x}' + 'y'"),
    ],
)
def test_text_of_an_expression(code: str, expected: str) -> None:
    assert unparse(ast.parse(code, mode="eval").body) == expected


def test_string_that_has_all_quotes_is_still_one() -> None:
    node = ast.parse("f'''\"\"\" and \\'\\'\\' {x}'''", mode="eval").body
    assert ast.dump(ast.parse(unparse(node), mode="eval").body) == ast.dump(node)


def test_fields_decide_where_text_has_all_quotes() -> None:
    text = "it's \"\"\" and '''"
    node = ast.JoinedStr(
        [
            ast.Constant(text),
            ast.FormattedValue(ast.parse("d['a']", mode="eval").body, -1, None),
        ]
    )
    assert unparse(node) == "f\"it's \\\"\\\"\\\" and '''{d['a']}\""


def test_tree_is_left_as_it_is() -> None:
    node = ast.parse("f(f'{x}')", mode="eval").body
    before = ast.dump(node)
    unparse(node)
    assert ast.dump(node) == before
