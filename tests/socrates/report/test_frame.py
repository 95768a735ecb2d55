"""Code frames, to the letter."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from socrates.findings import Span
from socrates.report.frame import Mark, frame
from socrates.report.style import Styler

PLAIN = Styler(color=False)


def drawn(source: str, *spans: Span, width: int = 80, context: int = 0) -> str:
    marks = [Mark(span, label="" if number == 0 else "also") for number, span in enumerate(spans)]
    lines = frame(source.split("\n"), marks, styler=PLAIN, width=width, context=context)
    return "\n".join(lines)


def expected(text: str) -> str:
    return dedent(text).strip("\n")


def test_span_on_one_line() -> None:
    assert drawn("one\n    assert total == 3\nthree", Span(2, 12, 2, 17)) == expected("""
          |
        2 |     assert total == 3
          |            ^^^^^
    """)


def test_context_lines_surround_the_span_but_not_blank_ones() -> None:
    assert drawn("one\ntwo\n\nfour", Span(2, 1, 2, 4), context=1) == expected("""
          |
        1 | one
        2 | two
          | ^^^
    """)


def test_every_line_of_a_short_span_is_underlined_without_its_indentation() -> None:
    assert drawn("x = [\n    1,\n]", Span(1, 5, 3, 2)) == expected("""
          |
        1 | x = [
          |     ^
        2 |     1,
          |     ^^
        3 | ]
          | ^
    """)


def test_empty_line_inside_a_span_is_shown() -> None:
    assert drawn("x = [\n\n]", Span(1, 5, 3, 2)) == expected("""
          |
        1 | x = [
          |     ^
        2 |
        3 | ]
          | ^
    """)


def test_long_span_keeps_its_first_lines_and_its_last() -> None:
    shown = drawn("\n".join(f"line{number}" for number in range(1, 10)), Span(1, 1, 9, 6))
    numbers = [line.split(" ")[0] for line in shown.splitlines() if not line.startswith(" ")]
    assert numbers == ["1", "2", "3", "...", "9"]


def test_span_that_ends_at_the_start_of_a_line_leaves_that_line_out() -> None:
    assert "three" not in drawn("one\ntwo\nthree", Span(1, 1, 3, 1))


def test_dots_stand_for_lines_between_two_marks() -> None:
    assert drawn("one\ntwo\nthree", Span(1, 1, 1, 4), Span(3, 1, 3, 6)) == expected("""
          |
        1 | one
          | ^^^
        ...
        3 | three
          | ^^^^^ also
    """)


@pytest.mark.parametrize(
    ("before", "inside", "indent", "length"),
    [
        pytest.param("\t", "total", 4, 5, id="tab"),
        pytest.param("ab\t", "total", 4, 5, id="tab in the middle"),
        pytest.param("日本 ", "語", 5, 2, id="wide characters"),
        pytest.param("🍎 = ", "🍏🍏", 5, 4, id="emoji"),
        pytest.param("e\u0301 = ", "x", 4, 1, id="combining accent"),
        pytest.param("\x1b", "x", 4, 1, id="control character"),
    ],
)
def test_underline_stands_below_its_text(
    before: str, inside: str, indent: int, length: int
) -> None:
    span = Span(1, len(before) + 1, 1, len(before) + len(inside) + 1)
    signs = drawn(f"{before}{inside} == 1", span).splitlines()[-1]
    assert signs == "  | " + " " * indent + "^" * length


def test_label_that_does_not_fit_stands_below_the_signs() -> None:
    source = "one\n" + "x" * 30
    shown = drawn(source, Span(1, 1, 1, 4), Span(2, 1, 2, 31), width=36)
    assert shown.splitlines()[-2:] == ["  | " + "^" * 30, "  | also"]


def test_empty_span_points_at_its_place() -> None:
    assert drawn("ab", Span(1, 3, 1, 3)).splitlines()[-1] == "  |   ^"


@pytest.mark.parametrize("row", [0, 7], ids=["before the start", "behind the end"])
def test_span_outside_of_the_source_has_no_frame(row: int) -> None:
    assert drawn("one\ntwo", Span(row, 1, row, 2)) == ""


def test_long_line_is_cut_around_the_span() -> None:
    before = "a, " * 5000
    line = f"f({before}target, {'b, ' * 50})"
    start = line.index("target") + 1
    text, signs = drawn(line, Span(1, start, 1, start + 6), width=60).splitlines()[1:]
    assert text[signs.index("^") : signs.rindex("^") + 1] == "target"
    assert cell_len(text) <= 60


@given(
    st.lists(st.text("a\t日🍎\x07 e\u0301", max_size=90), min_size=1, max_size=4),
    st.tuples(*[st.integers(0, 100)] * 4),
    st.integers(20, 90),
)
def test_any_span_on_any_text_gives_lines_that_fit(
    lines: list[str], numbers: tuple[int, int, int, int], width: int
) -> None:
    row, column, end_row, end_column = numbers
    span = Span(row % 5, column, end_row % 6, end_column)
    shown = frame(lines, [Mark(span)], styler=PLAIN, width=width, context=1)
    assert max(map(cell_len, shown), default=0) <= max(width, 24)
