"""Tokens of a text: brackets, comments and line ends, also inside replacement fields."""

from __future__ import annotations

import pytest

from socrates.syntax.lexer import Kind, tokens

SHORT = {
    Kind.COMMENT: "#",
    Kind.NEWLINE: "n",
    Kind.OPEN: "o",
    Kind.CLOSE: "c",
    Kind.SEPARATOR: ",",
    Kind.WORD: "w",
    Kind.STRING: "s",
    Kind.OPERATOR: "+",
}


def said(text: str) -> list[str]:
    """The tokens with what stands there: ``w:name``."""
    return [f"{SHORT[kind]}:{text[start:end]}" for kind, start, end in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a = 1", "w:a +:= w:1 n:", id="statement"),
        pytest.param("a == b", "w:a +:== w:b n:", id="operator of two characters"),
        pytest.param("f(a, b)", "w:f o:( w:a ,:, w:b c:) n:", id="brackets"),
        pytest.param("b'x' u'y'", "s:b'x' s:u'y' n:", id="strings"),
        pytest.param("f'a'", "o:f' s:a c:' n:", id="no field"),
        pytest.param("f'{a}'", "o:f' o:{ w:a c:} c:' n:", id="field"),
        pytest.param("f'{{a}}'", "o:f' s:{{ s:a s:}} c:' n:", id="braces that are no field"),
        pytest.param("f'{a:b}'", "o:f' o:{ w:a +:: s:b c:} c:' n:", id="format"),
        pytest.param("f'{a:}'", "o:f' o:{ w:a +:: c:} c:' n:", id="empty format"),
        pytest.param(
            "f'{a:{b}}'", "o:f' o:{ w:a +:: o:{ w:b c:} c:} c:' n:", id="field in a format"
        ),
        pytest.param("f'{a:=3}'", "o:f' o:{ w:a +:: s:=3 c:} c:' n:", id="format, no walrus"),
        pytest.param(
            "f'{(a:=3)}'", "o:f' o:{ o:( w:a +::= w:3 c:) c:} c:' n:", id="walrus in brackets"
        ),
        pytest.param("f'{a[1:2]}'", "o:f' o:{ w:a o:[ w:1 +:: w:2 c:] c:} c:' n:", id="slice"),
        pytest.param("f'{'a'}'", "o:f' o:{ s:'a' c:} c:' n:", id="the same quotes inside"),
        pytest.param("rf'\\{a}'", "o:rf' s:\\ o:{ w:a c:} c:' n:", id="raw"),
        pytest.param("t'{a}'", "o:t' o:{ w:a c:} c:' n:", id="template"),
        pytest.param(") a", "c:) w:a n:", id="closed too often"),
    ],
)
def test_tokens_of_a_line(text: str, expected: str) -> None:
    assert said(text) == expected.split(" ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb\n", ["w:a", "n:\n", "w:b", "n:\n"], id="lines"),
        pytest.param("\n\na\n", ["w:a", "n:\n"], id="empty lines"),
        pytest.param("(\na)\n", ["o:(", "w:a", "c:)", "n:\n"], id="line end in brackets"),
        pytest.param("a \\\n b", ["w:a", "w:b", "n:"], id="line that goes on"),
        pytest.param("a # b c\n", ["w:a", "#:# b c", "n:\n"], id="comment"),
        pytest.param("# b\n", ["#:# b"], id="comment alone"),
        pytest.param(
            "f'{a # b\n}'",
            ["o:f'", "o:{", "w:a", "#:# b", "c:}", "c:'", "n:"],
            id="comment in a field",
        ),
        pytest.param("f'''a\nb'''", ["o:f'''", "s:a", "s:\n", "s:b", "c:'''", "n:"], id="long"),
        pytest.param("a 'b\nc", ["w:a"], id="quote that is never closed"),
        pytest.param("f'a\nb", ["o:f'", "s:a"], id="fields that are never closed"),
        pytest.param("f'{a:b'", ["o:f'", "o:{", "w:a", "+::", "s:b"], id="format without end"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_tokens_of_lines(text: str, expected: list[str]) -> None:
    assert said(text) == expected
