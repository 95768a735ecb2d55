"""SOC101: every assertion gets a clue made from its code."""

from __future__ import annotations

import pytest


def test_clue_names_both_sides(fix_text) -> None:
    fixed = fix_text(
        "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1  # one\n    assert pair[1]\n",
        "SOC101",
    )
    assert fixed.text == (
        "def test_pair():\n"
        "    pair = (1, 2)\n"
        '    assert pair[0] == 1, "pair[0] should equal 1"  # one\n'
        '    assert pair[1], "pair[1] should hold"\n'
    )


def test_and_becomes_two_assertions(fix_text) -> None:
    fixed = fix_text(
        "def test_pair():\n"
        "    # both\n"
        "    assert 1 < 2 and (3 in (3, 4) or 5)  # end\n"
        '    assert True, "fine"\n',
        "SOC101",
    )
    assert fixed.text == (
        "def test_pair():\n"
        "    # both\n"
        '    assert 1 < 2, "1 should be less than 2"\n'
        '    assert 3 in (3, 4) or 5, "3 in (3, 4) or 5 should hold"  # end\n'
        '    assert True, "fine"\n'
    )


def test_unittest_methods_get_msg(fix_text) -> None:
    fixed = fix_text(
        """\
        import unittest


        class TestX(unittest.TestCase):
            def test_x(self):
                self.assertEqual(1, 1)
                self.assertTrue(
                    [1],
                )
                self.assertAlmostEqual(1.0, 1.0, places=3)
        """,
        "SOC101",
    )
    assert fixed.text.split("(self):\n")[1] == (
        '        self.assertEqual(1, 1, msg="1 should equal 1")\n'
        "        self.assertTrue(\n"
        "            [1],\n"
        '            msg="[1] should hold",\n'
        "        )\n"
        '        self.assertAlmostEqual(1.0, 1.0, places=3, msg="1.0 should be close to 1.0")\n'
    )


def test_long_clue_stands_on_a_line_of_its_own(fix_text) -> None:
    fixed = fix_text(
        "def test_long():\n"
        "    assert 'a rather long text that goes on' != 'another text that goes on'\n"
        '    assert True, "fine"\n',
        "SOC101",
    )
    assert max(len(line) for line in fixed.text.splitlines()) <= 100


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


def test_helper_calls_are_left_to_people(fix_text) -> None:
    text = (
        "def check(x):\n    assert x\n\n\n"
        'def test_x():\n    check(1)\n    check(2)\n    assert True, "fine"\n'
    )
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, bool(fixed.before)) == (text, True)
