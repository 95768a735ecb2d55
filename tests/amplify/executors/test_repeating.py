"""Executions of several runs: breakers open, and must close; tests must bear to be repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.extensions.collect import own_probes
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.results import FoundDefect, Status, TestResult
from socrates_amplify.model.rounds import AFTERMATH, Rounds
from socrates_amplify.model.search import Defect
from socrates_amplify.report.explain import explanations
from socrates_amplify.run.control_runs import run_controls
from socrates_amplify.store.scenario_files import ScenarioFile, from_text, to_text

SHOP = '''
import time

import requests


class Breaker:
    """Opens after two failures; closes again when a call after ``reset`` seconds succeeds."""

    def __init__(self, reset):
        self.reset = reset
        self.failures = 0
        self.opened = 0.0

    def price(self):
        open_ = self.failures >= 2
        if open_ and (self.reset is None or time.monotonic() - self.opened < self.reset):
            return None
        try:
            price = requests.get("http://prices/7", timeout=1).json()["price"]
        except requests.ConnectionError:
            self.failures += 1
            self.opened = time.monotonic()
            return None
        self.failures = 0
        return price
'''

TESTS = """
import pytest
import requests_mock
from shop import Breaker
from socrates_amplify import faults

RUNS = []
SCOPES = []
CLOSING, STUCK, SLOW = Breaker(0.05), Breaker(None), Breaker(60)


@pytest.fixture(autouse=True)
def prices():
    with requests_mock.Mocker() as mocker:
        mocker.get("http://prices/7", json={"price": 7})
        yield


@pytest.fixture(scope="module")
def shared():
    SCOPES.append("module")


def test_closing():
    assert CLOSING.price() == 7 or faults.injected()


def test_stuck():
    assert STUCK.price() == 7 or faults.injected()


def test_slow():
    assert SLOW.price() == 7 or faults.injected()


def test_third_time():
    RUNS.append(1)
    CLOSING.price()
    assert len(RUNS) != 3 or not faults.injected()


def test_once_only():
    RUNS.append(1)
    CLOSING.price()
    assert len(RUNS) == 1


def test_shared(shared):
    before = faults.injected()
    CLOSING.price()
    RUNS.append(before)
    assert (len(SCOPES), RUNS) == (1, [False, True, True, False][:len(RUNS)])
"""

Execute = Callable[..., Outcome]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tests above."""
    folder = tmp_path_factory.mktemp("breakers")
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_breakers.py").write_text(TESTS)
    return folder


@pytest.fixture(scope="module")
def once(project: Path) -> Iterator[ForkExecutor]:
    """One run in each execution."""
    executor = ForkExecutor(Suite(project))
    yield executor
    executor.close()


@pytest.fixture(scope="module")
def executor(project: Path) -> Iterator[ForkExecutor]:
    """Three runs in each execution, and half a second to recover."""
    executor = ForkExecutor(Suite(project, rounds=Rounds(3, 0.5)))
    yield executor
    executor.close()


def refused(trace: Trace) -> list[Fault]:
    """The faults of refused connections that a trace offers."""
    return [f for probe in own_probes() for f in probe.faults_of(trace, ["connection-error"])]


@pytest.fixture
def under_faults(once: ForkExecutor, executor: ForkExecutor) -> Execute:
    """Run a test with its call refused; the name of the test is given."""

    def execute(name: str) -> Outcome:
        nodeid = f"test_breakers.py::{name}"
        trace = once.run(nodeid, Scenario()).trace
        return executor.run(nodeid, Scenario.of(refused(trace)))

    return execute


def message_of(outcome: Outcome) -> str:
    return outcome.failure.message if outcome.failure else ""


def told(outcome: Outcome) -> tuple[Verdict, str]:
    return (outcome.verdict, outcome.failure.type if outcome.failure else "")


def test_a_breaker_that_closes_is_resilient(under_faults: Execute) -> None:
    assert told(under_faults("test_closing")) == (Verdict.PASS, "")


@pytest.mark.parametrize("name", ["test_stuck", "test_slow"])
def test_a_breaker_that_stays_open_has_not_recovered(under_faults: Execute, name: str) -> None:
    assert told(under_faults(name)) == (Verdict.FAIL, "NotRecovered")


def test_the_failure_says_what_was_done_before_it(under_faults: Execute) -> None:
    assert message_of(under_faults("test_stuck")).startswith(
        "after 3 runs under faults it fails without any, for 0.5 s: AssertionError"
    )


def test_a_failure_in_a_later_run_under_faults_says_in_which(under_faults: Execute) -> None:
    message = message_of(under_faults("test_third_time"))
    assert message.startswith("in run 3 of 3 in one process: AssertionError")


def test_fixtures_above_the_test_live_on_and_faults_end(under_faults: Execute) -> None:
    assert told(under_faults("test_shared")) == (Verdict.PASS, "")


def test_a_test_that_can_not_be_repeated_is_failing_without_faults(executor: ForkExecutor) -> None:
    control = run_controls(executor, "test_breakers.py::test_once_only", refused)
    assert (control.status, "NotRepeatable: passes once" in control.note) == ("failing", True)


def test_one_run_is_the_usual_execution() -> None:
    assert Rounds().several is False


def test_the_scenario_of_a_defect_says_how_often() -> None:
    for rounds in (Rounds(4, 2.0), AFTERMATH):
        file = ScenarioFile("test_a.py::test_b", Scenario(), rounds=rounds)
        assert from_text(to_text(file), "x.json").rounds == rounds


def test_people_are_told_that_something_stayed_behind() -> None:
    fault = Fault("t", "connection-error", "test", "prices", "GET /7")
    failure = Failure("NotRecovered", "", "")
    found = FoundDefect(Defect(Scenario.of([fault]), failure), "x.json")
    ((_, why),) = explanations(TestResult("t", Status.DEFECTIVE), found)
    assert why.startswith("what it left behind stays")
