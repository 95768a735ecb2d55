"""Fingerprints: the same when lines move, different when anything that matters differs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.findings import Finding, Severity, Span
from socrates.report.fingerprint import fingerprints, split_lines

SOURCE = "def test_a():\n    assert x\n    assert x\n"


def finding(row: int = 2, **changes: object) -> Finding:
    base = Finding(
        "SOC101",
        "assertion-roulette",
        Severity.WARNING,
        "2 assertions",
        "t.py",
        Span(row, 5, row, 13),
        "t.py::test_a",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def one(each: Finding, source: str | None = SOURCE) -> str:
    return fingerprints([each], lambda _: source)[0]


def test_moved_lines_keep_the_fingerprint() -> None:
    moved = one(finding(row=4), f"import os\n\n{SOURCE}")
    assert moved == one(finding())


def test_new_indentation_keeps_the_fingerprint() -> None:
    assert one(finding(), SOURCE.replace("    ", "\t")) == one(finding())


def test_another_count_in_the_message_keeps_the_fingerprint() -> None:
    assert one(finding(message="12 assertions")) == one(finding())


def test_without_source_another_count_keeps_the_fingerprint() -> None:
    assert one(finding(message="12 things"), None) == one(finding(message="34 things"), None)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"filename": "u.py"}, id="file"),
        pytest.param({"code": "SOC102"}, id="rule"),
        pytest.param({"test": "t.py::test_b"}, id="test"),
        pytest.param({"span": Span(1, 1, 1, 4)}, id="line text"),
    ],
)
def test_fingerprint_tells_apart(change: dict[str, object]) -> None:
    assert one(finding(**change)) != one(finding())


def test_equal_lines_are_told_apart_by_their_order() -> None:
    first, second = fingerprints([finding(2), finding(3)], lambda _: SOURCE)
    assert first != second


def test_a_new_twin_keeps_the_first_fingerprint() -> None:
    assert fingerprints([finding(2), finding(3)], lambda _: SOURCE)[0] == one(finding(2))


def test_row_behind_the_end_falls_back_to_the_message() -> None:
    assert one(finding(row=99)) == one(finding(), None)


@given(
    st.lists(
        st.builds(
            finding,
            st.integers(1, 5),
            test=st.none() | st.text(st.characters(exclude_categories=()), max_size=2),
            filename=st.text(st.characters(exclude_categories=()), max_size=2),
        ),
        max_size=20,
    )
)
def test_fingerprints_are_unique_whatever_the_names(findings: list[Finding]) -> None:
    assert len(set(fingerprints(findings, lambda _: SOURCE))) == len(findings)


def test_lines_are_split_as_python_counts_them() -> None:
    assert split_lines("a\r\nb\rc\x0cd\u2028e\n") == ["a", "b", "c\x0cd\u2028e", ""]
