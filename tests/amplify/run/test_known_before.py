"""What ``--resume`` says, and what the gate knows of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.findings import FileSummary, Finding, Severity, Span
from socrates_amplify.run.gate import Gate, level_of
from socrates_amplify.run.reuse import what_is_resumed
from socrates_amplify.store.store import Store

ONE, TWO = "test_a.py::test_one", "test_a.py::test_two"


@pytest.mark.parametrize(
    ("code", "tests", "said"),
    [
        pytest.param("a", [ONE, TWO], "resumed, 1 of 2 tests had a result", id="known"),
        pytest.param(
            "b",
            [ONE],
            "nothing to resume: the code, the settings, the packages or the arguments changed "
            "since the last run",
            id="other code",
        ),
        pytest.param("a", [TWO], "nothing to resume: there was no run before", id="of other tests"),
    ],
)
def test_what_is_resumed(code: str, tests: list[str], said: str, tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.add_test("a", ONE, "resilient", {})
        assert what_is_resumed(store, code, tests) == said


def test_nothing_is_resumed_of_a_new_store(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        said = what_is_resumed(store, "a", [ONE])
    assert said == "nothing to resume: there was no run before"


def finding(test: str | None, severity: Severity, code: str = "SOC101") -> Finding:
    return Finding(code, "x", severity, "", "test_a.py", Span(1, 1, 1, 2), test)


SMELLS = [
    finding(ONE, Severity.WARNING, "SOC102"),
    finding(ONE, Severity.ERROR, "SOC101"),
    finding(ONE, Severity.INFO, "SOC103"),
    finding(None, Severity.ERROR, "SOC000"),
]


@pytest.mark.parametrize(
    ("level", "codes"),
    [
        (Severity.INFO, ("SOC101", "SOC102", "SOC103")),
        (Severity.WARNING, ("SOC101", "SOC102")),
        (Severity.ERROR, ("SOC101",)),
        (None, ()),
    ],
)
def test_findings_that_stand_against_a_test(
    level: Severity | None, codes: tuple[str, ...], tmp_path: Path
) -> None:
    gate = Gate(SMELLS, tmp_path, level)
    assert (gate.codes(ONE, tmp_path), gate.codes(TWO, tmp_path)) == (codes, ())


def test_all_parameters_of_a_test_share_its_findings(tmp_path: Path) -> None:
    gate = Gate(SMELLS, tmp_path, Severity.ERROR)
    assert gate.codes(f"{ONE}[a-1]", tmp_path) == ("SOC101",)


def test_node_ids_may_start_elsewhere(tmp_path: Path) -> None:
    gate = Gate([finding(f"tests/{ONE}", Severity.ERROR)], tmp_path, Severity.ERROR)
    assert gate.codes(ONE, tmp_path / "tests") == ("SOC101",)


@pytest.mark.parametrize(("test", "place"), [(ONE, "test_a.py:3"), (TWO, "test_a.py:7"), ("x", "")])
def test_place_of_a_test(test: str, place: str, tmp_path: Path) -> None:
    gate = Gate((), tmp_path, None, [FileSummary("test_a.py", (ONE, TWO), (3, 7))], ["careful"])
    assert (gate.location(test, tmp_path), gate.warnings) == (place, ("careful",))


@pytest.mark.parametrize(
    ("gate", "expected"),
    [(None, Severity.ERROR), ("off", None), ("info", Severity.INFO), ("warning", Severity.WARNING)],
)
def test_severity_that_closes_the_gate(gate: str | None, expected: Severity | None) -> None:
    assert level_of(gate, Severity.ERROR) is expected
