"""Edits and fixes as data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.findings import Span
from socrates.fix import Stretches
from socrates.fixes import Edit, Fix, apply_edits, overlap
from socrates.fixes.lines import line_edits


def fix_of(*edits: Edit) -> Fix:
    return Fix("Do it", "safe", edits)


def edit(row: int, column: int, end_row: int, end_column: int, text: str = "") -> Edit:
    return Edit(Span(row, column, end_row, end_column), text)


class TestApplying:
    @pytest.mark.parametrize(
        ("edits", "expected"),
        [
            pytest.param([edit(2, 1, 3, 1)], "one\nthree", id="drop a line"),
            pytest.param([edit(2, 1, 2, 1, "x\n")], "one\nx\ntwo\nthree", id="insert a line"),
            pytest.param([edit(3, 6, 3, 6, "!")], "one\ntwo\nthree!", id="at the very end"),
            pytest.param([edit(1, 2, 2, 2, "X")], "oXwo\nthree", id="across lines"),
            pytest.param(
                [edit(3, 1, 3, 6, "3"), edit(1, 1, 1, 4, "1")], "1\ntwo\n3", id="in any order"
            ),
            pytest.param(
                [edit(1, 1, 1, 1, "0\n"), edit(1, 1, 1, 1, "0\n")],
                "0\none\ntwo\nthree",
                id="the same edit once",
            ),
        ],
    )
    def test_rows_and_columns(self, edits: list[Edit], expected: str) -> None:
        assert apply_edits("one\ntwo\nthree", edits) == expected

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
    def test_line_ends_stay(self, end: str) -> None:
        assert apply_edits(f"a{end}b{end}", [edit(2, 1, 2, 2, "x")]) == f"a{end}x{end}"

    def test_columns_count_characters(self) -> None:
        assert apply_edits("é😀x\n", [edit(1, 3, 1, 4, "y")]) == "é😀y\n"

    def test_form_feed_ends_no_line(self) -> None:
        assert apply_edits("a\x0cb\nc\n", [edit(2, 1, 2, 2, "x")]) == "a\x0cb\nx\n"

    def test_overlapping_edits_are_an_error(self) -> None:
        with pytest.raises(ValueError, match="overlapping"):
            apply_edits("abc\n", [edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 4, "y")])


class TestOverlap:
    @pytest.mark.parametrize(
        ("one", "other", "expected"),
        [
            pytest.param(edit(1, 1, 2, 1), edit(2, 1, 3, 1), False, id="neighbours"),
            pytest.param(edit(1, 1, 3, 1), edit(2, 1, 2, 5), True, id="inside"),
            pytest.param(edit(1, 1, 1, 1, "a"), edit(1, 1, 1, 1, "b"), True, id="same place"),
            pytest.param(edit(1, 1, 1, 1, "a"), edit(1, 1, 1, 1, "a"), False, id="same edit"),
            pytest.param(edit(5, 1, 6, 1), edit(1, 1, 2, 1), False, id="far apart"),
        ],
    )
    def test_is_symmetric(self, one: Edit, other: Edit, expected: bool) -> None:
        found = (overlap(fix_of(one), fix_of(other)), overlap(fix_of(other), fix_of(one)))
        assert found == (expected, expected)


def test_json_form() -> None:
    assert fix_of(edit(1, 2, 3, 4, "x")).as_dict() == {
        "applicability": "safe",
        "message": "Do it",
        "edits": [
            {
                "content": "x",
                "location": {"row": 1, "column": 2},
                "end_location": {"row": 3, "column": 4},
            }
        ],
    }


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8).map("".join)


@given(TEXTS, TEXTS)
def test_line_edits_turn_one_text_into_the_other(old: str, new: str) -> None:
    assert apply_edits(old, line_edits(old, new, 1)) == new


@given(TEXTS, TEXTS)
def test_line_edits_also_without_a_last_line_end(old: str, new: str) -> None:
    old, new = f"{old}end", f"{new}end"
    assert apply_edits(old, line_edits(old, new, 1)) == new


@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.integers(1, 4),
            st.integers(0, 2),
            st.integers(0, 4),
            st.text("ab", max_size=1),
        ),
        max_size=6,
    )
)
def test_stretches_take_what_does_not_overlap(places: list[tuple[int, int, int, int, str]]) -> None:
    fixes = [
        Fix("Change", "safe", (Edit(Span(row, column, row + rows, column + columns), text),))
        for row, column, rows, columns, text in places
    ]
    stretches, chosen = Stretches(), []
    for fix in fixes:
        expected = not any(overlap(fix, other) for other in chosen)
        assert stretches.take(fix.edits) == expected
        if expected:
            chosen.append(fix)
