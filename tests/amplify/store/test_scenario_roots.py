"""The test of a scenario file is run in the project that the file lies in, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.store.scenario_files import ScenarioFile
from socrates_amplify.store.scenario_roots import project_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a folder of scenarios, and other code beside it."""
    project = tmp_path.resolve() / "project"
    (project / "tests" / "regressions" / "scenarios").mkdir(parents=True)
    (project / "pytest.ini").touch()
    (project / "tests" / "test_a.py").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pytest.ini").touch()
    return project


def asked(project: Path, rootdir: str = "../../..", test: str = "tests/test_a.py") -> Path:
    """The root that is found from the folder beside the project."""
    path = project / "tests" / "regressions" / "scenarios" / "x.json"
    file = ScenarioFile(f"{test}::test_a", Scenario(), rootdir=rootdir)
    return project_of(file, path, project.parent / "elsewhere")


def test_the_project_above_the_file_is_taken(project: Path) -> None:
    assert asked(project) == project


@pytest.mark.parametrize(
    ("rootdir", "complaint"),
    [
        ("../../../../other", "does not contain the scenario file"),
        ("../../../..", "has no settings of pytest"),
        ("../" * 40, "is no project"),
        ("/", '"rootdir" must be relative'),
        ("../../../gone", "is not there"),
        ("x" * 5000, "is not there|can't be found"),
    ],
    ids=["beside", "above", "the file system", "absolute", "not there", "no file name"],
)
def test_another_folder_is_refused_by_name(project: Path, rootdir: str, complaint: str) -> None:
    with pytest.raises(SocratesError, match=complaint):
        asked(project, rootdir)


def test_a_folder_outside_of_the_repository_is_refused(project: Path) -> None:
    (project / ".git").mkdir()
    (project.parent / "pytest.ini").touch()

    with pytest.raises(SocratesError, match=f"lies outside of the repository {project}; to run"):
        asked(project, "../../../..")


def test_the_home_of_the_user_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project))
    monkeypatch.setenv("USERPROFILE", str(project))

    with pytest.raises(SocratesError, match="is no project"):
        asked(project)


def test_the_current_folder_is_taken_whatever_it_is(project: Path) -> None:
    file = ScenarioFile("test_a.py::test_a", Scenario(), rootdir="../other")

    assert project_of(file, project / "x.json", project.parent / "other").name == "other"


@pytest.mark.parametrize("link", ["file", "folder"])
def test_a_test_that_leads_out_of_the_project_is_refused(project: Path, link: str) -> None:
    outside = project.parent / "other" / "test_a.py"
    outside.touch()
    (project / "out.py").symlink_to(outside)
    (project / "out").symlink_to(outside.parent)

    with pytest.raises(SocratesError, match=f"leads out of the project, to {outside}"):
        asked(project, test="out.py" if link == "file" else "out/test_a.py")


def test_a_link_inside_of_the_project_is_followed(project: Path) -> None:
    (project / "test_link.py").symlink_to("tests/test_a.py")

    assert asked(project, test="test_link.py") == project
