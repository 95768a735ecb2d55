"""Tests that replay a defect: what is written, and what is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.store import regression_files, scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile

FILE = ScenarioFile(
    "test_a.py::TestA::test_it[x/y]", Scenario.of([Fault("t", "drop", "a", "b", "c")])
)


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """A scenario file of a project."""
    path = tmp_path / FILE.name
    path.write_text(scenario_files.to_text(FILE))
    return path


def test_scenario_stands_beside_the_test_that_replays_it(tmp_path: Path, scenario: Path) -> None:
    target = regression_files.write(tmp_path / "kept", [scenario])
    names = [path.name for path in (tmp_path / "kept" / "scenarios").iterdir()]
    assert (target, names) == (tmp_path / "kept" / regression_files.NAME, [f"test_it-{FILE.name}"])


def test_scenario_says_where_its_project_is(tmp_path: Path, scenario: Path) -> None:
    regression_files.write(tmp_path / "kept", [scenario])
    (path,) = (tmp_path / "kept" / "scenarios").iterdir()
    assert json.loads(path.read_text())["rootdir"] == "../.."


def test_written_test_is_known_again(tmp_path: Path, scenario: Path) -> None:
    target = regression_files.write(tmp_path / "kept", [scenario])
    assert target is not None, "there is a scenario"
    assert regression_files.is_kept(target)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(regression_files.NAME, "# mine\n", id="another text"),
        pytest.param("test_other.py", regression_files.SOURCE, id="another name"),
    ],
)
def test_other_test_is_not_ours(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert not regression_files.is_kept(path)


def test_no_scenarios_no_test(tmp_path: Path) -> None:
    assert (regression_files.write(tmp_path / "kept", []), (tmp_path / "kept").exists()) == (
        None,
        False,
    )


def test_folder_that_can_not_be_made_is_one_line(tmp_path: Path, scenario: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(SocratesError, match="--write-tests: cannot write"):
        regression_files.write(tmp_path / "kept", [scenario])


def test_folder_outside_of_the_project_is_refused(tmp_path: Path, scenario: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(SocratesError, match="--write-tests: cannot write"):
        regression_files.write(tmp_path / "kept", [scenario], inside)
