"""What pytest could not collect, on one line; and how a pytest process is started."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.coverage.collect import VARIABLE
from socrates_amplify.executors.answers import outcome_among_others, place_of
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.in_test.collecting import collection_error, listing_of
from socrates_amplify.executors.launch import (
    collection_problem,
    lines_of,
    pytest_command,
    unknown_test,
)
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict

HINT = "run pytest --collect-only to see more"


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (["a.py: E"], f"pytest could not collect a.py: E; {HINT}"),
        (["a.py: E", "b"], f"pytest could not collect a.py: E (and 1 more); {HINT}"),
        (["a", "b", "c"], f"pytest could not collect a (and 2 more); {HINT}"),
    ],
    ids=["one", "two", "three"],
)
def test_first_error_is_told_and_the_others_are_counted(errors: list[str], told: str) -> None:
    assert collection_problem(errors) == told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "it said nothing", id="nothing"),
        pytest.param("one\n\n  two  \n \n", "two", id="last line"),
        pytest.param("one\nERROR: a\nImportError: b\nend", "ImportError: b", id="last error"),
    ],
)
def test_line_that_says_most_is_told(text: str, said: str, tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    output.write_text(text)
    told = collection_problem([], output, 3)
    assert told == f"pytest ended with exit code 3 before any test: {said}; {HINT}"


def test_process_without_any_output_said_nothing(tmp_path: Path) -> None:
    assert "before any test: it said nothing;" in collection_problem([], tmp_path / "none", 1)


def test_process_that_ended_well_was_probably_asked_to() -> None:
    told = "pytest ended with exit code 0 before any test (does an option ask it to?): "
    assert collection_problem([]).startswith(f"{told}it said nothing;")


def test_test_that_was_not_collected_is_named() -> None:
    told = "a.py::b is not among the collected tests; run pytest --collect-only to see them"
    assert unknown_test("a.py::b") == told


def test_lines_of_a_listing_stay_in_order() -> None:
    assert list(lines_of({"b": "3", "a": 1}).items()) == [("b", 3), ("a", 1)]


def test_place_of_a_test_is_its_file_and_line() -> None:
    assert place_of("tests/a.py::A::b[x::y]", {"tests/a.py::A::b[x::y]": 7}) == "tests/a.py:7"


def test_listing_counts_lines_from_one() -> None:
    items = [
        SimpleNamespace(nodeid="a", location=("f.py", 0, "a")),
        SimpleNamespace(nodeid="b", location=("f.py", 6, "b")),
        SimpleNamespace(nodeid="c", location=("f.py", None, "c")),
    ]
    session: Any = SimpleNamespace(items=items)
    assert list(listing_of(session).items()) == [("a", 1), ("b", 7), ("c", 1)]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("\n  first\nsecond\n", "first", id="no exception"),
        pytest.param("E   no name\nE   more", "no name", id="without a name"),
        pytest.param("E   A: x\nE   KeyError: 1\nE   rest", "KeyError: 1", id="named"),
        pytest.param("E   KeyError: 1\nE   x.YWarning: 2", "x.YWarning: 2", id="last of a chain"),
        pytest.param("EKeyError: 1\nE   said", "said", id="no line of an exception"),
    ],
)
def test_collection_error_is_one_line(text: str, detail: str) -> None:
    report: Any = SimpleNamespace(nodeid="a.py", longreprtext=text)
    assert collection_error(report) == f"a.py: {detail}"


def test_test_among_others_that_said_nothing_has_crashed() -> None:
    told = "the process ended with exit code 0 before the test did"
    assert outcome_among_others(b"", "a.py:1") == Outcome(
        Scenario(), Verdict.FAIL, Failure("Crash", told, "a.py:1"), status="crashed"
    )


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plugin is loaded unless it is named."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)


START = [
    *("-m", "socrates_amplify.executors.in_test.start", "-p", "plugin"),
    *("-p", "socrates_amplify.executors.in_test.options"),
]


@pytest.mark.usefixtures("plain")
def test_command_has_options_before_paths(tmp_path: Path) -> None:
    command, _ = pytest_command(Suite(tmp_path, ("a.py",), ("-x",)), "plugin")
    assert command == [sys.executable, *START, "-x", "a.py"]


@pytest.mark.usefixtures("plain")
def test_python_of_the_suite_runs_its_tests(tmp_path: Path) -> None:
    command, _ = pytest_command(Suite(tmp_path, python="/other/python"), "plugin")
    assert command == ["/other/python", *START]


@pytest.mark.usefixtures("plain")
def test_coverage_is_collected_where_the_suite_asks_for_it(tmp_path: Path) -> None:
    suite = Suite(tmp_path, ("a.py",), environment={VARIABLE: "x"})
    command, _ = pytest_command(suite, "plugin")
    assert command[-3:] == ["-p", "socrates_amplify.coverage.collect", "a.py"]


def test_variables_of_the_suite_come_beside_those_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("KEPT", "CHANGED", "GONE"):
        monkeypatch.setenv(name, "before")
    suite = Suite(tmp_path, environment={"CHANGED": "now", "GONE": None, "NEW": "1"})
    _, environment = pytest_command(suite, "plugin")
    found = {name: environment.get(name) for name in ("KEPT", "CHANGED", "GONE", "NEW")}
    assert found == {"KEPT": "before", "CHANGED": "now", "GONE": None, "NEW": "1"}


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("variable", ["PYTEST_ADDOPTS", "PYTEST_PLUGINS"])
def test_plugin_for_coverage_that_is_named_is_switched_off(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pytest_cov").mkdir()
    (tmp_path / "pytest_cov" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(variable, "-p pytest_cov")
    assert "--no-cov" in pytest_command(Suite(tmp_path), "plugin")[0]
