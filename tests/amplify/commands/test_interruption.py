"""Whatever ends a run, what was finished is kept and not done again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = (
    *("amplify", "tests/test_dock.py::test_total_is_kept", "--faults", "duplicate,restart"),
    *("--output-format", "json"),
)
BASELINE = 2
"""The test races: so many runs under control, without faults, are in the store as well."""


@pytest.fixture
def project(tmp_path: Path, example: Callable[[str, Path], Path]) -> Path:
    """The example, slowed down so that it can be caught in the middle."""
    folder = example("accumulator", tmp_path)
    test = folder / "tests" / "test_dock.py"
    slow = "    __import__('time').sleep(0.1)\n    assert stock.ask"
    test.write_text(test.read_text().replace("    assert stock.ask", slow))
    return folder


@pytest.fixture
def finished(project: Path) -> Callable[[], int]:
    """How many executions the store holds, also while a process writes to it."""
    store = project / ".socrates" / "store.sqlite"

    def count() -> int:
        try:
            connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        except sqlite3.OperationalError:
            return 0  # not yet there
        try:
            return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # not yet made
        finally:
            connection.close()

    return count


def test_a_killed_run_is_resumed_where_it_was(
    project: Path,
    finished: Callable[[], int],
    started: Callable[..., subprocess.Popen[str]],
    python: Callable[..., Any],
) -> None:
    process = started(project, *ARGUMENTS)
    deadline = time.monotonic() + 60
    while finished() < 3 + BASELINE and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait(60)
    kept = finished()
    (test,) = json.loads(python(project, "socrates", *ARGUMENTS, "--resume").stdout)["tests"]

    assert kept >= 3 + BASELINE, "what was finished before the end is there"
    assert finished() == test["executions"] + BASELINE, "and was not done again"


ENDLESS = """
import os, pathlib, time

def test_endless():
    pathlib.Path("pid.part").write_text(str(os.getpid()))
    os.rename("pid.part", "pid")
    time.sleep(600)
"""


@pytest.mark.parametrize(
    ("executor", "sent"),
    [
        ("fork", signal.SIGKILL),
        ("subprocess", signal.SIGKILL),
        ("subprocess", signal.SIGINT),
    ],
    ids=["fork, killed", "subprocess, killed", "subprocess, Ctrl-C"],
)
def test_no_test_outlives_a_run(
    tmp_path: Path,
    started: Callable[..., subprocess.Popen[str]],
    executor: str,
    sent: signal.Signals,
) -> None:
    (tmp_path / "test_it.py").write_text(ENDLESS)
    process = started(tmp_path, "amplify", "--executor", executor, "--gate", "off")
    assert _soon((tmp_path / "pid").exists), "the test runs"
    process.send_signal(sent)
    pid = int((tmp_path / "pid").read_text())

    assert _soon(lambda: not _alive(pid)), "and has ended with the run"


def _soon(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_the_next_run_clears_what_a_killed_one_left(
    executor: str,
    project: Path,
    tmp_path: Path,
    finished: Callable[[], int],
    started: Callable[..., subprocess.Popen[str]],
    python: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = tmp_path / "tmp"
    (place / "socrates-of-others").mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(place))
    process = started(project, *ARGUMENTS, "--executor", executor)
    deadline = time.monotonic() + 60
    while finished() < 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=120)
    left = [path.name for path in place.iterdir()]
    python(project, "socrates", *ARGUMENTS, "--executor", "fork", "--budget", "1")

    assert len(left) == 2, "it had no time to tidy up"
    assert [path.name for path in place.iterdir()] == ["socrates-of-others"]
