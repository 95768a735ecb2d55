"""Lines as Python counts them, and the edits between two texts."""

from __future__ import annotations

import pytest

from socrates.findings import Span
from socrates.fix import Edit, apply_edits
from socrates.fixes.lines import line_edits, line_end, lines_of, rows
from socrates.model.python.source import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb\n", ("a\n", "b\n"), id="with an end"),
        pytest.param("a\nb", ("a\n", "b"), id="without an end"),
        pytest.param("a\r\nb\rc\n", ("a\r\n", "b\r", "c\n"), id="ends of every kind"),
        pytest.param("a\x0cb\n", ("a\x0cb\n",), id="a form feed"),
        pytest.param("\n\n", ("\n", "\n"), id="empty ones"),
    ],
)
def test_lines(text: str, expected: tuple[str, ...]) -> None:
    assert lines_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("a\r\n", "\r\n"), ("a\n", "\n"), ("a\r", "\r"), ("a", "")]
)
def test_end_of_a_line(text: str, expected: str) -> None:
    assert line_end(text) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("a\nb\n", "a\nb\n", (), id="nothing"),
        pytest.param("a\nb\n", "a\nc\n", (Edit(Span(6, 1, 7, 1), "c\n"),), id="a line"),
        pytest.param("a\nb", "a\nc", (Edit(Span(6, 1, 6, 2), "c"),), id="the last, without an end"),
        pytest.param("a\n", "a\nb\n", (Edit(Span(6, 1, 6, 1), "b\n"),), id="one more"),
        pytest.param("", "b\n", (Edit(Span(5, 1, 5, 1), "b\n"),), id="the first"),
        pytest.param("a\nb\n", "b\n", (Edit(Span(5, 1, 6, 1), ""),), id="one less"),
    ],
)
def test_edits_of_lines(old: str, new: str, expected: tuple[Edit, ...]) -> None:
    assert line_edits(old, new, 5) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [("a\nb", "a\nb\nc"), ("a\r\nb\r\n", "b\r\nc\r\n"), ("a\n\nb\n", "b\n\na\n"), ("a", "b")],
)
def test_edits_lead_from_one_text_to_the_other(old: str, new: str) -> None:
    assert apply_edits(old, line_edits(old, new, 1)) == new


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        pytest.param(1, 1, Span(1, 1, 2, 1), id="one"),
        pytest.param(1, 3, Span(1, 1, 3, 2), id="up to an end that is missing"),
        pytest.param(2, 9, Span(2, 1, 3, 2), id="more than there are"),
    ],
)
def test_whole_rows(first: int, last: int, expected: Span) -> None:
    assert rows(parse(b"a\nb\nc"), first, last) == expected
