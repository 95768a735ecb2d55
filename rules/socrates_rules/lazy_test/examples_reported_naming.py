"""Examples that SOC103 reports: how a fix names the merged test and its parameters."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.lazy_test.examples_units import with_texts

REPORTED_NAMING = (
    Example(
        "clones with words in common",
        with_texts(
            """
            from texts import shorten


            def test_shorten_text_small():
                assert shorten("abc", 5) == "abc"


            def test_shorten_text_long():
                assert shorten("abcdefgh", 5) == "abcde"


            def test_shorten_text_empty():
                assert shorten("", 5) == ""
            """
        ),
        {
            "test_shorten_text_small": "info: tests shorten() of texts like test_shorten_text_long, test_shorten_text_empty",
            "test_shorten_text_long": "info: tests shorten() of texts like test_shorten_text_small, test_shorten_text_empty",
            "test_shorten_text_empty": "info: tests shorten() of texts like test_shorten_text_small, test_shorten_text_long",
        },
        note="The words that all names share name the test.",
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param("abc", "abc", id="small"),
                    pytest.param("abcdefgh", "abcde", id="long"),
                    pytest.param("", "", id="empty"),
                ],
            )
            def test_shorten_text(text, expected):
                assert shorten(text, 5) == expected
            """
        ),
    ),
    Example(
        "clones with a variable for the value",
        with_texts(
            """
            from texts import shorten


            def test_a():
                width = 1
                assert shorten('abc', width)


            def test_b():
                width = 2
                assert shorten('abc', width)


            def test_c():
                width = 3
                assert shorten('abc', width)
            """
        ),
        {
            "test_a": "info: tests shorten() of texts like test_b, test_c",
            "test_b": "info: tests shorten() of texts like test_a, test_c",
            "test_c": "info: tests shorten() of texts like test_a, test_b",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                "width",
                [
                    pytest.param(1, id="a"),
                    pytest.param(2, id="b"),
                    pytest.param(3, id="c"),
                ],
            )
            def test_shorten(width):
                assert shorten('abc', width)
            """
        ),
    ),
    Example(
        "clones that give and expect equal lists",
        with_texts(
            """
            from texts import shorten


            def test_a():
                assert shorten([1], 2) == [1]


            def test_b():
                assert shorten([2], 2) == [2]


            def test_c():
                assert shorten([3], 2) == [3]
            """
        ),
        {
            "test_a": "info: tests shorten() of texts like test_b, test_c",
            "test_b": "info: tests shorten() of texts like test_a, test_c",
            "test_c": "info: tests shorten() of texts like test_a, test_b",
        },
        note="Equal values of two meanings stay two parameters.",
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param([1], [1], id="a"),
                    pytest.param([2], [2], id="b"),
                    pytest.param([3], [3], id="c"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text, 2) == expected
            """
        ),
    ),
    Example(
        "two groups of clones",
        with_texts(
            """
            from texts import shorten


            def test_small():
                assert shorten("abc", 5) == "abc"


            def test_long():
                assert shorten("abcdefgh", 5) == "abcde"


            def test_empty():
                assert shorten("", 5) == ""


            def test_one():
                got = shorten('one', 5)
                assert got == 'one'


            def test_two():
                got = shorten('two', 5)
                assert got == 'two'


            def test_three():
                got = shorten('three', 5)
                assert got == 'three'
            """
        ),
        {
            "test_small": "info: tests shorten() of texts like test_long, test_empty, test_one and 2 more",
            "test_long": "info: tests shorten() of texts like test_small, test_empty, test_one and 2 more",
            "test_empty": "info: tests shorten() of texts like test_small, test_long, test_one and 2 more",
            "test_one": "info: tests shorten() of texts like test_small, test_long, test_empty and 2 more",
            "test_two": "info: tests shorten() of texts like test_small, test_long, test_empty and 2 more",
            "test_three": "info: tests shorten() of texts like test_small, test_long, test_empty and 2 more",
        },
        fixed=unsafe(
            """
            import pytest

            from texts import shorten


            @pytest.mark.parametrize(
                ("text", "expected"),
                [
                    pytest.param("abc", "abc", id="small"),
                    pytest.param("abcdefgh", "abcde", id="long"),
                    pytest.param("", "", id="empty"),
                ],
            )
            def test_shorten(text, expected):
                assert shorten(text, 5) == expected


            @pytest.mark.parametrize(
                "text",
                [
                    pytest.param('one', id="one"),
                    pytest.param('two', id="two"),
                    pytest.param('three', id="three"),
                ],
            )
            def test_shorten_2(text):
                got = shorten(text, 5)
                assert got == text
            """
        ),
    ),
)
