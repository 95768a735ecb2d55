"""What is refused, in which words, and what is not: the same whichever parser goes first."""

from __future__ import annotations

import ast
import re

import pytest

from socrates.model.python import source
from socrates.syntax import AUTO, LIBCST, PARSERS, PYTHON
from socrates.syntax.parsers.parse import parse
from socrates.syntax.refused import Refused

MISTAKES = [
    "def f(:\n    pass\n",
    "x = = 1\n",
    "x = (1,\ny = 2\n",
    "x = 'abc\ny = 1\n",
    "x = '''abc\n",
    "if x:\nprint(1)\n",
    "x = 1\n  y = 2\n",
    "if x:\n\ty\n        z\n",
    "if x:\n  a\n b\n",
    "f(a=1, b)\n",
    "f() = 1\n",
    "None = 1\n",
    "0777\n",
    "1__0\n",
    "x = $\n",
    "print 'a'\n",
    "x = '\\N{no such name}'\n",
    "x = '\\x4'\n",
    "x = b'\\x4'\n",
    "x = b'é'\n",
    "x = 'a' b'b'\n",
    "del f()\n",
    "return ]\n",
    "f'{}'\n",
    "f'{a b}'\n",
    "x = " + "9" * 5000 + "\n",
    "\ufeffx = 1\n",
    "x = '\ud800'\n",
]


def outcome(text: str, parser: str) -> tuple[str, int, int] | str:
    try:
        return ast.dump(parse(text, parser), include_attributes=True)
    except Refused as refused:
        return refused.message, refused.row, refused.column


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_told_in_the_words_of_the_running_python(text):
    told = outcome(text, PYTHON)
    assert not isinstance(told, str)
    assert outcome(text, LIBCST) == told
    assert outcome(text, AUTO) == told


@pytest.mark.parametrize(
    "text",
    [
        "return 1\n",
        "yield\n",
        "break\n",
        "await x\n",
        "nonlocal x\n",
        "def f(a, a): pass\n",
        "f(a=1, a=2)\n",
        "*a\n",
        "*a = b\n",
        "from __future__ import braces\n",
        "def f():\n    from a import *\n",
        "def f(a):\n    global a\n",
        "try: a\nexcept: b\nexcept C: c\n",
        "match a:\n    case b | c: pass\n",
        "match a:\n    case {'k': 1, 'k': 2}: pass\n",
    ],
)
def test_mistakes_that_only_a_compiler_sees_are_no_matter(text):
    trees = [outcome(text, parser) for parser in PARSERS]
    assert isinstance(trees[0], str)
    assert trees == [trees[0]] * 3


@pytest.mark.parametrize(
    "text",
    ["(a): int = 1\n", "x = [a async\n for a in b]\n", "class A(k=1, *b): pass\n"],
)
def test_what_libcst_alone_refuses_is_parsed_by_python(text):
    trees = [outcome(text, parser) for parser in PARSERS]
    assert isinstance(trees[0], str)
    assert trees == [trees[0]] * 3


@pytest.mark.parametrize("parser", [AUTO, LIBCST])
@pytest.mark.parametrize(
    ("text", "message", "row"),
    [
        ("lazy import a\n\n\ndef f(:\n    pass\n", "invalid syntax", 4),
        ("lazy import a\nx = (1,\n\ny = 3\n", "'(' was never closed", 2),
        ("@a\ndef f():\n    lazy import a\n\nx = '\\x4'\n", "unicodeescape", 5),
        ("x = 1\n\ny = = 2\nlazy import a\n", "invalid syntax", 3),
        ("if a:\n    lazy import b\nelse:\n    c\nreturn ]\n", "unmatched", 5),
    ],
)
def test_mistake_beside_newer_grammar_is_told_where_it_is(parser, text, message, row):
    with pytest.raises(Refused, match=re.escape(message)) as refused:
        parse(text, parser)
    assert refused.value.row == row


DEEP = {
    "brackets": "(" * 5000 + ")" * 5000,
    "lists": "[" * 300 + "]" * 300,
    "calls": "f(" * 300 + ")" * 300,
    "operators": "+".join("a" * 20_000),
    "signs": "-" * 20_000 + "a",
    "negations": "not " * 20_000 + "a",
    "functions": "lambda:" * 20_000 + "a",
    "conditions": "a if b else " * 20_000 + "a",
    "attributes": "a" + ".b" * 20_000,
    "branches": "if a: b\n" + "elif a: b\n" * 50_000,
    "fields": 'f"{' * 300 + "a" + '}"' * 300,
    "pattern": "match a:\n case " + "[" * 60 + "a" + "]" * 60 + ": pass",
}


@pytest.mark.parametrize("parser", [AUTO, LIBCST])
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_texts_that_are_too_deep_for_libcst_never_reach_it(parser, text):
    newer = f"lazy import a\n{text}\n"
    with pytest.raises(Refused):
        parse(newer, parser)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 150 + "a" + ")" * 150,
        "x = " + "+".join("a" * 500),
        "x = [" + ", ".join(["(a + b) * c"] * 5000) + "]",
        "if a: b\n" + "elif a: b\n" * 100,
    ],
    ids=["brackets", "operators", "long list", "branches"],
)
def test_texts_that_are_only_big_are_parsed(first_difference, text):
    assert first_difference(parse(text, PYTHON), parse(text, LIBCST)) == ""


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("data", "message", "row"),
    [
        (b"x = 1\ny = '\0'\n", "the file contains a NUL byte", 2),
        (b"# coding: nonsense\n", "can't decode the file: unknown encoding", 1),
        (b"x = 1\ny = '\xff'\n", "can't decode the file", 2),
        (b"\xef\xbb\xbf# coding: latin-1\n", "can't decode the file", 1),
    ],
    ids=["NUL", "unknown cookie", "bad bytes", "mark against cookie"],
)
def test_bytes_that_are_no_text_reach_no_parser(parser, data, message, row):
    with pytest.raises(source.SourceError, match=message) as refused:
        source.parse(data, parser)
    assert refused.value.row == row


@pytest.mark.parametrize("parser", PARSERS)
def test_mark_and_cookie_are_heeded(parser):
    marked = source.parse(b"\xef\xbb\xbfx = '\xc3\xa9'\n", parser)
    declared = source.parse(b"# coding: latin-1\nx = '\xe9'\n", parser)
    values = [
        node.value.value
        for tree in (marked.tree, declared.tree)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    ]
    assert values == ["é", "é"]
    assert marked.tree.body[0].col_offset == 0
