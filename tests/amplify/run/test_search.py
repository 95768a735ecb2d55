"""A search with real threads beside it: the same result, and every place given back."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.naive import NaiveExplorer
from socrates_amplify.exploration.speculate.foresight import SearchSpec
from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.results import Status
from socrates_amplify.model.search import (
    BudgetSpent,
    Defect,
    Exploration,
    ExploreOptions,
    Explorer,
    Question,
)
from socrates_amplify.run.scheduling import Step, Workers
from socrates_amplify.run.search import Searched, UncountedMemory, search, told_once

FAULTS = [Fault(f"m{n}", "duplicate", "test", f"A{n}", f"M({n})") for n in range(16)]
CULPRITS = {FAULTS[3], FAULTS[11]}


@dataclass
class System:
    """Fails when both culprits come together; each execution takes a random moment."""

    clock: random.Random = field(default_factory=random.Random)
    running: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def execute(self, scenario: Scenario, ticket: Ticket) -> Outcome:
        over = threading.Event()
        duration = self.clock.uniform(0.02, 0.06)
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            with ticket.ended_by(over.set):
                if over.wait(duration):
                    raise Cancelled
        finally:
            with self.lock:
                self.running -= 1
        trace = Trace(tuple(Injected(fault.target, fault.kind) for fault in scenario))
        if scenario.faults >= CULPRITS:
            failure = Failure("E", "both", "test:1")
            return Outcome(scenario, Verdict.FAIL, failure, trace=trace, duration=duration)
        return Outcome(scenario, Verdict.PASS, trace=trace, duration=duration)


@pytest.fixture
def searched() -> Iterator[Callable[..., Searched]]:
    """Searches a system; in the end no thread of it is left."""

    def run(
        system: System,
        places: Workers | None,
        explorer: Explorer | None = None,
        options: ExploreOptions | None = None,
    ) -> Searched:
        spec = SearchSpec(Trace(), FAULTS, lambda trace: (), None, 200)
        chosen = explorer or DeltaDebuggingExplorer()
        given = options or ExploreOptions()
        return search(chosen, given, spec, system.execute, slots=places)

    yield run
    left = [thread.name for thread in threading.enumerate() if "execution" in thread.name]
    assert left == []


def test_threads_find_what_one_finds(searched) -> None:
    alone, together = searched(System(), None), searched(System(), Workers(5))
    assert (together.found, together.questions) == (alone.found, alone.questions)


def test_all_places_are_given_back(searched) -> None:
    workers = Workers(5)
    searched(System(), workers)
    assert workers.spare == 5


def test_one_place_of_its_own_and_the_spare_ones_are_used(searched) -> None:
    system = System()
    workers = Workers(3)

    def work() -> None:
        searched(system, workers, NaiveExplorer())

    workers.run([Step(1.0, work)])
    assert system.most == 3


def test_what_is_cancelled_has_ended_with_the_search(searched) -> None:
    system = System()
    tally = searched(system, Workers(8)).tally
    assert tally.cancelled > 0
    assert system.running == 0


def test_places_that_others_leave_are_taken_while_waiting(searched) -> None:
    workers = Workers(2)
    system = System()
    taken = workers.take_spare(), workers.take_spare()
    threading.Timer(0.1, workers.give_back).start()
    tally = searched(system, workers, NaiveExplorer()).tally
    workers.give_back()
    assert taken == (True, True)
    assert tally.reused > 0


def test_an_error_of_an_execution_that_nobody_asked_for_is_not(searched) -> None:
    class Fragile(System):
        broken = 0

        def execute(self, scenario: Scenario, ticket: Ticket) -> Outcome:
            if not scenario.faults & set(FAULTS[:8]):
                self.broken += 1
                raise OSError("no processes left")
            failure = Failure("E", "one", "test:1")
            outcome = super().execute(scenario, ticket)
            bad = FAULTS[3] in scenario.faults
            return replace(outcome, verdict=Verdict.FAIL, failure=failure) if bad else outcome

    system = Fragile()
    (defect,) = searched(system, Workers(4), options=ExploreOptions(max_defects=1)).found.defects
    assert system.broken >= 1, "it was tried ahead"
    assert defect.scenario == Scenario.of([FAULTS[3]]), "and the search went on"


def test_an_error_of_an_execution_is_raised_by_the_search(searched) -> None:
    class Broken(System):
        def execute(self, scenario: Scenario, ticket: Ticket) -> Outcome:
            time.sleep(0.01)
            raise OSError("no processes left")

    with pytest.raises(OSError, match="no processes left"):
        searched(Broken(), Workers(4))


@pytest.mark.parametrize(
    ("note", "remark", "expected"),
    [
        (
            "failed: KeyError: 'id' (a.py:3)",
            "its orders were not tried: under control it fails: KeyError: 'id'",
            "failed: KeyError: 'id' (a.py:3)",
        ),
        (
            "failed: KeyError: 'id' (a.py:3)",
            "its orders were not tried: under control it fails: OSError: no",
            "failed: KeyError: 'id' (a.py:3); its orders were not tried: under control it fails: OSError: no",
        ),
        ("", "it fails: here", "it fails: here"),
        ("flaky", "", "flaky"),
    ],
)
def test_a_failure_is_told_once(note: str, remark: str, expected: str) -> None:
    assert told_once(note, remark) == expected


@pytest.mark.parametrize(("exhausted", "expected"), [(True, Status.ERROR), (False, Status.NOT_RUN)])
def test_where_no_fault_could_be_applied_a_search_that_the_budget_ended_is_no_error(
    exhausted: bool, expected: Status
) -> None:
    question = Question(Scenario(), "it holds", Verdict.UNRESOLVED.value)
    searched = Searched(Exploration(exhausted=exhausted, note="out of time"), 1, (question,))
    assert searched.status is expected


ASKED = Question(Scenario(), "it holds", Verdict.PASS.value)
DEFECT = Defect(Scenario.of(FAULTS[:1]), Failure("E", "one", "test:1"))


@pytest.mark.parametrize(
    ("searched", "expected"),
    [
        pytest.param(Searched(Exploration((DEFECT,)), 0, ()), Status.DEFECTIVE, id="defect"),
        pytest.param(Searched(Exploration(), 0, ()), Status.NOT_RUN, id="nothing was asked"),
        pytest.param(
            Searched(Exploration(), 1, (ASKED,), ("no port",)), Status.NOT_RUN, id="skipped"
        ),
        pytest.param(
            Searched(Exploration(idle=True), 1, (ASKED,)), Status.NO_TARGETS, id="nothing to try"
        ),
        pytest.param(Searched(Exploration(), 1, (ASKED,)), Status.RESILIENT, id="survives"),
    ],
)
def test_what_a_search_says_of_a_test(searched: Searched, expected: Status) -> None:
    assert searched.status is expected


class _Spends:
    """An explorer that does not end with the budget by itself."""

    name = "spends"

    def explore(self, problem: object, options: ExploreOptions) -> Exploration:
        raise BudgetSpent("the budget is spent")


def test_budget_that_an_explorer_does_not_heed_ends_its_search(searched) -> None:
    found = searched(System(), None, _Spends()).found
    assert (found.exhausted, found.note) == (False, "the budget is spent")


class _Looks:
    """A memory that knows one scenario and counts how often it is asked."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self, scenario: Scenario) -> Outcome | None:
        self.looks += 1
        return Outcome(scenario, Verdict.PASS) if scenario.faults else None


@pytest.mark.parametrize("scenario", [Scenario(), Scenario.of(FAULTS[:1])], ids=["new", "known"])
def test_look_ahead_asks_the_memory_once(scenario: Scenario) -> None:
    looks = _Looks()
    memory = UncountedMemory(looks)  # type: ignore[arg-type]
    found = [memory.get(scenario), memory.get(scenario)]
    expected = Outcome(scenario, Verdict.PASS) if scenario.faults else None
    assert (found, looks.looks) == ([expected, expected], 1)
