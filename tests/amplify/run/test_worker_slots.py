"""Executions of one search side by side: slots that are taken are given back."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.run.worker_slots import LocalWorkers

DONE = Outcome(Scenario(), Verdict.PASS)


class Slots:
    """So many slots are free."""

    def __init__(self, spare: int) -> None:
        self.spare = spare

    def take_spare(self) -> bool:
        taken = self.spare > 0
        self.spare -= taken
        return taken

    def give_back(self) -> None:
        self.spare += 1


@pytest.fixture
def go() -> Iterator[threading.Event]:
    """Executions wait for it."""
    made = threading.Event()
    yield made
    made.set()


def waiting(go: threading.Event, slots: Slots) -> LocalWorkers:
    def execute(scenario: Scenario, ticket: Ticket) -> Outcome:
        go.wait(30)
        return DONE

    return LocalWorkers(slots, execute)


@pytest.mark.parametrize(
    ("spare", "started", "left"),
    [
        pytest.param(2, 1, 2, id="one has the slot of the search"),
        pytest.param(2, 2, 1, id="the second takes a free one"),
        pytest.param(2, 3, 0, id="the third takes another"),
        pytest.param(0, 2, 0, id="there is none to take"),
    ],
)
def test_slots_that_are_taken(go: threading.Event, spare: int, started: int, left: int) -> None:
    slots = Slots(spare)
    workers = waiting(go, slots)
    for _ in range(started):
        workers.start(Scenario())
    seen = (slots.spare, workers.slots())
    go.set()
    workers.close()
    assert (seen, slots.spare) == ((left, 1 + spare), spare)


def test_slot_of_a_cancelled_execution_is_free_at_once(go: threading.Event) -> None:
    slots = Slots(1)
    workers = waiting(go, slots)
    jobs = [workers.start(Scenario()) for _ in range(2)]
    jobs[0].cancel()
    jobs[0].cancel()
    assert (slots.spare, jobs[0].done(), workers.slots()) == (1, False, 2)


def test_result_of_an_execution(go: threading.Event) -> None:
    go.set()
    workers = waiting(go, Slots(0))
    job = workers.start(Scenario())
    while not job.done():
        workers.wait([job])
    assert job.result() is DONE


def test_error_of_an_execution_frees_its_slot() -> None:
    def fail(scenario: Scenario, ticket: Ticket) -> Outcome:
        raise KeyError("boom")

    slots = Slots(3)
    workers = LocalWorkers(slots, fail)
    job = workers.start(Scenario())
    with pytest.raises(KeyError):
        job.result()
    assert slots.spare == 3
