"""Several runs of one test in one process, and what is told of them; nothing is run here."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.executors.in_test import ending, repeating
from socrates_amplify.executors.in_test.execution import Execution
from socrates_amplify.executors.in_test.repeating import Repeated, execution_of
from socrates_amplify.executors.request import Request
from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.originals import Clock, Process

BOOM = Failure("KeyError", "boom", "test_a.py:3")


def item_of(**given: object) -> Any:
    plugins = SimpleNamespace(get_plugin=lambda name: None)
    config = SimpleNamespace(rootpath=Path("/project"), pluginmanager=plugins)
    return SimpleNamespace(config=config, path=Path("/project/test_a.py"), nodeid="a", **given)


def said(outcome: Outcome) -> tuple[Verdict, str, str]:
    return outcome.verdict, outcome.status, outcome.reason


class Runs:
    """Stands for executions: each has the next of these outcomes."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[Scenario] = []
        self.keeps_fixtures: list[bool] = []

    def __call__(self, item: object, request: Request) -> Runs:
        self.request = request
        return self

    def run(self, extensions: object, following: object = None) -> Outcome:
        self.asked.append(self.request.scenario)
        self.keeps_fixtures.append(following is not None)
        return self.outcomes.pop(0)

    def interrupted(self, frame: object, limit: float) -> Outcome:
        return Outcome(Scenario(), Verdict.FAIL, reason=f"{limit:g}")


SCENARIO = Scenario.of([Fault("t1", "lose", "test", "Stock#1", "Add(1)")])
HIT = Trace((Injected("t1", "lose"),))
PASSED = Outcome(SCENARIO, Verdict.PASS, trace=HIT, status="passed")
FAILED = Outcome(SCENARIO, Verdict.FAIL, BOOM, trace=HIT, status="failed")
AFTER = Outcome(Scenario(), Verdict.PASS, status="passed")
STUCK = Outcome(Scenario(), Verdict.FAIL, BOOM, status="failed")
SKIPPED = Outcome(Scenario(), Verdict.PASS, reason="Skipped: no", status="skipped")

Repeat = Callable[..., tuple[Outcome, Runs, list[float]]]


@pytest.fixture
def repeat(monkeypatch: pytest.MonkeyPatch) -> Repeat:
    """Run several rounds: the outcome, what was run, and the pauses. Nobody waits."""

    def run(
        rounds: Rounds, *outcomes: Outcome, scenario: Scenario = SCENARIO
    ) -> tuple[Outcome, Runs, list[float]]:
        runs, now, pauses = Runs(*outcomes), 50.0, list[float]()

        def wait(seconds: float) -> None:
            nonlocal now
            now += seconds
            pauses.append(round(seconds, 3))

        monkeypatch.setattr(repeating, "Execution", runs)
        monkeypatch.setattr(Clock, "now", staticmethod(lambda: now))
        monkeypatch.setattr(Clock, "wait", staticmethod(wait))
        item = item_of(session=None)
        outcome = Repeated(item, Request("a", scenario, rounds=rounds)).run(None)  # type: ignore[arg-type]
        return outcome, runs, pauses

    return run


def test_test_passes_in_all_runs_and_afterwards(repeat: Repeat) -> None:
    outcome, runs, pauses = repeat(Rounds(2), PASSED, PASSED, AFTER)
    assert (outcome, runs.asked, pauses) == (PASSED, [SCENARIO, SCENARIO, Scenario()], [])


def test_failure_in_the_first_run_is_told_as_it_is(repeat: Repeat) -> None:
    outcome, runs, _ = repeat(Rounds(3), FAILED)
    assert (outcome, len(runs.asked)) == (FAILED, 1)


def test_failure_in_a_later_run_names_it(repeat: Repeat) -> None:
    outcome, runs, _ = repeat(Rounds(3), PASSED, FAILED)
    told = replace(BOOM, message="in run 2 of 3 in one process: KeyError: boom")
    assert (outcome, len(runs.asked)) == (replace(FAILED, failure=told), 2)


def test_failure_in_a_later_run_without_faults_is_not_repeatable(repeat: Repeat) -> None:
    outcome, _, _ = repeat(Rounds(2), AFTER, STUCK, scenario=Scenario())
    told = "passes once, but fails in run 2 of 2 in one process: KeyError: boom"
    assert outcome.failure == replace(BOOM, type="NotRepeatable", message=told)


def test_failure_in_the_run_after_all_without_faults_is_not_repeatable(repeat: Repeat) -> None:
    outcome, _, _ = repeat(Rounds(2), AFTER, AFTER, STUCK, scenario=Scenario())
    told = "passes, but not 3 times in one process: KeyError: boom"
    assert outcome.failure == replace(BOOM, type="NotRepeatable", message=told)


def test_recovery_is_waited_for_in_longer_and_longer_pauses(repeat: Repeat) -> None:
    outcome, runs, pauses = repeat(Rounds(2, 2.0), PASSED, PASSED, *[STUCK] * 6)
    told = "after 2 runs under faults it fails without any, for 2 s: KeyError: boom"
    assert (outcome.failure, pauses, runs.outcomes) == (
        replace(BOOM, type="NotRecovered", message=told),
        [0.1, 0.2, 0.4, 0.8, 0.5],
        [],
    )


