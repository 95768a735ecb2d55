"""One search: an explorer, its gateway, the store behind it, and speculation beside it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import field, replace

from socrates.classes.lazy import dataclass
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.exploration.gateway import Gateway, Observer
from socrates_amplify.exploration.speculate.foresight import Foresight, SearchSpec
from socrates_amplify.exploration.speculate.speculation import Speculator
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import OUT_OF_TIME, Status
from socrates_amplify.model.search import (
    BudgetSpent,
    Exploration,
    ExploreOptions,
    Explorer,
    Question,
    Tally,
)
from socrates_amplify.run.worker_slots import LocalWorkers, WorkerSlots
from socrates_amplify.store.store import Store

_FAILS = "it fails: "

Execute = Callable[[Scenario, Ticket], Outcome]


def told_once(note: str, *remarks: str) -> str:
    """All that is said of a test; a remark about a failure that ``note`` tells is left out."""
    parts = [note]
    for remark in remarks:
        failure = remark.partition(_FAILS)[2]
        parts += [] if failure and failure in note else [remark]
    return "; ".join(filter(None, parts))


@dataclass(slots=True)
class Memory:
    """The gateway's cache: what the store knew of this test when the search began.

    What executions write to the store meanwhile is not looked at: some of them were started ahead
    and may not count before the explorer asks for them.
    """

    store: Store
    code: str
    nodeid: str
    hits: int = 0
    """How many scenarios it could answer."""
    _answered: set[str] = field(default_factory=set)
    known: frozenset[str] = frozenset()
    """The keys of all those scenarios."""

    def __post_init__(self) -> None:
        self.known = self.store.known(self.code, self.nodeid)

    def look(self, scenario: Scenario) -> Outcome | None:
        """The final outcome of an earlier run of this very code, without counting."""
        if scenario.key not in self.known:
            return None
        found = self.store.outcome(self.code, self.nodeid, scenario)
        # Earlier versions took a test that skipped itself under a fault for one that passed.
        outdated = found is not None and found.declined and found.verdict is Verdict.PASS
        return None if outdated else found

    def get(self, scenario: Scenario) -> Outcome | None:
        """The same, counted once for each scenario."""
        found = self.look(scenario)
        if found is not None and scenario.key not in self._answered:
            self._answered.add(scenario.key)
            self.hits += 1
        return found

    def put(self, outcome: Outcome) -> None:
        """Already kept when it was finished."""


@dataclass(slots=True)
class UncountedMemory:
    """The same memory for executions ahead of the search: look-ups are not counted, and none is made twice."""

    memory: Memory
    seen: dict[str, Outcome | None] = field(default_factory=dict)

    def get(self, scenario: Scenario) -> Outcome | None:
        if scenario.key not in self.seen:
            self.seen[scenario.key] = self.memory.look(scenario)
        return self.seen[scenario.key]

    def put(self, outcome: Outcome) -> None:
        """Keeps nothing: assumed outcomes are no results."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found and what it cost. ``tally`` is None where nothing could run beside it."""

    found: Exploration
    calls: int
    questions: tuple[Question, ...]
    declined: tuple[str, ...] = ()
    """Why the test skipped itself, for each scenario under which it did."""
    tally: Tally | None = None

    @property
    def status(self) -> Status:
        """What the search says of the test."""
        if self.found.defects:
            return Status.DEFECTIVE
        if not self.questions:
            return Status.NOT_RUN
        if self.declined:
            return Status.NOT_RUN  # it was skipped: what it would have said is unknown
        if self.found.idle:
            return Status.NO_TARGETS
        if self._unanswered:
            # No fault could be applied: that is no sign of resilience. Others were not tried yet.
            return Status.ERROR if self.found.exhausted else Status.NOT_RUN
        return Status.RESILIENT

    @property
    def _unanswered(self) -> bool:
        return all(question.answer == Verdict.UNRESOLVED.value for question in self.questions)

    @property
    def skipped(self) -> str:
        """Under how many scenarios the test skipped itself, and why."""
        if not self.declined:
            return ""
        asked = len({question.scenario for question in self.questions})
        return f"{self.declined[0]} (in {len(self.declined)} of {asked} scenarios)"

    @property
    def how_far(self) -> str:
        """What the search says of itself; when it was cut short, what that leaves open."""
        note = self.found.note
        if not note or self.found.exhausted or note in self.declined:
            return "" if note in self.declined else note
        if not self.questions:
            return note
        left = "there may be more defects" if self.found.defects else "nothing broke it so far"
        if self._unanswered:
            left = "no fault could be applied so far"
        return f"{note}: {left}"

    @property
    def remarks(self) -> tuple[str, str]:
        """What is to be said of the search besides its status."""
        return self.skipped, self.how_far

    @property
    def unresolved(self) -> int:
        """How many scenarios gave no answer, whether they were asked now or in an earlier run."""
        unknown = Verdict.UNRESOLVED.value
        return len({one.scenario for one in self.questions if one.answer == unknown})


def search(
    explorer: Explorer,
    options: ExploreOptions,
    spec: SearchSpec,
    execute: Execute,
    *,
    slots: WorkerSlots | None = None,
    deadline: float | None = None,
    observers: Sequence[Observer] = (),
) -> Searched:
    """Let the explorer ask until it is done. With ``slots``, executions are made ahead of it.

    The explorer is copied: several searches, and looks ahead, may use the same one at once.
    """
    if slots is None:
        return _ask(explorer, options, spec, _directly(execute), deadline, observers)
    memory = spec.cache
    ahead = replace(spec, cache=UncountedMemory(memory) if isinstance(memory, Memory) else memory)
    workers = LocalWorkers(slots, execute)
    speculator = Speculator(workers, Foresight(explorer, options, ahead))
    try:
        searched = _ask(explorer, options, spec, speculator.run, deadline, observers)
    finally:
        speculator.close()
        workers.close()
    return replace(searched, tally=speculator.tally)


def ended_by(spent: Callable[[], bool], execute: Execute) -> Execute:
    """The same executions; one that is cancelled because the time is ``spent`` ends the search."""

    def run(scenario: Scenario, ticket: Ticket) -> Outcome:
        try:
            return execute(scenario, ticket)
        except Cancelled:
            if spent():
                raise BudgetSpent(OUT_OF_TIME) from None
            raise

    return run


def _directly(execute: Execute) -> Callable[[Scenario], Outcome]:
    return lambda scenario: execute(scenario, Ticket())


def _ask(
    explorer: Explorer,
    options: ExploreOptions,
    spec: SearchSpec,
    run: Callable[[Scenario], Outcome],
    deadline: float | None,
    observers: Sequence[Observer],
) -> Searched:
    gateway = Gateway(
        spec.control,
        spec.faults,
        run,
        faults_of=spec.faults_of,
        cache=spec.cache,
        budget=spec.budget,
        deadline=deadline,
        observers=observers,
    )
    try:
        found = copy.deepcopy(explorer).explore(gateway, options)
    except BudgetSpent as spent:
        found = Exploration(exhausted=False, note=str(spent))
    declined = tuple(gateway.declined.values())
    return Searched(found, gateway.calls, tuple(gateway.questions), declined)
