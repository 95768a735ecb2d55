"""By which clock executions run, counted by what is asked of an executor in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from socrates_amplify.executors.clocks import Clocks, Given
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import NOT_CONTROLLED, has_orders
from socrates_amplify.model.outcomes import HANG, Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds

DOWN = Scenario.of([Fault("t1", "connection-error", "test", "shop", "GET /")])
TWICE = Scenario.of([Fault("t1", "duplicate", "test", "Stock#1", "Count(1)")])


@dataclass
class Waiting:
    """In the place of an executor: runs by the real clock take so long, those in virtual time nothing."""

    takes: float = 8.0
    controllable: bool = True
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, given: Given) -> Outcome:
        virtual = has_orders(given.scenario)
        self.asked.append((given.nodeid, "virtual" if virtual else "real"))
        if virtual and not self.controllable:
            return Outcome(given.scenario, Verdict.PASS, reason=f"{NOT_CONTROLLED}: a socket")
        return Outcome(given.scenario, Verdict.PASS, duration=0.0 if virtual else self.takes)


def clocks_of(runs: Waiting, *nodeids: str, scenario: Scenario = DOWN) -> list[tuple[str, str]]:
    """By which clock these tests run, one after the other."""
    clocks = Clocks(runs)
    for nodeid in nodeids:
        clocks.run(Given(nodeid, scenario, 9.0, None, None), races=False, usual=0.1)
    return runs.asked


def test_test_that_waits_under_an_outage_runs_in_virtual_time_afterwards() -> None:
    assert clocks_of(Waiting(), "a", "a", "b") == [("a", "real"), ("a", "virtual"), ("b", "real")]


def test_after_two_tests_that_wait_the_others_need_not_be_waited_for() -> None:
    assert clocks_of(Waiting(), "a", "b", "c")[-1] == ("c", "virtual")


@pytest.mark.parametrize(
    ("runs", "scenario"),
    [
        pytest.param(Waiting(takes=0.9), DOWN, id="test that hardly takes longer"),
        pytest.param(Waiting(), TWICE, id="fault that is no outage"),
    ],
)
def test_real_clock_is_kept_for(runs: Waiting, scenario: Scenario) -> None:
    asked = clocks_of(runs, "a", "b", "c", "c", scenario=scenario)
    assert {clock for _, clock in asked} == {"real"}


def test_test_that_virtual_time_does_not_suit_is_tried_in_it_once() -> None:
    asked = clocks_of(Waiting(controllable=False), "a", "a", "a")
    assert [clock for _, clock in asked] == ["real", "virtual", "real", "real"]


@pytest.mark.parametrize(
    ("left", "limits", "verdict"),
    [
        pytest.param(1000.0, [9.0, 9.0, 69.0], Verdict.FAIL, id="much"),
        pytest.param(100.0, [9.0, 9.0], Verdict.UNRESOLVED, id="little"),
    ],
)
def test_longer_look_is_taken_where_enough_of_the_time_budget_is_left(
    left: float, limits: list[float], verdict: Verdict
) -> None:
    asked: list[float] = []

    def hangs(given: Given) -> Outcome:
        asked.append(given.limit)
        if has_orders(given.scenario):
            return Outcome(given.scenario, Verdict.UNRESOLVED, reason=NOT_CONTROLLED)
        return Outcome(given.scenario, Verdict.FAIL, Failure(HANG, "", "t.py:1"))

    clocks = Clocks(hangs, lambda: left)
    outcome = clocks.run(Given("a", DOWN, 9.0, None, None), races=False, usual=0.1)
    assert (asked, outcome.verdict) == (limits, verdict)


def test_repeated_rounds_are_no_sign_of_waiting() -> None:
    runs = Waiting()
    clocks = Clocks(runs)
    for _ in range(2):
        clocks.run(Given("a", DOWN, 9.0, None, Rounds(2)), races=False, usual=0.1)
    assert runs.asked == [("a", "real"), ("a", "real")]


def test_outcome_of_virtual_time_is_of_the_scenario_that_was_asked_for() -> None:
    clocks = Clocks(Waiting())
    given = Given("a", DOWN, 9.0, None, None)
    outcomes = [clocks.run(given, races=True, usual=0.1) for _ in range(2)]
    assert [outcome.scenario for outcome in outcomes] == [DOWN, DOWN]
