"""The runs without faults: green, red, flaky, or nothing to do."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.run.control_runs import ControlRuns, judge, run_controls

SUITE = """
    import random, threading, time, os
    from pathlib import Path
    import pykka
    import pytest

    class Box(pykka.ThreadingActor):
        def __init__(self, receiver=None):
            super().__init__()
            self.total = 0
            self.receiver = receiver
        def on_receive(self, message):
            if isinstance(message, dict):
                self.total += 1
                if self.receiver:
                    self.receiver.tell({"delivery_id": 0, "total": self.total})
            return self.total

    @pytest.fixture(autouse=True)
    def stop():
        yield
        pykka.ActorRegistry.stop_all()

    def turn():
        # Files outlive an execution, so each run can behave in its own way.
        path = Path(__file__).with_name(f"turn-{os.environ['PYTEST_CURRENT_TEST'].split('::')[1].split()[0]}")
        number = int(path.read_text()) if path.exists() else 0
        path.write_text(str(number + 1))
        return number

    def test_good():
        box = Box.start()
        box.tell({"delivery_id": 1})
        assert box.ask("total") == 1

    def test_failing():
        assert 1 == 2

    def test_fails_the_second_time():
        assert turn() == 0

    def test_sends_more_the_second_time():
        box = Box.start()
        for number in range(turn() + 1):
            box.tell({"delivery_id": number})
        box.ask("total")

    def test_says_something_else_the_second_time():
        box = Box.start()
        box.tell({"delivery_id": turn()})
        box.ask("total")

    def test_interleaves():
        last = Box.start()
        middle = Box.start(last)
        def send(name):
            time.sleep(random.random() / 100)
            middle.tell({"delivery_id": name})
        threads = [threading.Thread(target=send, args=(name,)) for name in "abcdefgh"]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        middle.ask("total")
        assert last.ask("total") == 8

    def test_nothing_to_fault():
        Box.start().ask("total")

    @pytest.mark.skip(reason="not now")
    def test_skipped():
        pass

    @pytest.mark.xfail(reason="known")
    def test_expected():
        assert 0
"""


@pytest.fixture(scope="module")
def suite(project) -> ForkExecutor:
    """Tests of every status."""
    executor: ForkExecutor = project({"test_it.py": SUITE})
    return executor


def baseline_of(
    suite: ForkExecutor, name: str, runs: int = 2, seen: Outcome | None = None
) -> ControlRuns:
    """The control for duplicates and restarts."""
    probe = PykkaProbe()
    return run_controls(
        suite,
        f"test_it.py::{name}",
        lambda trace: probe.faults_of(trace, ("duplicate", "restart")),
        runs,
        seen,
    )


@pytest.mark.parametrize(("seen", "runs"), [(Verdict.FAIL, 1), (Verdict.PASS, 2)])
def test_of_a_test_that_failed_in_company_one_run_that_fails_is_enough(
    suite: ForkExecutor, seen: Verdict, runs: int
) -> None:
    found = baseline_of(suite, "test_failing", seen=Outcome(Scenario(), seen))
    assert (found.status, len(found.outcomes)) == ("failing", runs)


@dataclass
class Limits:
    """In the place of an executor: it passes, and notes how long it was given."""

    given: list[float | None] = field(default_factory=list)

    def run(self, nodeid: str, scenario: Scenario, limit: float | None = None) -> Outcome:
        self.given.append(limit)
        return Outcome(scenario, Verdict.PASS, status="passed")


@pytest.mark.parametrize(
    ("seen", "limit"),
    [
        pytest.param(None, 600, id="never seen"),
        pytest.param(Outcome(Scenario(), Verdict.FAIL, duration=2), 600, id="failed in company"),
        pytest.param(Outcome(Scenario(), Verdict.PASS, duration=2), 80, id="passed in company"),
        pytest.param(Outcome(Scenario(), Verdict.PASS, duration=90), 600, id="took long"),
    ],
)
def test_what_passed_in_company_is_soon_said_to_hang(seen: Outcome | None, limit: float) -> None:
    executor = Limits()
    run_controls(executor, "a", lambda trace: (), seen=seen)
    assert executor.given == [limit, limit]


@pytest.mark.parametrize(
    ("name", "status", "note"),
    [
        ("test_good", "ok", ""),
        ("test_failing", "failing", "failed: AssertionError: assert 1 == 2 ({here})"),
        (
            "test_fails_the_second_time",
            "flaky",
            "run 1 passed, run 2 failed: AssertionError: assert 1 == 0 ({here})",
        ),
        (
            "test_sends_more_the_second_time",
            "flaky",
            "only in run 2: test -> Box#1 {{'delivery_id': 1}}",
        ),
        ("test_nothing_to_fault", "no-targets", "no message can be faulted"),
        ("test_skipped", "not-run", "Skipped: not now"),
        ("test_expected", "not-run", "expected to fail: known"),
    ],
)
def test_status(suite: ForkExecutor, name: str, status: str, note: str) -> None:
    control = baseline_of(suite, name)
    line = SUITE[: SUITE.index(f"def {name}(")].count("\n") + 2
    assert (control.status, control.note) == (status, note.format(here=f"test_it.py:{line}"))


def test_another_interleaving_of_the_same_messages_is_no_difference(suite: ForkExecutor) -> None:
    assert baseline_of(suite, "test_interleaves", runs=4).status == "ok"


def test_content_that_differs_is_the_same_target_and_told(suite: ForkExecutor) -> None:
    control = baseline_of(suite, "test_says_something_else_the_second_time")
    assert (control.status, len(control.unstable)) == ("ok", 1)


def test_a_baseline_offers_the_faults_of_its_trace(suite: ForkExecutor) -> None:
    (fault,) = baseline_of(suite, "test_good").faults
    outcome = suite.run("test_it.py::test_good", Scenario.of([fault]), 60.0)
    assert outcome.verdict is Verdict.FAIL


def test_a_fault_whose_message_does_not_come_is_unresolved(suite: ForkExecutor) -> None:
    (fault,) = baseline_of(suite, "test_good").faults
    outcome = suite.run("test_it.py::test_nothing_to_fault", Scenario.of([fault]), 60.0)
    assert outcome.verdict is Verdict.UNRESOLVED
    assert outcome.reason == (
        "not applied: duplicate of {'delivery_id': 1} (test -> Box#1): its message never came"
    )


def test_a_failure_with_no_fault_applied_is_unresolved(suite: ForkExecutor) -> None:
    (fault,) = baseline_of(suite, "test_good").faults
    outcome = suite.run("test_it.py::test_failing", Scenario.of([fault]), 60.0)
    assert outcome.verdict is Verdict.UNRESOLVED


def test_a_last_message_that_the_end_overtook_is_no_difference() -> None:
    send = Send("t1", "test", "Box#1", "bye", "d", None, at_least_once=True)
    handled = Trace((send, Turn("Box#1", "t1")))
    runs = [
        Outcome(Scenario(), Verdict.PASS, trace=trace, status="passed")
        for trace in (handled, Trace((send,)))
    ]
    told = judge("test_it", runs, lambda trace: PykkaProbe().faults_of(trace, ["duplicate"]))
    assert (told.status, told.note) == ("ok", "")
