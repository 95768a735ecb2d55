"""Options in ``addopts`` that keep tests from being run: they are run all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.model.faults import Scenario
from socrates_amplify.run.choose_executor import make_executor

TESTS = """
import pytest


def test_first():
    assert True


def test_passes(tmp_path):
    (tmp_path / "ran").touch()


def test_fails(tmp_path):
    assert tmp_path is None
"""
OPTIONS = [
    "--setup-plan --collect-only --help --version --cache-show",
    "--setup-only --co -h -V --fixtures --fixtures-per-test --markers",
    "-x --stepwise --last-failed --pdb --junitxml=report.xml",
    "--maxfail=1 --stepwise-skip --trace -p socrates_amplify.pytest_plugin --amplify",
    "-p no:terminal",
]
"""In lines of several: where one of them is not switched off, the others do not hide it."""


def statuses(folder: Path, addopts: str, executor: str) -> dict[str, str]:
    """How the tests end, by name, in a project with these options."""
    cached = folder / ".pytest_cache" / "v" / "cache" / "lastfailed"
    cached.parent.mkdir(parents=True)
    cached.write_text('{"test_it.py::test_fails": true}')
    (folder / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = {addopts}\n")
    runner = make_executor(executor, Suite(folder))
    try:
        tests = runner.collect()
        found = {}
        for nodeid in tests:
            outcome = runner.run(nodeid, Scenario(), 60)
            failure = outcome.failure.type if outcome.failure else ""
            found[nodeid.partition("::")[2]] = f"{outcome.status} {failure}".strip()
        return found
    finally:
        runner.close()


EXPECTED = {
    "test_first": "passed",
    "test_passes": "passed",
    "test_fails": "failed AssertionError",
}


@pytest.mark.parametrize("addopts", OPTIONS)
def test_an_option_that_runs_no_test_is_switched_off(tmp_path: Path, addopts: str) -> None:
    assert statuses(tmp_path, addopts, "fork") == EXPECTED


def test_all_of_them_in_fresh_processes(tmp_path: Path) -> None:
    together = " ".join(option for option in OPTIONS if "terminal" not in option)
    assert statuses(tmp_path, together, "subprocess") == EXPECTED


def test_the_report_of_the_suite_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text("theirs")
    statuses(tmp_path, "--junitxml=report.xml", "fork")
    assert (tmp_path / "report.xml").read_text() == "theirs"


SHOWN = """
from pathlib import Path


class Shown:
    def __repr__(self):
        Path("shown").touch()
        return "shown"


def test_fails():
    shown = Shown()
    assert 1 == 2
"""


def test_no_traceback_is_written_that_nobody_reads(project) -> None:
    options = ("--tb=long", "--showlocals", "--full-trace")
    runner = project({"test_it.py": SHOWN}, *options)
    failure = runner.run("test_it.py::test_fails", Scenario(), 60).failure
    assert (failure.message, failure.location) == ("assert 1 == 2", "test_it.py:13")
    assert not (runner.rootdir / "shown").exists()


@pytest.mark.parametrize("options", ["--forked", "-n auto", "-n 2 --dist loadscope"])
def test_plugins_that_run_tests_elsewhere_are_switched_off(tmp_path: Path, options: str) -> None:
    plugin = "pytest_forked" if options == "--forked" else "xdist"
    pytest.importorskip(plugin)
    found = statuses(tmp_path, f"-p {plugin} {options}", "fork")
    assert found == EXPECTED
