"""SOC101: every assertion gets a clue made from its code."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("condition", "clue"),
    [
        pytest.param("x is None", "x should be None", id="is"),
        pytest.param("x is not None", "x should not be None", id="is not"),
        pytest.param("not x", "x should not hold", id="not"),
        pytest.param("x not in y", "x should not be in y", id="not in"),
        pytest.param("isinstance(x, int)", "x should be an instance of int", id="isinstance"),
        pytest.param("x >= 3", "x should be at least 3", id="at least"),
        pytest.param("x == 'é'", "x should equal 'é'", id="not ASCII"),
    ],
)
def test_words(fix_text, condition: str, clue: str) -> None:
    fixed = fix_text(f'def test_x(x, y):\n    assert {condition}\n    assert y, "y"\n', "SOC101")
    assert f'assert {condition}, "{clue}"\n' in fixed.text


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(r"'\\n'", id="backslash"),
        pytest.param("'\"'", id="double quote"),
        pytest.param('"it\'s"', id="single quote"),
        pytest.param("'\"' + \"'\"", id="both quotes"),
        pytest.param("'{x}'", id="braces"),
        pytest.param("'%s'", id="percent"),
    ],
)
def test_any_text_can_be_quoted(fix_text, value: str) -> None:
    fixed = fix_text(f'def test_x(x):\n    assert x == {value}\n    assert x, "x"\n', "SOC101")
    assert (fixed.applied, fixed.after) == (["assertion-roulette"], ())


CALLS = pytest.mark.parametrize(
    "call",
    [
        pytest.param("self.assertEqual(*pair)", id="arguments that can't be seen"),
        pytest.param("self.assertEqual(1, second=1)", id="another keyword"),
        pytest.param("self.assertShop(1, 1)", id="a method that is not unittest's"),
        pytest.param("self.assertOwn(1)", id="a method of the class"),
        pytest.param("check.assertEqual(1, 1)", id="a method of another object"),
    ],
)
CASE = """\
import unittest


class PairTest(unittest.TestCase):
    def assertOwn(self, one):
        self.assertTrue(one)

    def test_pair(self):
        {first}
        {second}
"""


@CALLS
def test_call_that_takes_no_message(fix_text, call: str) -> None:
    text = CASE.format(first=call, second=call)
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, [f.code for f in fixed.before]) == (text, ["SOC101"])


@CALLS
def test_other_assertions_get_theirs(fix_text, call: str) -> None:
    fixed = fix_text(CASE.format(first=call, second="self.assertEqual(2, 2)"), "SOC101")
    second = 'self.assertEqual(2, 2, msg="2 should equal 2")'
    assert fixed.text == CASE.format(first=call, second=second)
