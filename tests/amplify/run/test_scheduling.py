"""Work side by side: in which order, in how many places, and what an error costs."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import pytest

from socrates_amplify.executors.cancelling import Cancelled
from socrates_amplify.run.scheduling import Step, Workers


@pytest.fixture
def done() -> list[str]:
    """The names of the steps that were done, in order."""
    return []


@pytest.fixture
def step(done: list[str]) -> Callable[..., Step]:
    """Makes a step that leaves its name."""

    def make(name: str, estimate: float, further: Step | None = None) -> Step:
        def work() -> Step | None:
            done.append(name)
            return further

        return Step(estimate, work, leads_on=further is not None)

    return make


def meet(meeting: threading.Barrier) -> Callable[[], None]:
    """The work of waiting for others."""

    def work() -> None:
        meeting.wait()

    return work


def test_the_longest_step_comes_first(step, done: list[str]) -> None:
    Workers(1).run([step("short", 1.0), step("long", 9.0), step("middle", 5.0)])
    assert done == ["long", "middle", "short"]


def test_equally_long_steps_keep_their_order(step, done: list[str]) -> None:
    Workers(1).run([step(name, 1.0) for name in "abcd"])
    assert done == ["a", "b", "c", "d"]


def test_what_nobody_has_measured_comes_before_the_rest(step, done: list[str]) -> None:
    new = step("open new", math.inf, step("search new", 2.0))
    Workers(1).run([step("known", 3.0), new, step("short", 1.0)])
    assert done == ["open new", "known", "search new", "short"]


def test_no_steps_are_no_work(done: list[str]) -> None:
    Workers(4).run([])
    assert done == []


def test_as_many_steps_as_jobs_are_under_way_at_once() -> None:
    meeting = threading.Barrier(3, timeout=60)
    Workers(3).run([Step(1.0, meet(meeting)) for _ in range(3)])
    assert not meeting.broken


def test_a_worker_waits_for_what_another_step_may_lead_to() -> None:
    meeting = threading.Barrier(2, timeout=60)
    further = Step(1.0, meet(meeting))
    Workers(2).run([Step(math.inf, lambda: further, leads_on=True) for _ in range(2)])
    assert not meeting.broken


def test_places_that_no_step_needs_are_spare() -> None:
    workers = Workers(3)
    spare: list[int] = []
    workers.run([Step(1.0, lambda: spare.append(workers.spare))])
    assert spare == [2]


def test_a_taken_place_is_not_spare_until_it_is_given_back() -> None:
    workers = Workers(1)
    taken = [workers.take_spare(), workers.take_spare()]
    workers.give_back()
    assert (taken, workers.spare) == ([True, False], 1)


def test_an_error_is_raised_and_ends_the_rest(step, done: list[str]) -> None:
    def fail() -> Step | None:
        raise ValueError("no disk")

    with pytest.raises(ValueError, match="no disk"):
        Workers(1).run([Step(2.0, fail), step("never", 1.0)])
    assert done == []


def test_an_error_halts_what_is_under_way() -> None:
    halted = threading.Event()
    both = threading.Barrier(2, timeout=60)

    def wait() -> None:
        both.wait()
        halted.wait(60)
        raise Cancelled

    def fail() -> None:
        both.wait()
        raise ValueError("no disk")

    with pytest.raises(ValueError, match="no disk"):
        Workers(2, halted.set).run([Step(1.0, wait), Step(1.0, fail)])
    assert halted.is_set()


def test_cancelled_work_ends_without_an_error(step, done: list[str]) -> None:
    def cancelled() -> Step | None:
        raise Cancelled

    Workers(1).run([Step(2.0, cancelled), step("never", 1.0)])
    assert done == []
