"""Lines for people: with colours as rich shows them, without colours the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.report.console import printed_lines
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.line import Line
from socrates_amplify.report.words import shorten_order

PLAIN = ReportContext(Path())
COLOURED = ReportContext(Path(), color=True)


def told() -> Line:
    """A line with words of two styles, and blanks at its end."""
    line = Line.of("  ", ("red words", "red"), Line("; "), ("", "bold"), ("bold", "bold"))
    line.append(" \t ", style="dim")
    line.append("  ")
    return line


def stripped() -> Line:
    line = told()
    line.rstrip()
    return line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Write('a') after Flush of T#1", "Write('a') after Flush of T#1", id="short"),
        pytest.param(
            f"Write({'a' * 60}) after Flush of Terminator#1",
            f"Write({'a' * 25}… after Flush of Terminator#1",
            id="what is held is cut",
        ),
        pytest.param(
            f"Write({'a' * 60}) after {'b' * 80}",
            f"Write({'a' * 17}… after {'b' * 59}…",
            id="something is left of both",
        ),
        pytest.param("a" * 80, f"{'a' * 59}…", id="no order"),
        pytest.param(
            "what follows acquire at double_booking.py:55 after acquire of a-worker-with-a-name",
            "what follows acquire at double_booking.py:55 after acquire of a-worker-with-a-name",
            id="a place is whole",
        ),
        pytest.param(
            f"{'a' * 60} at double_booking.py:55 after acquire of b#1",
            f"{'a' * 23}… at double_booking.py:55 after acquire of b#1",
            id="what stands before a place is cut",
        ),
    ],
)
def test_an_order_keeps_what_comes_first(text: str, expected: str) -> None:
    assert shorten_order(text) == expected


def test_without_colours_the_words_are_there() -> None:
    assert printed_lines([stripped(), Line()], PLAIN) == "  red words; bold\n\n"


def test_colours_stand_around_the_words_that_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert (
        printed_lines([stripped()], COLOURED) == "  \x1b[31mred words\x1b[0m; \x1b[1mbold\x1b[0m\n"
    )


def test_tabs_are_blanks() -> None:
    assert printed_lines([Line("a\tb")], PLAIN) == "a       b\n"


def test_a_long_line_stays_whole() -> None:
    assert printed_lines([Line("a " * 9000)], PLAIN) == f"{'a ' * 9000}\n"


@pytest.mark.parametrize("line", [Line(), Line(""), Line.of("", ("", "red"))])
def test_a_line_without_words_is_false(line: Line) -> None:
    assert not line


def test_a_line_of_blanks_has_nothing_left() -> None:
    line = Line.of("  ", (" ", "red"))
    line.rstrip()
    assert line.plain == ""
