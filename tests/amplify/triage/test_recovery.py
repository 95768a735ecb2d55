"""Whether the test is run again without faults, and what is told of it then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates_amplify.model.evidence import Evidence, Frame, Injection, Link
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.model.search import Defect
from socrates_amplify.triage.recovery import Recovery, stays_broken

TEST = TestResult("tests/test_shop.py::test_a", Status.DEFECTIVE)
DOWN = Fault("t1", "connection-error", "test", "shop", "GET /")
TWICE = Fault("t2", "duplicate", "test", "Stock#1", "Add(1)")
FAILURE = Failure("AssertionError", "assert 1 == 2", "tests/test_shop.py:3")


def defect(*faults: Fault, failed: str = "AssertionError", minimal: bool = True) -> Defect:
    failure = Failure(failed, FAILURE.message, FAILURE.location)
    return Defect(Scenario.of(faults), failure, minimal)


def outcome(function: str = "fetch") -> Outcome:
    """A failing run whose fault was injected in this function."""
    frame = Frame("production", "shop", "shop.py", function, 7)
    evidence = Evidence(injections=(Injection("t1", DOWN.kind, (frame,)),))
    return Outcome(Scenario.of([DOWN]), Verdict.FAIL, FAILURE, evidence=evidence)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(defect(DOWN), True, id="outage"),
        pytest.param(defect(TWICE), False, id="no outage"),
        pytest.param(defect(DOWN, TWICE), False, id="not only an outage"),
        pytest.param(defect(), False, id="no fault"),
        pytest.param(defect(DOWN, minimal=False), False, id="not minimal"),
        pytest.param(defect(DOWN, failed="Hang"), False, id="did not end"),
        pytest.param(defect(DOWN, failed="Crash"), False, id="process ended"),
    ],
)
def test_defect_that_may_leave_something_behind(found: Defect, expected: bool) -> None:
    assert Recovery().asks(TEST, found, outcome()) is expected


def test_each_site_is_asked_about_once() -> None:
    recovery = Recovery()
    asked = [
        recovery.asks(TEST, defect(DOWN), outcome(function))
        for function in ("fetch", "fetch", "push")
    ]
    assert asked == [True, False, True]


def after(failure: Failure | None, *links: Link) -> Outcome:
    verdict = Verdict.PASS if failure is None else Verdict.FAIL
    return Outcome(Scenario(), verdict, failure, evidence=Evidence(links))


def broken(message: str) -> Failure:
    return Failure(NOT_RECOVERED, message, "tests/test_shop.py:3")


SAME = broken("without faults: AssertionError: assert 1 == 2")
OTHER = broken("without faults: KeyError: 'a'")
PLACES = (
    Frame("test", "test_shop", "tests/test_shop.py", "test_a", 3),
    Frame("production", "shop", "shop.py", "fetch", 7),
)
DELIBERATE = Link("ShopError", "shop", "", "", PLACES, raised=True)
SLIP = Link("KeyError", "builtins", "", "", PLACES, raised=False, bases=("KeyError",))


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(after(None), False, id="passes"),
        pytest.param(after(FAILURE), False, id="fails otherwise"),
        pytest.param(after(SAME), True, id="fails as before"),
        pytest.param(after(OTHER), False, id="fails in another way"),
        pytest.param(after(OTHER, DELIBERATE), True, id="production code says so"),
        pytest.param(after(OTHER, SLIP), False, id="a slip"),
    ],
)
def test_run_without_faults_that_stays_broken(second: Outcome, expected: bool) -> None:
    assert stays_broken(defect(DOWN), second) is expected


def runs(second: Outcome, healthy: Verdict) -> Callable[[Scenario], Outcome]:
    """The test after the fault, and twice without any."""
    return lambda scenario: second if scenario.faults else Outcome(scenario, healthy)


@pytest.mark.parametrize(
    ("second", "healthy", "told"),
    [
        pytest.param(SAME, Verdict.PASS, "AssertionError: assert 1 == 2", id="stays broken"),
        pytest.param(SAME, Verdict.FAIL, "", id="can't run twice"),
        pytest.param(OTHER, Verdict.PASS, "", id="fails in another way"),
        pytest.param(None, Verdict.PASS, "", id="passes"),
    ],
)
def test_what_is_told_of_it(second: Failure | None, healthy: Verdict, told: str) -> None:
    assert Recovery().told(defect(DOWN), runs(after(second), healthy)) == told
