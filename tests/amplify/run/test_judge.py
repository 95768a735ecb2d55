"""What finished runs without faults say about a test."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.faults import Scenario as Faults
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.run.control_runs import judge, run_controls


def send(target: str, digest: str = "d", internal: bool = False) -> Send:
    return Send(target, "test", f"to-{target}", f"m({target})", digest, None, internal=internal)


def ran(*targets: str, status: str = "passed", duration: float = 1.0, digest: str = "d") -> Outcome:
    sends = tuple(send(target, digest, target.startswith("own")) for target in targets)
    failure = Failure("E", "boom", "t.py:3") if status in ("failed", "hung") else None
    verdict = Verdict.FAIL if failure else Verdict.PASS
    reason = "no network" if status == "skipped" else ""
    return Outcome(
        Faults(), verdict, failure, reason, Trace(sends), duration=duration, status=status
    )


def duplicates(trace: Trace) -> list[Fault]:
    return [Fault(s.target, "duplicate") for s in trace.sends if not s.internal]


def delays(trace: Trace) -> list[Fault]:
    return [Fault(s.target, "delay") for s in trace.sends[:1]]


FAILED = "failed: E: boom (t.py:3)"


@pytest.mark.parametrize(
    ("runs", "status", "note"),
    [
        pytest.param([ran("a"), ran("a")], "ok", "", id="the same twice"),
        pytest.param([ran("a")], "ok", "", id="once"),
        pytest.param([ran(), ran()], "no-targets", "no message can be faulted", id="no message"),
        pytest.param([ran("own"), ran("own")], "no-targets", "no message can be faulted", id="own"),
        pytest.param([ran("a", status="skipped")], "not-run", "no network", id="skipped"),
        pytest.param([ran("a", status="xfailed")], "not-run", "xfailed", id="expected to fail"),
        pytest.param([ran(status="failed")] * 2, "failing", FAILED, id="failing"),
        pytest.param(
            [ran("a"), ran("a"), ran("a", status="failed")],
            "flaky",
            f"run 1 passed, run 3 {FAILED}",
            id="fails later",
        ),
        pytest.param(
            [ran("a", status="failed"), ran("a")],
            "flaky",
            f"run 1 {FAILED}, run 2 passed",
            id="fails first",
        ),
        pytest.param(
            [ran("a", "b"), ran("a")], "flaky", "only in run 1: test -> to-b m(b)", id="gone"
        ),
        pytest.param(
            [ran("a"), ran("a"), ran("a", "b")],
            "flaky",
            "only in run 3: test -> to-b m(b)",
            id="new",
        ),
        pytest.param(
            [ran("a"), ran("b")],
            "flaky",
            "only in run 1: test -> to-a m(a); only in run 2: test -> to-b m(b)",
            id="another",
        ),
        pytest.param(
            [ran("z"), ran("z", "a", "b", "c", "d", "e")],
            "flaky",
            "only in run 2: test -> to-a m(a), test -> to-b m(b), test -> to-c m(c) and 2 more",
            id="many",
        ),
        pytest.param([ran("a", "own"), ran("a")], "ok", "", id="a message of the framework"),
        pytest.param([ran("a", "b"), ran("b", "a")], "ok", "", id="another order"),
    ],
)
def test_status_of_a_test(runs: Sequence[Outcome], status: str, note: str) -> None:
    found = judge("t", runs, duplicates)
    assert (found.status, found.note) == (status, note)


def test_with_faults_of_order_every_message_counts() -> None:
    runs = [ran("a", "b"), ran("a")]
    assert judge("t", runs, delays).note == "only in run 1: test -> to-b m(b)"


def test_own_messages_count_in_no_order() -> None:
    assert judge("t", [ran("a", "own"), ran("a")], delays).status == "ok"


@pytest.mark.parametrize(
    ("runs", "count"),
    [([ran("a"), ran("a")], 1), ([ran("a"), ran()], 1), ([ran("a", status="failed")], 0)],
    ids=["ok", "flaky", "failing"],
)
def test_faults_of_a_test_that_can_be_searched(runs: Sequence[Outcome], count: int) -> None:
    assert len(judge("t", runs, duplicates).faults) == count


def test_names_times_and_contents_of_the_runs() -> None:
    runs = [ran("a", "b", duration=1.0), ran("a", digest="other", duration=3.0)]
    found = judge("t", runs, duplicates)
    told = (found.nodeid, found.trace, found.slowest, found.unstable, found.outcomes)
    assert told == ("t", runs[0].trace, 3.0, frozenset({"a"}), tuple(runs))


class Fixed:
    """An executor that gives the same outcome each time."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.limits: list[float | None] = []

    def run(self, nodeid: str, scenario: Faults, limit: float | None) -> Outcome:
        self.limits.append(limit)
        return self.outcome


@pytest.mark.parametrize(
    ("status", "runs", "count"),
    [("passed", 2, 2), ("passed", 0, 1), ("skipped", 3, 1), ("failed", 3, 3)],
)
def test_how_often_a_test_is_run(status: str, runs: int, count: int) -> None:
    executor = Fixed(ran("a", status=status))
    run_controls(executor, "t", duplicates, runs)  # type: ignore[arg-type]
    assert len(executor.limits) == count
