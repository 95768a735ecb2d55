"""Scenario files are plain JSON; what is not one is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile

FAULT = Fault("t1", "duplicate", "test", "A#1", "Add(1)")
FILE = ScenarioFile(
    "tests/test_a.py::test_a",
    Scenario.of([FAULT]),
    Failure("AssertionError", "assert 2 == 1", "tests/test_a.py:3"),
    rootdir="../..",
    code="abc",
)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
faults = st.builds(Fault, texts, texts, texts, texts, texts, texts)


@given(nodeid=texts.filter(bool), faults=st.lists(faults, max_size=5))
def test_every_scenario_survives_writing_and_reading(nodeid: str, faults: list[Fault]) -> None:
    file = ScenarioFile(nodeid, Scenario.of(faults))

    assert scenario_files.from_text(scenario_files.to_text(file), "x.json") == file


def test_the_failure_survives_too() -> None:
    assert scenario_files.from_text(scenario_files.to_text(FILE), "x.json") == FILE


def test_the_root_is_found_from_the_place_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / ".socrates" / "scenarios" / FILE.name

    assert FILE.root(path) == tmp_path.resolve()


def test_the_same_faults_have_the_same_name() -> None:
    assert ScenarioFile(FILE.nodeid, Scenario.of([FAULT])).name == FILE.name


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(scenario_files.to_text(FILE)), **changes})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("{", "the JSON is broken", id="cut off"),
        pytest.param("[" * 100_000, "the JSON is broken", id="nested without end"),
        pytest.param("[]", '"format" must be', id="a list"),
        pytest.param(changed(format="pickle"), '"format" must be', id="another format"),
        pytest.param(changed(version=2), "version 2 is not 1", id="another version"),
        pytest.param(changed(nodeid=""), '"nodeid" is missing', id="no test"),
        pytest.param(changed(nodeid=7), '"nodeid" must be a text', id="a number for a test"),
        pytest.param(changed(nodeid="a\0b"), '"nodeid" must be a text', id="a NUL in the test"),
        pytest.param(changed(faults={}), "faults must be a list", id="no list of faults"),
        pytest.param(
            changed(faults=[{"kind": 1}]), "kind must be str", id="a kind that is a number"
        ),
        pytest.param(changed(failure="bad"), "failure must be an object", id="failure as a text"),
    ],
)
def test_what_is_no_scenario_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(SocratesError, match=f"^x.json.*{complaint}"):
        scenario_files.from_text(text, "x.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SocratesError, match=r"gone\.json: cannot be read: No such file"):
        scenario_files.read(tmp_path / "gone.json")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\x80\x04\x95")

    with pytest.raises(SocratesError, match="not UTF-8 text"):
        scenario_files.read(path)
