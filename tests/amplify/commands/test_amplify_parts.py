"""What ``socrates amplify`` makes of its flags and of a result: nothing is run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from socrates_amplify.commands import amplify
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect


def found(replay: str, *, minimal: bool = True) -> FoundDefect:
    failure = Failure("E", "no", "a.py:1")
    return FoundDefect(Defect(Scenario.of([Fault("t", "lose")]), failure, minimal), replay)


def result(*tests: TestResult) -> RunResult:
    return RunResult(tests, rootdir="sub")


DEFECTIVE = TestResult(
    "a.py::a", Status.DEFECTIVE, defects=(found("1.json"), found("2.json", minimal=False))
)
FLAKY = TestResult("a.py::b", Status.FLAKY, defects=(found("3.json"),))


class Kept:
    """In the place of the module that writes regression tests."""

    def __init__(self, written: Path | None) -> None:
        self.written = written
        self.asked: list[tuple[object, ...]] = []

    def write(self, *asked: object) -> Path | None:
        self.asked.append(asked)
        return self.written


Keep = Any


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keep:
    """Keeps the defects of a result as tests, in ``where``."""
    monkeypatch.chdir(tmp_path)

    def run(where: str, written: Path | None = None, *, quiet: bool = False) -> Kept:
        kept = Kept(written)
        monkeypatch.setattr(amplify, "regression_files", kept)
        args = argparse.Namespace(write_tests=Path(where), quiet=quiet)
        amplify._keep_tests(result(DEFECTIVE, FLAKY), args, tmp_path)
        return kept

    return run


def test_minimal_scenarios_of_defective_tests_are_kept(keep: Keep, tmp_path: Path) -> None:
    [(where, scenarios, _)] = keep("sub/tests").asked
    assert (where, scenarios) == (Path("sub/tests"), [tmp_path / "1.json"])


@pytest.mark.parametrize(
    ("where", "inside"), [("sub/tests", True), ("elsewhere", False), ("sub/../other", False)]
)
def test_kept_tests_stay_in_the_project_unless_the_user_names_a_folder_outside(
    where: str, inside: bool, keep: Keep, tmp_path: Path
) -> None:
    [(_, _, bound)] = keep(where).asked
    assert bound == (tmp_path / "sub" if inside else None)


@pytest.mark.parametrize(
    ("is_written", "quiet", "told"),
    [(True, False, "socrates: wrote test_kept.py\n"), (True, True, ""), (False, False, "")],
    ids=["written", "quiet", "nothing to write"],
)
def test_file_of_kept_tests_is_named(
    is_written: bool,
    quiet: bool,
    told: str,
    keep: Keep,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    keep("sub", tmp_path / "test_kept.py" if is_written else None, quiet=quiet)
    assert capsys.readouterr().err == told


class Written:
    """In the place of the module that writes files."""

    def __init__(self) -> None:
        self.files: list[tuple[Path, str, Path | None]] = []

    def write_file(self, path: Path, page: str, flag: str, folder: Path | None) -> None:
        self.files.append((path, flag, folder))


@pytest.mark.parametrize(
    ("report", "tests", "files"),
    [
        pytest.param(None, (TestResult("a.py::a", Status.RESILIENT),), [], id="no defects"),
        pytest.param(
            None, (DEFECTIVE,), [("sub/.socrates/report.html", "sub/.socrates")], id="defects"
        ),
        pytest.param("page.html", (), [("page.html", None)], id="asked for"),
    ],
)
def test_page_is_written_where_it_is_asked_for_or_needed(
    report: str | None,
    tests: tuple[TestResult, ...],
    files: list[tuple[str, str | None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = Written()
    monkeypatch.setattr(amplify, "output", written)
    args = argparse.Namespace(report=tmp_path / report if report else None)
    told = amplify._report(result(*tests), args, tmp_path)
    expected = [(tmp_path / path, "--report", tmp_path / at if at else None) for path, at in files]
    assert (written.files, told.report) == (expected, files[0][0] if files else "")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"jobs": 2}),
        ({"scenario": ["a.json"]}, {"jobs": 2, "explorer": "static"}),
        ({"scenario": ["a.json"], "explorer": "naive"}, {"jobs": 2}),
        ({"honest_timeouts": True}, {"jobs": 2, "probes": {"http": {"honest-timeouts": True}}}),
    ],
)
def test_flags_that_stand_for_settings(
    given: dict[str, object], expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(amplify, "given_flags", lambda args: {"jobs": 2})
    flags = {"scenario": [], "explorer": None, "honest_timeouts": False, **given}
    assert amplify._flags(argparse.Namespace(**flags)) == expected