def test_pauses_are_a_second_at_most(repeat: Repeat) -> None:
    _, _, pauses = repeat(Rounds(2, 60.0), PASSED, PASSED, *[STUCK] * 6, AFTER)
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_test_that_recovers_in_time_passes(repeat: Repeat) -> None:
    outcome, _, pauses = repeat(Rounds(2, 1.0), PASSED, PASSED, STUCK, AFTER)
    assert (outcome.verdict, round(outcome.duration, 3), pauses) == (Verdict.PASS, 0.1, [0.1])


def test_fault_that_was_never_applied_needs_no_recovery(repeat: Repeat) -> None:
    missed = Outcome(SCENARIO, Verdict.UNRESOLVED, reason="not applied", status="passed")
    outcome, runs, _ = repeat(Rounds(2), missed, missed)
    assert (outcome, len(runs.asked)) == (missed, 2)


def test_fault_may_be_applied_in_any_of_the_runs(repeat: Repeat) -> None:
    missed = Outcome(SCENARIO, Verdict.UNRESOLVED, reason="not applied", status="passed")
    outcome, _, _ = repeat(Rounds(2), missed, PASSED, AFTER)
    assert (outcome.verdict, outcome.reason) == (Verdict.PASS, "")


def test_test_that_skips_itself_is_run_no_more(repeat: Repeat) -> None:
    outcome, runs, _ = repeat(Rounds(3), SKIPPED)
    assert (outcome, len(runs.asked)) == (SKIPPED, 1)


@pytest.mark.parametrize(
    ("scenario", "first", "verdict"),
    [(SCENARIO, PASSED, Verdict.UNRESOLVED), (Scenario(), AFTER, Verdict.PASS)],
    ids=["faults", "none"],
)
def test_test_that_skips_itself_afterwards_says_nothing(
    scenario: Scenario, first: Outcome, verdict: Verdict, repeat: Repeat
) -> None:
    outcome, _, _ = repeat(Rounds(2), first, first, SKIPPED, scenario=scenario)
    told = "skipped in a further run without faults: Skipped: no"
    assert said(outcome) == (verdict, "skipped", told)


AFTERMATH = Rounds(1, 0.0, aftermath=True)


def test_aftermath_of_a_failure_is_told(repeat: Repeat) -> None:
    outcome, runs, _ = repeat(AFTERMATH, FAILED, STUCK)
    told = "after one run under faults it fails without any, for 0 s: KeyError: boom"
    assert (outcome.failure, runs.asked) == (
        replace(BOOM, type="NotRecovered", message=told),
        [SCENARIO, Scenario()],
    )


@pytest.mark.parametrize("last", [AFTER, replace(STUCK, status="error")], ids=["none", "error"])
def test_failure_without_aftermath_is_told_as_it_is(last: Outcome, repeat: Repeat) -> None:
    assert repeat(AFTERMATH, FAILED, last)[0] == FAILED


@pytest.mark.parametrize(
    ("rounds", "kept"), [(AFTERMATH, False), (Rounds(1), True)], ids=["aftermath", "as asked"]
)
def test_wide_fixtures_are_made_anew_for_the_aftermath_alone(
    rounds: Rounds, kept: bool, repeat: Repeat
) -> None:
    first = FAILED if rounds.aftermath else PASSED
    assert repeat(rounds, first, AFTER)[1].keeps_fixtures == [kept, kept]


def test_aftermath_of_a_pass_is_not_asked_for(repeat: Repeat) -> None:
    outcome, runs, _ = repeat(AFTERMATH, PASSED)
    assert (outcome, len(runs.asked)) == (PASSED, 1)


def test_time_that_is_over_is_told_of_the_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeating, "Execution", Runs())
    repeated = Repeated(item_of(), Request("a", SCENARIO))
    outcome = repeated.interrupted(None, 2.5)
    assert (outcome.scenario, outcome.reason) == (SCENARIO, "2.5")


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [(Rounds(), Execution), (Rounds(2), Repeated), (AFTERMATH, Repeated)],
    ids=["one", "two", "aftermath"],
)
def test_several_runs_are_repeated(rounds: Rounds, expected: type) -> None:
    assert type(execution_of(item_of(), Request("a", Scenario(), rounds=rounds))) is expected


Ran = Callable[..., tuple[list[Outcome], list[tuple[int, object]]]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Run one item: what was reported, and who was to heed which signal."""

    def run(*pids: int) -> tuple[list[Outcome], list[tuple[int, object]]]:
        left, heeded, reported = list(pids), list[tuple[int, object]](), list[Outcome]()
        monkeypatch.setattr(Process, "getpid", staticmethod(lambda: left.pop(0)))
        monkeypatch.setattr(Process, "on_signal", staticmethod(lambda *given: heeded.append(given)))
        monkeypatch.setattr(
            ending, "execution_of", lambda item, request: Runs(AFTER)(item, request)
        )
        request = Request("a", Scenario())
        ending.run_item(item_of(), request, 2.0, None, reported.append)  # type: ignore[arg-type]
        return reported, heeded

    return run


def test_outcome_is_reported_once_the_alarm_is_off(ran: Ran) -> None:
    reported, heeded = ran(5, 5)
    assert (reported, [who for _, who in heeded][1:]) == ([AFTER], [signal.SIG_IGN])


def test_fork_of_a_test_does_not_report(ran: Ran) -> None:
    assert ran(5, 6)[0] == []
