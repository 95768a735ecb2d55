"""Which test is taken first, and what one that can't be handled costs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates.plugins import PluginError
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.extensions.failing import PluginFailedError, failure_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import all_names
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.examiner import Examiner
from socrates_amplify.run.parallel import Parallel
from socrates_amplify.run.progress import Progress
from socrates_amplify.run.scheduling import Workers
from socrates_amplify.run.strategy import choose
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.store import Store

FAULT = Fault("t1", "duplicate", "test", "A#1", "M()")
Act = Callable[[], None]


@dataclass
class SuiteRunner:
    """Every test has one fault and survives it; some do more when they are run."""

    acts: Mapping[str, Act] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)

    def control_runs(
        self, nodeid: str, known: Sequence[Outcome] = (), seen: Outcome | None = None
    ) -> ControlRuns:
        self.started.append(nodeid)
        self.acts.get(nodeid, lambda: None)()
        return ControlRuns(nodeid, "ok", faults=(FAULT,))

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        control: ControlRuns,
        ticket: Ticket | None = None,
    ) -> Outcome:
        return Outcome(scenario, Verdict.PASS)

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        return ()


Run = Callable[..., dict[str, TestResult]]


@pytest.fixture
def failures() -> list[PluginError]:
    """The plugins that have failed."""
    return []


@pytest.fixture
def run(tmp_path: Path, failures: list[PluginError]) -> Run:
    """Examines tests of a runner, several at once."""

    def examine(runner: SuiteRunner, tests: str, jobs: int = 1, **seconds: float):
        settings = AmplifySettings()
        with Store.open(tmp_path) as store:
            examiner = Examiner(runner, store, "code", choose(settings, all_names()), settings)
            progress = Progress()
            parallel = Parallel(examiner, Workers(jobs), progress, seconds, failures.append)
            parallel.run(dict.fromkeys(tests.split(), ""))
        return parallel.results

    return examine


def raising(error: Exception) -> Act:
    """What a test does that can't be handled."""

    def act() -> None:
        raise error

    return act


def test_with_one_job_tests_keep_their_order(run: Run) -> None:
    runner = SuiteRunner()
    run(runner, "short long new", jobs=1, short=1.0, long=9.0)
    assert runner.started == ["short", "long", "new"]


def test_with_more_jobs_new_and_long_tests_come_first(run: Run) -> None:
    together = threading.Barrier(2, timeout=60)
    runner = SuiteRunner(
        {"long": lambda: together.wait() and None, "new": lambda: together.wait() and None}
    )
    run(runner, "short long new", jobs=2, short=1.0, long=9.0)
    assert runner.started[-1] == "short"


def test_new_tests_are_examined_to_their_end(run: Run) -> None:
    results = run(SuiteRunner(), "a b c", jobs=2)
    assert {result.status for result in results.values()} == {Status.RESILIENT}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_test_that_cannot_be_handled_does_not_cost_the_others(run: Run, jobs: int) -> None:
    results = run(SuiteRunner({"bad": raising(KeyError("?"))}), "bad good", jobs=jobs)
    assert (results["bad"].status, results["good"].status) == (Status.ERROR, Status.RESILIENT)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_mistake_of_the_user_ends_the_run(run: Run, jobs: int) -> None:
    with pytest.raises(SocratesError, match="the disk is full"):
        run(SuiteRunner({"bad": raising(SocratesError("the disk is full"))}), "bad good", jobs=jobs)


def test_a_plugin_that_fails_costs_its_test_and_is_told(
    run: Run, failures: list[PluginError]
) -> None:
    error = failure_of("shop", object(), KeyError("id"))
    results = run(SuiteRunner({"bad": raising(PluginFailedError(error))}), "bad good")
    assert (failures, results["bad"].status, "shop" in results["bad"].note) == (
        [error],
        Status.ERROR,
        True,
    )


class Unfinished:
    """An examiner with one test of which the search was cut short."""

    def __init__(self) -> None:
        self.log: list[object] = []
        result = TestResult("a", Status.NOT_RUN)
        self.cut_short: list[object] = [SimpleNamespace(result=result)]

    def expect(self, count: int) -> None:
        self.log.append(count)


def test_what_was_cut_short_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    examiner: Any = Unfinished()
    progress = Progress()
    parallel = Parallel(examiner, Workers(1), progress, {}, raising)
    finished: list[tuple[object, str]] = []
    monkeypatch.setattr(
        parallel,
        "_finish",
        lambda prepared, watch: finished.append((prepared, watch.hypothesis)),
    )
    parallel.go_on()
    assert (examiner.log, finished) == ([1], [(examiner.cut_short[0], "waiting")])


def test_nothing_is_searched_on_where_all_was_finished() -> None:
    examiner: Any = Unfinished()
    examiner.cut_short.clear()
    progress = Progress()
    Parallel(examiner, Workers(1), progress, {}, raising).go_on()
    assert examiner.log == []
