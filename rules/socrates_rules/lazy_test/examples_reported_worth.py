"""Examples that SOC103 reports, and that a table would not improve: clones in name only."""

from __future__ import annotations

from collections.abc import Mapping

from socrates.example import Example, unsafe
from socrates_rules.lazy_test.examples_units import with_texts


def _like(*names: str) -> Mapping[str, str]:
    """Each test is like the others, which is an ``info``."""
    return {
        name: f"info: tests shorten() of texts like {', '.join(o for o in names if o != name)}"
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
)
