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
