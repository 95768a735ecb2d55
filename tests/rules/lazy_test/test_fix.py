"""SOC103: clones become the rows of one test."""

from __future__ import annotations

import pytest

MODULE = {"example.py": "def shorten(text, width):\n    return text[:width]\n"}
CLONES = '''\
from example import shorten


def test_small():
    """Fits in."""
    assert shorten("abc", 5) == "abc"


def test_long():
    assert shorten("abcdefgh", 5) == "abcde"


def test_empty():
    assert shorten("", 5) == ""


def test_other():
    assert True
'''


def test_clones_become_one_parametrized_test(fix_text) -> None:
    fixed = fix_text(CLONES, "SOC103", MODULE)
    assert fixed.text == (
        "import pytest\n\n"
        "from example import shorten\n\n\n"
        "@pytest.mark.parametrize(\n"
        '    ("text", "expected"),\n'
        "    [\n"
        "        # Fits in.\n"
        '        pytest.param("abc", "abc", id="small"),\n'
        '        pytest.param("abcdefgh", "abcde", id="long"),\n'
        '        pytest.param("", "", id="empty"),\n'
        "    ],\n"
        ")\n"
        "def test_shorten(text, expected):\n"
        "    assert shorten(text, 5) == expected\n\n\n"
        "def test_other():\n"
        "    assert True\n"
    )


def test_all_findings_of_the_group_go(fix_text) -> None:
    fixed = fix_text(CLONES, "SOC103", MODULE)
    assert (len(fixed.before), fixed.after) == (3, ())


def test_common_words_name_the_test(fix_text) -> None:
    text = CLONES
    for name in ("small", "long", "empty"):
        text = text.replace(f"test_{name}", f"test_shorten_text_{name}")
    assert "def test_shorten_text(text, expected):" in fix_text(text, "SOC103", MODULE).text


def test_variable_that_holds_the_value_is_the_parameter(fix_text) -> None:
    text = "from example import shorten\n"
    for name, value in (("a", 1), ("b", 2), ("c", 3)):
        text += f"\n\ndef test_{name}():\n    width = {value}\n    assert shorten('abc', width)\n"
    body = fix_text(text, "SOC103", MODULE).text.partition("def test_shorten")[2]
    assert body == "(width):\n    assert shorten('abc', width)\n"


def test_equal_lists_stay_apart(fix_text) -> None:
    text = "from example import shorten\n"
    for name, value in (("a", 1), ("b", 2), ("c", 3)):
        text += f"\n\ndef test_{name}():\n    assert shorten([{value}], 2) == [{value}]\n"
    assert "def test_shorten(text, expected):" in fix_text(text, "SOC103", MODULE).text


def test_two_groups_get_two_names(fix_text) -> None:
    text = CLONES
    for name in ("one", "two", "three"):
        text += (
            f"\n\ndef test_{name}():\n    got = shorten('{name}', 5)\n    assert got == '{name}'\n"
        )
    fixed = fix_text(text, "SOC103", MODULE)
    assert [fixed.text.count(f"def test_shorten{end}(") for end in ("", "_2")] == [1, 1]


UNITTEST = """\
import unittest

from example import shorten


class ShortenTest(unittest.TestCase):
    def test_shorten_a(self):
        self.assertEqual(shorten("a", 1), "a")

    def test_shorten_b(self):
        self.assertEqual(shorten("bc", 1), "b")

    def test_shorten_c(self):
        self.assertEqual(shorten("", 1), "")
"""


def test_unittest_gets_sub_tests(fix_text) -> None:
    text = UNITTEST.replace("shorten_c", "shorten_empty")
    fixed = fix_text(text, "SOC103", MODULE | {"socrates.toml": ""})
    assert fixed.text.partition("TestCase):\n")[2] == (
        "    def test_shorten(self):\n"
        "        for case, text, expected in [\n"
        '            ("a", "a", "a"),\n'
        '            ("b", "bc", "b"),\n'
        '            ("empty", "", ""),\n'
        "        ]:\n"
        "            with self.subTest(case):\n"
        "                self.assertEqual(shorten(text, 1), expected)\n"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('5) == "abc"', '5) == "abc"  # fits', id="a comment in a clone"),
        pytest.param("def test_long", "# cut\ndef test_long", id="a comment above a clone"),
        pytest.param("    assert True", "    test_small()", id="a clone that is called"),
        pytest.param("def test_long", "@cached\ndef test_long", id="a decorator"),
    ],
)
def test_left_alone(fix_text, old: str, new: str) -> None:
    text = CLONES.replace(old, new)
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text, bool(fixed.before)) == (text, True)


def test_set_up_that_runs_for_each_test_is_kept(fix_text) -> None:
    text = UNITTEST.replace(
        "    def test_shorten_a",
        "    def setUp(self):\n        self.n = 1\n\n    def test_shorten_a",
    )
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text, bool(fixed.before)) == (text, True)
