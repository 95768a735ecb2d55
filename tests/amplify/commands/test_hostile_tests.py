"""Whatever a test does to its process or to our files: the run goes on, and that test gets the blame."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.subprocess.executor import SubprocessExecutor
from socrates_amplify.model.faults import Scenario
from socrates_amplify.store.store import Store

HOSTILE = Path(__file__).parents[2] / "data" / "hostile"

HARMLESS = {
    *("removes_our_folder", "removes_our_store", "removes_temporary_folders"),
    *(
        "closes_standard_streams",
        "replaces_json",
        "replaces_open",
        "replaces_processes",
        "replaces_writing",
    ),
    *("replaces_streams", "replaces_hooks", "replaces_threads", "replaces_print"),
    *("leaves_an_alarm", "ignores_signals", "disables_gc", "loses_its_folder", "forgets_modules"),
    *("clears_the_environment", "leaves_a_thread", "does_nothing"),
}
"""What does not keep a test from coming to its end."""
BLAMED = {
    "closes_descriptors": "Crash: the process ended with exit code 70 before the test did",
    "writes_everywhere": "Crash: the process ended with exit code 0 before the test did",
    "writes_a_message_everywhere": "Crash: what its process reported can't be read",
    "replaces_builtins": "Crash: the process ended with exit code 70 before the test did",
    "ends_its_process": "Crash: the process ended with exit code 0 before the test did",
    "is_ended_by_an_alarm": "Crash: the process ended with exit code 9 before the test did",
    "becomes_a_session": "PermissionError: [Errno 1] Operation not permitted",
    "is_ended_by_faulthandler": "Crash: the process ended with exit code 1 before the test did",
    "forbids_recursion": "RecursionError: cannot set the recursion limit to 10",
    "fills_the_disk": "OSError: [Errno 27] File too large",
    "kills_itself": "Crash: the process was ended by SIGKILL",
}
"""What fails, and how it is told."""
EITHER = "leaves_little_recursion"
"""How much of pytest still fits depends on the Python: since 3.12 C code does not count."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the hostile project."""
    return Path(shutil.copytree(HOSTILE, tmp_path_factory.mktemp("hostile") / "project"))


@pytest.fixture(scope="module")
def done(folder: Path, socrates):
    """One run over all of them."""
    options = ("--gate", "off", "--jobs", "1", "--executor", "fork", "--faults", "connection-error")
    return socrates(folder, "amplify", *options, "--output-format", "json")


@pytest.fixture(scope="module")
def told(done) -> dict[str, dict[str, str]]:
    """What the report tells of each test."""
    tests = json.loads(done.stdout)["tests"]
    return {test["nodeid"].partition("[")[2].rstrip("]"): test for test in tests}


def test_every_test_has_a_status(told) -> None:
    assert set(told) == HARMLESS | set(BLAMED) | {EITHER}


@pytest.mark.parametrize("deed", sorted(HARMLESS))
def test_what_comes_to_its_end_is_judged_as_usual(told, deed: str) -> None:
    assert (told[deed]["status"], told[deed]["note"]) == ("resilient", "")


@pytest.mark.parametrize(("deed", "reason"), BLAMED.items())
def test_what_does_not_is_failing_with_its_reason(told, deed: str, reason: str) -> None:
    assert (told[deed]["status"], reason in told[deed]["note"]) == ("failing", True)


def test_little_recursion_is_a_failure_or_none(told) -> None:
    judged = (told[EITHER]["status"], "RecursionError" in told[EITHER]["note"])
    assert judged in (("failing", True), ("resilient", False))


@pytest.mark.parametrize("deed", ["removes_our_folder", "removes_our_store"])
def test_a_test_that_removes_the_store_is_named(done, deed: str) -> None:
    assert (
        f"was removed while test_hostile.py::test_hostile[{deed}] or a test beside" in done.stderr
    )


def test_the_store_has_all_tests_in_the_end(told, folder: Path) -> None:
    (path,) = (folder / ".socrates").glob("store.sqlite")
    with Store.open(folder) as store:
        rows = store._read("SELECT count(*) FROM tests", ())
    assert (path.name, rows) == ("store.sqlite", [(len(told),)])


@pytest.fixture(scope="module")
def executor(folder: Path) -> Iterator[SubprocessExecutor]:
    """A fresh process for each of them."""
    executor = SubprocessExecutor(Suite(folder, pytest_args=("-p", "no:cacheprovider")))
    yield executor
    executor.close()


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("removes_temporary_folders", "crashed Crash"),
        ("closes_descriptors", "failed OSError"),
        ("replaces_json", "passed"),
        ("replaces_open", "passed"),
        ("replaces_processes", "passed"),
        ("replaces_builtins", "crashed Crash"),
        ("fills_the_disk", "crashed Crash"),
        ("forgets_modules", "passed"),
        ("does_nothing", "passed"),
    ],
)
def test_the_same_in_fresh_processes(executor: SubprocessExecutor, deed: str, told: str) -> None:
    outcome = executor.run(f"test_hostile.py::test_hostile[{deed}]", Scenario(), 60)
    failure = outcome.failure.type if outcome.failure else ""
    assert f"{outcome.status} {failure}".strip() == told
