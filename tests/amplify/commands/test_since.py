"""``socrates amplify --since``: a whole run after a change, with results of the run before."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from socrates_amplify.store.store import Store


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


class Runs(NamedTuple):
    """A project in a repository, and the reports of its runs before and after a change."""

    folder: Path
    before: dict[str, Any]
    after: dict[str, Any]


@pytest.fixture(scope="module")
def runs(
    tmp_path_factory: pytest.TempPathFactory,
    example: Callable[[str, Path], Path],
    socrates: Callable[..., Done],
    git: Callable[..., None],
) -> Runs:
    """The defective example; then one test file changes. A module of it runs under faults only."""
    folder = example("accumulator", tmp_path_factory.mktemp("since"))
    (folder / "warehouse" / "again.py").write_text("def told() -> None:\n    pass\n")
    stock = folder / "warehouse" / "stock.py"
    count = "    def _count(self, delivery: CountIn) -> None:\n"
    known = "        if delivery in self._journal:\n            __import__('warehouse.again').again.told()\n"
    stock.write_text(stock.read_text().replace(count, count + known))
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text("__pycache__\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    command = ("amplify", "--since", "HEAD", "--faults", "duplicate,restart")
    command += ("--output-format", "json")
    before = json.loads(socrates(folder, *command).stdout)
    test = folder / "tests" / "test_stock.py"
    test.write_text(
        test.read_text() + "\n\ndef test_more(full_stock) -> None:\n    assert full_stock\n"
    )
    return Runs(folder, before, json.loads(socrates(folder, *command).stdout))


def test_without_a_store_all_run(runs: Runs) -> None:
    assert runs.before["summary"]["resumed"] == (
        "--since HEAD: all run, for the store knows none of these tests yet"
    )


def test_only_tests_that_the_change_concerns_run(runs: Runs) -> None:
    reused = {test["nodeid"] for test in runs.after["tests"] if test["reused"]}
    assert reused == {
        test["nodeid"] for test in runs.before["tests"] if "test_stock" not in test["nodeid"]
    }


def test_the_line_tells_what_runs(runs: Runs) -> None:
    tests, reused = len(runs.after["tests"]), sum(test["reused"] for test in runs.after["tests"])
    assert runs.after["summary"]["resumed"] == (
        f"--since HEAD: {tests - reused} of {tests} tests run "
        f"({tests - reused - 1} changed, 1 new), {reused} results reused"
    )


def test_defects_of_reused_results_are_told_as_before(runs: Runs) -> None:
    keys = ("id", "class", "severity", "tests", "replay")
    told = [[{key: group[key] for key in keys} for group in run["groups"]] for run in runs[1:]]
    assert told[0] == told[1] != []


def test_fault_coverage_counts_reused_results(runs: Runs) -> None:
    assert runs.before["summary"]["fault_coverage"] == runs.after["summary"]["fault_coverage"]


def test_the_store_knows_reused_results_under_the_new_code(runs: Runs) -> None:
    with Store.open(runs.folder) as store:
        known = store.statuses(store.newest_code())
    assert {test["nodeid"] for test in runs.after["tests"]} <= known.keys()


def test_files_that_a_test_executes_are_kept(runs: Runs) -> None:
    with Store.open(runs.folder) as store:
        (test,) = [one for one in store.latest() if one.nodeid.endswith("test_total_is_kept")]
    ran_under_faults_only = "warehouse/again.py"
    assert {
        "tests/test_dock.py",
        "tests/conftest.py",
        "warehouse/stock.py",
        ran_under_faults_only,
    } <= set(test.document["files"])  # type: ignore[call-overload]
