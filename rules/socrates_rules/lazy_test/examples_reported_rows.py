"""Examples that SOC103 reports: how a fix writes the rows of the merged test."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.lazy_test.examples_units import with_sides, with_texts

REPORTED_ROWS = (
    Example(
        "clones with long values",
        with_texts(
            """
            from texts import shorten


            def test_one():
                assert shorten("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 38) == "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"


            def test_two():
                assert shorten("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 38) == "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"


            def test_three():
                assert shorten("cccccccccccccccccccccccccccccccccccccccc", 38) == "cccccccccccccccccccccccccccccccccccccc"
            """
        ),
        {
            "test_one": "info: tests shorten() of texts like test_two, test_three",
            "test_two": "info: tests shorten() of texts like test_one, test_three",
            "test_three": "info: tests shorten() of texts like test_one, test_two",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param(
                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                        id="one",
                    ),
                    pytest.param(
                        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                        id="two",
                    ),
                    pytest.param(
                        "cccccccccccccccccccccccccccccccccccccccc",
                        "cccccccccccccccccccccccccccccccccccccc",
                        id="three",
                    ),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text, 38) == expected
            """
        ),
    ),
    Example(
        "clones with texts in several pieces",
        with_texts(
            """
            from texts import shorten


            def test_one():
                text = (
                    "a "
                    "a"
                )
                assert shorten(text) == text


            def test_two():
                text = (
                    "b "
                    "b"
                )
                assert shorten(text) == text


            def test_three():
                text = (
                    "c "
                    "c"
                )
                assert shorten(text) == text
            """
        ),
        {
            "test_one": "info: tests shorten() of texts like test_two, test_three",
            "test_two": "info: tests shorten() of texts like test_one, test_three",
            "test_three": "info: tests shorten() of texts like test_one, test_two",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                "text",
                [
                    pytest.param(
                        "a "
                        "a",
                        id="one",
                    ),
                    pytest.param(
                        "b "
                        "b",
                        id="two",
                    ),
                    pytest.param(
                        "c "
                        "c",
                        id="three",
                    ),
                ],
            )
            def test_shorten(text):
                assert shorten(text) == text
            """
        ),
    ),
    Example(
        "clones of unittest with a docstring, and a variable named case",
        with_texts(
            '''
            import unittest

            from texts import shorten


            class ShortenTest(unittest.TestCase):
                def test_shorten_a(self):
                    """One letter."""
                    case = shorten("a", 1)
                    self.assertEqual(case, "a")

                def test_shorten_b(self):
                    case = shorten("bc", 1)
                    self.assertEqual(case, "b")

                def test_shorten_empty(self):
                    case = shorten("", 1)
                    self.assertEqual(case, "")
            '''
        ),
        {
            "ShortenTest::test_shorten_a": "info: tests shorten() of texts like test_shorten_b, test_shorten_empty",
            "ShortenTest::test_shorten_b": "info: tests shorten() of texts like test_shorten_a, test_shorten_empty",
            "ShortenTest::test_shorten_empty": "info: tests shorten() of texts like test_shorten_a, test_shorten_b",
        },
        fixed=unsafe(
            """
            import unittest

            from texts import shorten


            class ShortenTest(unittest.TestCase):
                def test_shorten(self):
                    for case_, text, expected in [
                        # One letter.
                        ("a", "a", "a"),
                        ("b", "bc", "b"),
                        ("empty", "", ""),
                    ]:
                        with self.subTest(case_):
                            case = shorten(text, 1)
                            self.assertEqual(case, expected)
            """
        ),
    ),
    Example(
        "clones with members of an enumeration",
        with_sides(
            """
            from sides import Side, pad


            def test_left() -> None:
                assert pad("a", Side.LEFT) == " a"


            def test_right() -> None:
                assert pad("a", Side.RIGHT) == "a "


            def test_both() -> None:
                assert pad("a", Side.BOTH) == " a "
            """
        ),
        {
            "test_left": "info: tests pad() of sides like test_right, test_both",
            "test_right": "info: tests pad() of sides like test_left, test_both",
            "test_both": "info: tests pad() of sides like test_left, test_right",
        },
        fixed=unsafe(
            """
            import pytest

            from sides import Side, pad


            @pytest.mark.parametrize(
                ("side", "expected"),
                [
                    pytest.param(Side.LEFT, " a", id="left"),
                    pytest.param(Side.RIGHT, "a ", id="right"),
                    pytest.param(Side.BOTH, " a ", id="both"),
                ],
            )
            def test_pad(side: Side, expected: str) -> None:
                assert pad("a", side) == expected
            """
        ),
    ),
)
