"""A time budget ends collecting and runs without faults, not only searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket, called_at
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import all_names
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.results import OUT_OF_TIME, Status
from socrates_amplify.model.search import BudgetSpent
from socrates_amplify.planning.time_shares import TimeShares
from socrates_amplify.run.choose_executor import make_executor
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.examiner import Examiner
from socrates_amplify.run.search import ended_by
from socrates_amplify.run.strategy import choose
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.store import Store

FAULTED = Scenario.of([Fault("m", "duplicate", "test", "A", "M()")])
ENDLESS = "import time\n\ndef test_it():\n    time.sleep(600)\n"


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_budget_that_ends_while_tests_are_collected_is_a_mistake(
    tmp_path: Path, executor: str
) -> None:
    (tmp_path / "conftest.py").write_text("import time\ntime.sleep(600)\n")
    made = make_executor(executor, Suite(tmp_path, until=time.monotonic()))
    try:
        with pytest.raises(SocratesError, match="before the tests were collected"):
            made.collect()
    finally:
        made.close()


def test_run_without_faults_is_cancelled_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text(ENDLESS)
    with SuiteRunner(Suite(tmp_path), None) as runner:
        monkeypatch.setattr(runner, "_until", time.monotonic())
        with pytest.raises(Cancelled):
            runner.control_runs(runner.tests[0])


def test_run_under_faults_is_cancelled_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text(ENDLESS)
    with SuiteRunner(Suite(tmp_path), None) as runner:
        monkeypatch.setattr(runner, "_until", time.monotonic())
        with pytest.raises(Cancelled):
            runner.run(runner.tests[0], FAULTED, ControlRuns(runner.tests[0], "ok"))


def cancelled(scenario: Scenario, ticket: Ticket) -> Outcome:
    """An execution that is always cancelled."""
    raise Cancelled


def test_execution_that_the_deadline_cancels_ends_the_search() -> None:
    with pytest.raises(BudgetSpent, match=OUT_OF_TIME):
        ended_by(lambda: True, cancelled)(FAULTED, Ticket())


def test_execution_that_somebody_else_cancels_does_not() -> None:
    with pytest.raises(Cancelled):
        ended_by(lambda: False, cancelled)(FAULTED, Ticket())


class Late:
    """A runner whose runs are all cancelled."""

    def __init__(self, spend: Callable[[], None]) -> None:
        self._spend = spend

    def control_runs(
        self, nodeid: str, known: Sequence[Outcome] = (), seen: Outcome | None = None
    ) -> ControlRuns:
        """Take all the time that there is."""
        self._spend()
        raise Cancelled


def examined(tmp_path: Path, left: Sequence[float]) -> tuple[Status, str]:
    """The status and the note of a test that is cancelled when the clock says the last of these."""
    clock = [*left]
    settings = AmplifySettings()
    with Store.open(tmp_path) as store:
        examiner = Examiner(
            Late(lambda: clock.__delitem__(0)),  # type: ignore[arg-type]
            store,
            "code",
            choose(settings, all_names()),
            settings,
            shares=TimeShares(10.0, clock=lambda: clock[0]),
        )
        result = examiner.prepare("test_it.py::test_it", "").result
    return result.status, result.note


def test_test_that_the_budget_ends_without_faults_is_not_run(tmp_path: Path) -> None:
    assert examined(tmp_path, [0.0, 10.0]) == (Status.NOT_RUN, OUT_OF_TIME)


def test_test_that_somebody_else_ends_is_cancelled(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        examined(tmp_path, [0.0, 5.0])


def test_what_ends_before_the_deadline_is_left_alone() -> None:
    ended: list[bool] = []
    with called_at(time.monotonic() + 600, lambda: ended.append(True)):
        pass
    assert ended == []
