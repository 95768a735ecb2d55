"""Examples that SOC103 reports, and that a table would not improve: clones in name only."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.lazy_test.examples_units import with_texts


def _like(*names: str, inside: str = "", method: str = "shorten") -> dict[str, str]:
    """Each test is like the others, which is an ``info``."""
    return {
        inside
        + name: f"info: tests {method}() of texts like {', '.join(o for o in names if o != name)}"
        for name in names
    }


REPORTED_WORTH = (
    Example(
        "tables already",
        with_texts(
            """
            import pytest
            from texts import shorten

            @pytest.mark.parametrize("text", ["a", "b"])
            def test_short(text):
                assert shorten(text) == text

            @pytest.mark.parametrize("text", ["a", "b"])
            def test_other(text):
                assert shorten(text) == text

            @pytest.mark.parametrize("text", ["a", "b"])
            def test_third(text):
                assert shorten(text) == text
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "loops over what the test lists",
        with_texts(
            """
            from texts import shorten

            def test_short():
                for text in ("a", "b"):
                    assert shorten(text) == text

            def test_other():
                for text in ("c", "d"):
                    assert shorten(text) == text

            def test_third():
                for text in ("e", "f"):
                    assert shorten(text) == text
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "loops over names for lists",
        with_texts(
            """
            from texts import shorten

            SHORT = {"a": "a", "b": "b"}

            def test_short():
                for text, expected in SHORT.items():
                    assert shorten(text) == expected

            def test_other():
                others = {"a": "a"}
                for text, expected in others.items():
                    assert shorten(text) == expected

            def test_third():
                for text, expected in {"a": "a"}.items():
                    assert shorten(text) == expected
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "rows that would be long",
        with_texts(
            """
            from texts import shorten

            def test_short():
                assert shorten([
                    "a",
                    "b",
                    "c",
                ]) == ["a"]

            def test_other():
                text = '''
                one
                two
                three
                '''
                assert shorten(text) == text

            def test_another():
                text = '''
                one
                two
                three
                four
                '''
                assert shorten(text) == text

            def test_third():
                text = '''
                one
                two
                three
                '''
                assert shorten(text) == text
            """
        ),
        _like("test_short", "test_other", "test_another", "test_third"),
    ),
    Example(
        "data for a helper that asserts",
        with_texts(
            """
            from texts import shorten

            def check(text, expected):
                assert shorten(text) == expected

            def test_short():
                expected = "abc"
                check("abc", expected)

            def test_other():
                expected = "abcde"
                check("abcdefgh", expected)

            def test_third():
                expected = ""
                check("", expected)
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "other helpers assert",
        with_texts(
            """
            from texts import shorten

            def check(text, expected):
                assert text == expected

            def verify(text, expected):
                assert expected in text

            def test_short():
                check(shorten("abc"), "abc")

            def test_other():
                check(shorten("a"), "a")

            def test_third():
                verify(shorten("abc"), "abc")
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "other keywords of the method",
        with_texts(
            """
            from texts import shorten

            def test_short():
                assert shorten("abc", size=5) == "abc"

            def test_other():
                assert shorten("abc", mark=5) == "abc"

            def test_third():
                assert shorten("abc", **{}) == "abc"
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "other definitions inside",
        with_texts(
            """
            from texts import shorten

            def test_short():
                def text(first): ...
                assert shorten(text) == "a"

            def test_other():
                def text(*parts): ...
                assert shorten(text) == "a"

            def test_third():
                def text(**parts): ...
                assert shorten(text) == "a"
            """
        ),
        _like("test_short", "test_other", "test_third"),
    ),
    Example(
        "far apart",
        with_texts(
            """
            from texts import shorten, widen

            def test_short():
                assert shorten("abc") == "abc"

            def test_other():
                assert shorten("a") == "a"

            def test_one():
                assert True

            def test_two():
                assert True

            def test_three():
                assert True

            def test_four():
                assert True

            def test_third():
                assert shorten("") == ""
            """
        ),
        _like("test_short", "test_other", "test_third"),
        fixed=unsafe(
            """
            import pytest

            from texts import shorten, widen

            @pytest.mark.parametrize(
                "text",
                [
                    pytest.param("abc", id="short"),
                    pytest.param("a", id="other"),
                    pytest.param("", id="third"),
                ],
            )
            def test_shorten(text):
                assert shorten(text) == text

            def test_one():
                assert True

            def test_two():
                assert True

            def test_three():
                assert True

            def test_four():
                assert True
            """
        ),
        note="Four other tests stand in between: nobody would look for the others.",
    ),
    Example(
        "each has a docstring that says its case",
        with_texts(
            """
            from texts import shorten

            def test_short():
                """
            + '"""What fits is left alone."""'
            + """
                assert shorten("abc") == "abc"

            def test_empty():
                """
            + '"""Nothing is no mistake."""'
            + """
                assert shorten("") == ""

            def test_long():
                """
            + '"""The rest is cut off."""'
            + """
                assert shorten("abcdefg") == "abcde"
            """
        ),
        _like("test_short", "test_empty", "test_long"),
    ),
    Example(
        "what differs has no column in a table",
        with_texts(
            """
            import unittest
            from texts import shorten, widen

            class TestTexts(unittest.TestCase):
                def setUp(self):
                    self.short = "a"
                    self.long = "abcdefg"
                    self.empty = ""

                def test_short(self):
                    result = shorten(self.short)
                    self.assertEqual(result, "a")

                def test_long(self):
                    result = shorten(self.long)
                    self.assertEqual(result, "abcde")

                def test_empty(self):
                    result = shorten(self.empty)
                    self.assertEqual(result, "")

                def test_title(self):
                    page = Page(title="a")
                    self.assertEqual(widen(page), page)

                def test_text(self):
                    page = Page(text="a")
                    self.assertEqual(widen(page), page)

                def test_date(self):
                    page = Page(date="a")
                    self.assertEqual(widen(page), page)
            """
        ),
        _like("test_short", "test_long", "test_empty", inside="TestTexts::")
        | _like("test_title", "test_text", "test_date", inside="TestTexts::", method="widen"),
    ),
    Example(
        "each changes another attribute, or asks another function of Python",
        with_texts(
            """
            from texts import shorten, widen

            def test_title(page):
                page.title = "a"
                assert shorten(page) == "a"

            def test_text(page):
                page.text = "b"
                assert shorten(page) == "b"

            def test_date(page):
                page.date += "c"
                assert shorten(page) == "c"

            def test_str():
                assert str(widen("a")) == "a"

            def test_repr():
                assert repr(widen("a")) == "'a'"

            def test_len():
                assert len(widen("a")) == 9
            """
        ),
        _like("test_title", "test_text", "test_date")
        | _like("test_str", "test_repr", "test_len", method="widen"),
    ),
)
