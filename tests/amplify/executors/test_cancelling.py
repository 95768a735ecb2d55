"""Executions side by side: cancelled ones are gone, and nobody pays for another's crash."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.run.choose_executor import make_executor

TESTS = """
    import os, signal, subprocess, sys, time
    from pathlib import Path

    def test_endless():
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path("pids.part").write_text(f"{os.getpid()} {child.pid}")
        os.rename("pids.part", "pids")
        time.sleep(600)

    def test_good():
        pass

    def test_waits_for_the_others():
        Path(f"here-{os.getpid()}").touch()
        while len(list(Path().glob("here-*"))) < 3:
            time.sleep(0.01)

    def test_kills_its_parent():
        test_waits_for_the_others()
        os.kill(os.getppid(), signal.SIGKILL)
"""


@pytest.fixture(params=["fork", "subprocess"])
def executor(
    request: pytest.FixtureRequest, write_suite: Callable[..., Suite], tmp_path: Path
) -> Iterator[Executor]:
    """Each kind of executor on these tests."""
    opened = make_executor(request.param, write_suite(tmp_path, {"test_it.py": TESTS}))
    opened.collect()
    yield opened
    opened.close()


@pytest.fixture
def cancelled_pids(executor: Executor, tmp_path: Path) -> list[int]:
    """The processes of an execution that was cancelled while it ran."""
    ticket = Ticket()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(executor.run, "test_it.py::test_endless", Scenario(), 60.0, ticket)
        while not (tmp_path / "pids").exists():
            time.sleep(0.01)
        ticket.cancel()
        with pytest.raises(Cancelled):
            running.result()
    return [int(word) for word in (tmp_path / "pids").read_text().split()]


def test_a_cancelled_execution_leaves_no_process(
    cancelled_pids: list[int], alive: Callable[[int], bool]
) -> None:
    assert [pid for pid in cancelled_pids if alive(pid)] == []


def test_after_a_cancelled_execution_others_run(
    executor: Executor, cancelled_pids: list[int]
) -> None:
    assert executor.run("test_it.py::test_good", Scenario(), 60.0).verdict is Verdict.PASS


def test_what_is_cancelled_before_it_starts_never_does(executor: Executor, tmp_path: Path) -> None:
    ticket = Ticket()
    ticket.cancel()
    with pytest.raises(Cancelled):
        executor.run("test_it.py::test_endless", Scenario(), 60.0, ticket)

    assert not (tmp_path / "pids").exists()


def test_cancelling_what_has_ended_does_nothing(executor: Executor) -> None:
    ticket = Ticket()
    outcome = executor.run("test_it.py::test_good", Scenario(), 60.0, ticket)
    ticket.cancel()

    assert outcome.verdict is Verdict.PASS


def test_only_the_test_that_ends_its_server_crashes(executor: Executor) -> None:
    def run(name: str) -> Outcome:
        return executor.run(f"test_it.py::{name}", Scenario(), 60.0)

    names = ["test_waits_for_the_others", "test_kills_its_parent", "test_waits_for_the_others"]
    with ThreadPoolExecutor(3) as pool:
        verdicts = [outcome.verdict for outcome in pool.map(run, names)]

    assert verdicts == [Verdict.PASS, Verdict.FAIL, Verdict.PASS]
