"""Examples that SOC103 reports: clones, and the one test that a fix makes of them."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.lazy_test.examples_units import with_texts

REPORTED_CLONES = (
    Example(
        "three clones",
        with_texts(
            """
            from texts import shorten

            def test_1():
                assert shorten("abcdefgh") == "abcde"

            def test_2():
                assert shorten("abc") == "abc"

            def test_3():
                assert shorten("") == ""
            """
        ),
        {
            "test_1": "warning: tests shorten() of texts as a clone of test_2, test_3",
            "test_2": "warning: tests shorten() of texts as a clone of test_1, test_3",
            "test_3": "warning: tests shorten() of texts as a clone of test_1, test_2",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten

            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param("abcdefgh", "abcde", id="1"),
                    pytest.param("abc", "abc", id="2"),
                    pytest.param("", "", id="3"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text) == expected
            """
        ),
        page=True,
    ),
    Example(
        "a warning for the clones alone",
        with_texts(
            """
            from texts import shorten

            def test_long():
                assert shorten("abcdefgh") == "abcde"

            def test_short():
                assert shorten("abc") == "abc"

            def test_empty():
                assert shorten("") == ""

            def test_size():
                text = shorten("abcdefgh", size=2)
                assert len(text) == 2
            """
        ),
        {
            "test_long": "info: tests shorten() of texts like test_short, test_empty, test_size",
            "test_short": "info: tests shorten() of texts like test_long, test_empty, test_size",
            "test_empty": "info: tests shorten() of texts like test_long, test_short, test_size",
            "test_size": "info: tests shorten() of texts like test_long, test_short, test_empty",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten

            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param("abcdefgh", "abcde", id="long"),
                    pytest.param("abc", "abc", id="short"),
                    pytest.param("", "", id="empty"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text) == expected

            def test_size():
                text = shorten("abcdefgh", size=2)
                assert len(text) == 2
            """
        ),
    ),
    Example(
        "two clones are enough by option",
        with_texts(
            """
            from texts import shorten

            def test_long():
                assert shorten("abcdefgh") == "abcde"

            def test_short():
                assert shorten("abc") == "abc"
            """
        ),
        {
            "test_long": "warning: tests shorten() of texts as a clone of test_short",
            "test_short": "warning: tests shorten() of texts as a clone of test_long",
        },
        options={"min-clones": 2},
        fixed=unsafe(
            """
            import pytest

            from texts import shorten

            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param("abcdefgh", "abcde", id="long"),
                    pytest.param("abc", "abc", id="short"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text) == expected
            """
        ),
    ),
    Example(
        "clones beside another test",
        with_texts(
            '''
            from texts import shorten


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
        ),
        {
            "test_small": "info: tests shorten() of texts like test_long, test_empty",
            "test_long": "info: tests shorten() of texts like test_small, test_empty",
            "test_empty": "info: tests shorten() of texts like test_small, test_long",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    # Fits in.
                    pytest.param("abc", "abc", id="small"),
                    pytest.param("abcdefgh", "abcde", id="long"),
                    pytest.param("", "", id="empty"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text, 5) == expected


            def test_other():
                assert True
            """
        ),
    ),
    Example(
        "clones of unittest",
        with_texts(
            """
            import unittest

            from texts import shorten


            class ShortenTest(unittest.TestCase):
                def test_shorten_a(self):
                    self.assertEqual(shorten("a", 1), "a")

                def test_shorten_b(self):
                    self.assertEqual(shorten("bc", 1), "b")

                def test_shorten_empty(self):
                    self.assertEqual(shorten("", 1), "")
            """
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
                    for case, text, expected in [
                        ("a", "a", "a"),
                        ("b", "bc", "b"),
                        ("empty", "", ""),
                    ]:
                        with self.subTest(case):
                            self.assertEqual(shorten(text, 1), expected)
            """
        ),
        note="Three tests of one line each: a loop would not be shorter.",
    ),
    Example(
        "other assertions make no clones",
        with_texts(
            """
            import unittest
            from texts import shorten

            class ShortenTest(unittest.TestCase):
                def test_long(self):
                    self.assertEqual(shorten("abcdefgh"), "abcde")

                def test_other(self):
                    self.assertNotEqual(shorten("abcdefgh"), "abcdefgh")

                def test_inside(self):
                    self.assertIn(shorten("abcdefgh"), ["abcde"])
            """
        ),
        {
            "ShortenTest::test_long": "info: tests shorten() of texts like test_other, test_inside",
            "ShortenTest::test_other": "info: tests shorten() of texts like test_long, test_inside",
            "ShortenTest::test_inside": "info: tests shorten() of texts like test_long, test_other",
        },
    ),
)
