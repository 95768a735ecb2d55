"""Kept results and fixes come back as they were; anything of another form is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from socrates.engine.entries import finding_to, fix_from, result_from, result_to
from socrates.engine.result import FileResult
from socrates.findings import FileSummary, Finding, Related, Severity, Span

FINDING = Finding(
    "SOC101",
    "assertion-roulette",
    Severity.WARNING,
    "2 assertions",
    "test_a.py",
    Span(1, 2, 3, 4),
    "test_a.py::test_it",
    (Related("here", "test_b.py", Span(5, 6, 7, 8)),),
    "split it",
    {"assertions": 2},
)
SUMMARY = FileSummary("test_a.py", ("test_a.py::test_it",), (3,), ("test_a.py::TestIt",))
FIX = {
    "applicability": "safe",
    "message": "drop it",
    "edits": [
        {
            "content": "",
            "location": {"row": 1, "column": 2},
            "end_location": {"row": 1, "column": 3},
        }
    ],
}


def written(finding: Finding = FINDING) -> Any:
    """A result with one finding, as it is read from a file."""
    return json.loads(json.dumps(result_to(FileResult(SUMMARY, (finding,), 3))))


def is_refused(read: Callable[[Any], object], data: object) -> bool:
    try:
        read(data)
    except ValueError:
        return True
    return False


def test_result_comes_back() -> None:
    assert result_from(written()) == FileResult(SUMMARY, (FINDING,), 3)


def test_data_of_a_finding_comes_back() -> None:
    assert result_from(written()).findings[0].data == {"assertions": 2}


def test_finding_about_a_file_has_no_test() -> None:
    whole = Finding("SOC000", "x", Severity.ERROR, "m", "test_a.py", Span(1, 1, 1, 1))
    assert result_from(written(whole)).findings == (whole,)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("filename", 1),
        ("tests", "test_a.py"),
        ("tests", [1]),
        ("lines", ["1"]),
        ("lines", [True]),
        ("classes", [None]),
        ("suppressed", "0"),
        ("suppressed", False),
        ("findings", {}),
        ("findings", [{}]),
        ("findings", [finding_to(FINDING)[:-1]]),
        ("findings", [[*finding_to(FINDING), 1]]),
        ("findings", [[*finding_to(FINDING)[:-1], None]]),
    ],
)
def test_result_of_another_form_is_refused(key: str, value: object) -> None:
    assert is_refused(result_from, {**written(), key: value})


PLACE = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("position", "value"),
    [
        pytest.param(0, 1, id="code"),
        pytest.param(1, None, id="name"),
        pytest.param(2, "bad", id="severity"),
        pytest.param(3, [], id="message"),
        pytest.param(4, 0, id="file"),
        pytest.param(5, (1, 1, 1, 1), id="span that is no list"),
        pytest.param(5, [1, 1, 1], id="span of three"),
        pytest.param(5, [1, 1, 1, 1, 1], id="span of five"),
        pytest.param(5, [0, 1, 1, 1], id="row 0"),
        pytest.param(5, [1, 1, 1, 0], id="column 0"),
        pytest.param(5, [True, 1, 1, 1], id="row that is a truth"),
        pytest.param(5, [1, "1", 1, 1], id="column that is a text"),
        pytest.param(5, [1, 1, 1.0, 1], id="end that is no whole number"),
        pytest.param(5, [1, 1, 1, 1.0], id="end column that is no whole number"),
        pytest.param(6, 3, id="test"),
        pytest.param(7, {}, id="related"),
        pytest.param(7, [["m", 1, PLACE]], id="related file"),
        pytest.param(7, [[1, "f", PLACE]], id="related message"),
        pytest.param(7, [["m", "f", [1]]], id="related place"),
        pytest.param(8, None, id="advice"),
    ],
)
def test_finding_of_another_form_is_refused(position: int, value: object) -> None:
    entry = finding_to(FINDING)
    entry[position] = value
    assert is_refused(result_from, {**written(), "findings": [entry]})


@pytest.mark.parametrize("applicability", ["safe", "unsafe"])
def test_fix_comes_back(applicability: str) -> None:
    fix = {**FIX, "applicability": applicability}
    assert fix_from(copy.deepcopy(fix)) == fix


EDIT: Any = FIX["edits"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param([], id="no table"),
        pytest.param({**FIX, "more": 1}, id="more keys"),
        pytest.param({"message": "drop it", "edits": []}, id="fewer keys"),
        pytest.param({**FIX, "applicability": "perhaps"}, id="applicability"),
        pytest.param({**FIX, "message": 1}, id="message"),
        pytest.param({**FIX, "edits": {}}, id="edits"),
        pytest.param({**FIX, "edits": [1]}, id="edit"),
        pytest.param({**FIX, "edits": [{**EDIT, "more": 1}]}, id="more keys of an edit"),
        pytest.param({**FIX, "edits": [{**EDIT, "content": 1}]}, id="content"),
        pytest.param({**FIX, "edits": [{**EDIT, "location": 1}]}, id="place"),
        pytest.param({**FIX, "edits": [{**EDIT, "location": {"row": 1}}]}, id="half a place"),
        pytest.param(
            {**FIX, "edits": [{**EDIT, "end_location": {"row": "1", "column": 1}}]}, id="row"
        ),
        pytest.param(
            {**FIX, "edits": [{**EDIT, "end_location": {"row": 1, "column": True}}]}, id="column"
        ),
    ],
)
def test_fix_of_another_form_is_refused(data: object) -> None:
    assert is_refused(fix_from, data)
