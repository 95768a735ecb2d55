"""Names and messages from anywhere, made fit to show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.printable import one_line, visible, well_formed
from socrates.report.text import count, listed

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_well_formed_text_is_utf8(text: str) -> None:
    assert well_formed(text).encode("utf-8")[:0] == b""


def test_byte_of_a_foreign_file_name_shows_as_python_writes_it() -> None:
    assert well_formed(b"caf\xe9.py".decode("utf-8", "surrogateescape")) == "caf\\xe9.py"


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_well_formed_leaves_ordinary_text_alone(text: str) -> None:
    assert well_formed(text) == text


@given(ANY_TEXT)
def test_one_line_has_no_line_end_that_anything_knows(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31mred", "\\x1b[31mred", id="colour"),
        pytest.param("a\u202eb", "a\\u202eb", id="right to left"),
        pytest.param("a\u200fb\u061c", "a\\u200fb\\u061c", id="marks of direction"),
        pytest.param("a\u200bb\ufeff", "a\\u200bb\\ufeff", id="no width"),
        pytest.param(
            "\u06a9\u200c\u0647", "\u06a9\u200c\u0647", id="letters that are joined or not"
        ),
        pytest.param("a\x00b", "a\\x00b", id="nul"),
        pytest.param("a\tb", "a\tb", id="tab stays"),
    ],
)
def test_what_steers_a_terminal_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_are_joined_by_single_blanks() -> None:
    assert one_line(" one\r\n   two\n\nthree ") == "one two three"


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "test", "1 test"), (2, "test", "2 tests"), (1200, "entry", "1,200 entries")],
)
def test_count_says_the_plural(number: int, noun: str, text: str) -> None:
    assert count(number, noun) == text


@pytest.mark.parametrize(
    ("parts", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_listed_joins_the_last_with_and(parts: list[str], text: str) -> None:
    assert listed(parts) == text
