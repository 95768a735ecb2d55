"""Comments and statements' lines, by the newest grammar on every Python."""

from __future__ import annotations

import io
import tokenize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from socrates.syntax.comments import Comment, logical_lines, read_comments

_NOT_CODE = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


def by_tokenize(text: str) -> tuple[list[Comment], list[tuple[int, int]]]:
    """Comments and lines as the standard library's tokens have them."""
    found: list[Comment] = []
    pending: list[tuple[int, int, str]] = []
    lines: list[tuple[int, int]] = []
    first = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if first:
                pending.append((*token.start, token.string))
            else:
                found.append(Comment(*token.start, token.string))
        elif token.type == tokenize.NEWLINE:
            lines.append((first, token.start[0]))
            found += [Comment(*one, first, token.start[0]) for one in pending]
            pending, first = [], 0
        elif token.type not in _NOT_CODE and token.type != tokenize.ENDMARKER:
            first = first or token.start[0]
    return found, lines


@given(st.randoms(use_true_random=False))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_random_programs_have_the_comments_and_lines_that_tokenize_finds(program, source):
    text = program(source)
    comments, lines = by_tokenize(text)
    assert read_comments(text) == comments
    assert list(logical_lines(text)) == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1  # a", [Comment(1, 7, "# a", 1, 1)], id="end of a line"),
        pytest.param("# a\nx\n", [Comment(1, 0, "# a")], id="alone"),
        pytest.param("f(\n  a,  # b\n)\n", [Comment(2, 6, "# b", 1, 3)], id="in brackets"),
        pytest.param("x = '# a'\n", [], id="in a string"),
        pytest.param("x = f'# {a} # b'\n", [], id="in the text of a string with fields"),
        pytest.param("x = f'{a:# b}'\n", [], id="in a format"),
        pytest.param("x = fR'{a # b\n}'\n", [Comment(1, 10, "# b", 1, 2)], id="in a raw field"),
        pytest.param("x = rf'{a:\\d}'  # a\n", [Comment(1, 16, "# a", 1, 1)], id="raw format"),
        pytest.param("x = t'{d['#']}'  # a\n", [Comment(1, 17, "# a", 1, 1)], id="quotes in a field"),
        pytest.param("x = f'{'}'}#'  # a\n", [Comment(1, 15, "# a", 1, 1)], id="brace in a string in a field"),
        pytest.param("x = f'{{#}}{{'  # a\n", [Comment(1, 16, "# a", 1, 1)], id="doubled braces"),
        pytest.param("x = f'{\n  a  # b\n}'\n", [Comment(2, 5, "# b", 1, 3)], id="in a field"),
        pytest.param("x = f'{a:{b!r:>{c}}}'  # d\n", [Comment(1, 23, "# d", 1, 1)], id="fields in formats"),
        pytest.param("x = f'{(lambda: 1)!r:>#}'  # a\n", [Comment(1, 27, "# a", 1, 1)], id="colon in brackets"),
        pytest.param("x = f'{a != b}'  # c\n", [Comment(1, 17, "# c", 1, 1)], id="comparison in a field"),
        pytest.param("x = f'\\N{BULLET}{a}'  # b\n", [Comment(1, 22, "# b", 1, 1)], id="named character"),
        pytest.param("x = rf'\\{a}'  # b\n", [Comment(1, 14, "# b", 1, 1)], id="backslash before a field"),
        pytest.param("x = f'''\n{a}'\n'''  # b\n", [Comment(3, 5, "# b", 1, 3)], id="three quotes"),
        pytest.param("x = '''\r\n'''  # a\r\n", [Comment(2, 5, "# a", 1, 2)], id="carriage returns"),
        pytest.param("x  # a\ny = 'b\nz  # c\n", [Comment(1, 3, "# a", 1, 1)], id="before a break"),
        pytest.param("x = (1  # a\ny = 'b\n", [Comment(1, 8, "# a")], id="in a line that never ends"),
        pytest.param("x = f'a\ny  # b\n", [], id="after a string with fields that never ends"),
        pytest.param("x = f'{a:'\ny  # b\n", [], id="after a field that never ends"),
        pytest.param(")\n)  # a\n", [Comment(2, 3, "# a", 2, 2)], id="after too many brackets"),
        pytest.param("é = 'ü'  # a", [Comment(1, 9, "# a", 1, 1)], id="beyond ASCII"),
    ],
)  # fmt: skip
def test_comments_know_their_statement(text, expected):
    assert read_comments(text) == expected
