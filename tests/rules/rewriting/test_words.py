"""Code as words, for the messages that a fix gives to assertions."""

from __future__ import annotations

import ast
import unittest

import pytest

from socrates.fix import NoFix
from socrates_rules.rewriting import words


def parsed(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("a == b", "a should equal b"),
        ("a != b", "a should differ from b"),
        ("a is b", "a should be b"),
        ("a is not b", "a should not be b"),
        ("a in b", "a should be in b"),
        ("a not in b", "a should not be in b"),
        ("a < b", "a should be less than b"),
        ("a <= b", "a should be at most b"),
        ("a > b", "a should be greater than b"),
        ("a >= b", "a should be at least b"),
        ("a < b < c", "a < b < c should hold"),
        ("isinstance(a, int)", "a should be an instance of int"),
        ("not isinstance(a, int)", "a should not be an instance of int"),
        ("hasattr(a, 'b')", "a should have 'b'"),
        ("not a", "a should not hold"),
        ("a(b)", "a(b) should hold"),
        ("a or b", "a or b should hold"),
    ],
)
def test_condition(code: str, said: str) -> None:
    assert words.of_condition(parsed(code)) == said


METHODS = {
    "should equal": "assertEqual assertEquals assertListEqual assertTupleEqual assertSetEqual "
    "assertDictEqual assertSequenceEqual assertMultiLineEqual",
    "should have the same elements as": "assertCountEqual",
    "should differ from": "assertNotEqual assertNotEquals",
    "should be close to": "assertAlmostEqual",
    "should not be close to": "assertNotAlmostEqual",
    "should be": "assertIs",
    "should not be": "assertIsNot",
    "should be in": "assertIn",
    "should not be in": "assertNotIn",
    "should be an instance of": "assertIsInstance",
    "should not be an instance of": "assertNotIsInstance",
    "should be less than": "assertLess",
    "should be at most": "assertLessEqual",
    "should be greater than": "assertGreater",
    "should be at least": "assertGreaterEqual",
    "should match": "assertRegex",
    "should not match": "assertNotRegex",
}


@pytest.mark.parametrize(
    ("name", "verb"), [(name, verb) for verb, names in METHODS.items() for name in names.split()]
)
def test_method_of_two(name: str, verb: str) -> None:
    said = words.of_method(name, [parsed("a"), parsed("b"), parsed("c")])
    assert (said, words.is_known(name)) == (f"a {verb} b", True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("assertTrue", "a == 1 and b should hold"),
        ("assert_", "a == 1 and b should hold"),
        ("failUnless", "a == 1 and b should hold"),
        ("assertFalse", "a == 1 and b should not hold"),
        ("failIf", "a == 1 and b should not hold"),
        ("assertIsNone", "a == 1 and b should be None"),
        ("assertIsNotNone", "a == 1 and b should not be None"),
    ],
)
def test_method_of_one(name: str, said: str) -> None:
    assert words.of_method(name, [parsed("a == 1 and b")]) == said


def test_truth_of_a_comparison_is_the_comparison() -> None:
    assert words.of_method("assertTrue", [parsed("a == 1")]) == "a should equal 1"


@pytest.mark.parametrize(
    ("name", "count"),
    [("assertEqual", 1), ("assertTrue", 0), ("assertRaises", 2), ("assertLogs", 1)],
)
def test_method_without_words(name: str, count: int) -> None:
    with pytest.raises(NoFix):
        words.of_method(name, [parsed("a")] * count)


def test_methods_are_those_of_unittest() -> None:
    names = {name for names in METHODS.values() for name in names.split()}
    gone = {"assertEquals", "assertNotEquals"}  # in Python 3.12
    assert {name for name in names - gone if not hasattr(unittest.TestCase, name)} == set()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param("a" * 40, "a" * 40, id="fits"),
        pytest.param("a" * 41, "a" * 37 + "...", id="is cut"),
        pytest.param("f(a,\n  b)", "f(a, b)", id="is put into one line"),
    ],
)
def test_code_in_one_line(code: str, said: str) -> None:
    assert words.code_of(parsed(code)) == said


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "a"', "'say \"a\"'"),
        ("'a' and \"b\"", '"\'a\' and \\"b\\""'),
        ("a\\b", '"a\\\\b"'),
        ("é", '"é"'),
    ],
)
def test_literal_reads_back_as_the_text(text: str, literal: str) -> None:
    assert (words.quoted(text), ast.literal_eval(words.quoted(text))) == (literal, text)


def test_text_that_cannot_be_shown_has_no_literal() -> None:
    with pytest.raises(NoFix):
        words.quoted("bell \a")
