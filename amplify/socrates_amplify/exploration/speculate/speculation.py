"""Runs what a search asks, and beside it what it may ask next: speculative delta debugging.

After Zhou et al. 2019, section 4.4, but for any explorer: which executions are worth a try is
found by ``foresight``. What an answer makes pointless is cancelled, running ones included.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from socrates_amplify.exploration.speculate.foresight import Expected, Foresight, Place, UnfitError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.search import Tally

MOST_EVENTS = 300_000
"""So many events of traces are kept to look ahead; a search with more goes on without."""

_WORTH = 4.0
"""How many times longer an execution must take than a look ahead, to be worth it."""

_STAY = 2.0
"""How many times likelier another execution must be to take the place of one under way."""


class Job(Protocol):
    """One execution under way."""

    def done(self) -> bool:
        """Whether it has ended."""

    def result(self) -> Outcome:
        """What it said, once it has ended; raises what went wrong."""

    def cancel(self) -> None:
        """End it; its result is not needed."""


class SearchWorkers(Protocol):
    """Runs executions side by side for one search."""

    def slots(self) -> int:
        """How many executions this search may have under way now."""

    def start(self, scenario: Scenario) -> Job:
        """Start an execution at once."""

    def wait(self, jobs: Collection[Job]) -> None:
        """Until one of the jobs has ended, or ``slots`` may have changed."""


class Speculator:
    """The ``run`` of a gateway.

    Guarantees: each call is answered by one execution of its scenario that no other call was
    answered by, so the explorer gets the same answers with and without speculation, whatever the
    timing. With one slot nothing is started ahead. After ``close`` nothing runs.
    """

    def __init__(self, workers: SearchWorkers, foresight: Foresight) -> None:
        self._workers = workers
        self._foresight: Foresight | None = foresight
        self._times: Counter[Scenario] = Counter()
        self._ahead: dict[Place, Job] = {}
        self._events = 0
        self._created = self._cancelled = self._reused = 0

    @property
    def tally(self) -> Tally:
        """What was started so far, and what became of it."""
        finished = self._created - self._cancelled
        return Tally(self._created, finished, self._cancelled, self._reused)

    def run(self, scenario: Scenario) -> Outcome:
        """Execute, looking ahead meanwhile."""
        place = (scenario, self._times[scenario])
        self._times[scenario] += 1
        job = self._ahead.pop(place, None)
        if job is not None:
            self._reused += 1
        else:
            job = self._start(scenario)
        seen: tuple[int, int] | None = None
        while not job.done():
            now = (self._workers.slots(), self._ended())
            if now != seen:
                self._look_ahead(Expected(place, 1.0), now[0], job)
                seen = now
            self._workers.wait([job, *self._under_way().values()])
        outcome = job.result()
        self._keep(outcome)
        return outcome

    def close(self) -> None:
        """Cancel all that was started ahead and is not needed."""
        for place in list(self._ahead):
            self._drop(place)

    def _start(self, scenario: Scenario) -> Job:
        self._created += 1
        return self._workers.start(scenario)

    def _drop(self, place: Place) -> None:
        job = self._ahead.pop(place)
        if not job.done():
            self._cancelled += 1
            job.cancel()

    def _ended(self) -> int:
        return sum(job.done() for job in self._ahead.values())

    def _keep(self, outcome: Outcome) -> None:
        """Remember the answer, to look ahead from it."""
        if self._foresight is None:
            return
        self._foresight.learn(outcome)
        self._events += len(outcome.trace.events)

    def _give_up(self) -> None:
        self._foresight = None
        self.close()

    def _look_ahead(self, asked: Expected, slots: int, job: Job) -> None:
        """Start what is likeliest to be asked next, and cancel what is pointless now."""
        foresight = self._foresight
        if foresight is None:
            return
        try:
            found = self._find(foresight, asked, slots - 1, job)
        except UnfitError:
            self._give_up()
            return
        if foresight.executed and _WORTH * foresight.seconds > _typical(foresight.executed):
            self._give_up()
        elif not job.done():
            wanted = sorted(found.values(), key=self._rank(foresight))[: slots - 1]
            keep = {expected.place for expected in wanted}
            for place in self._under_way().keys() - keep:
                self._drop(place)
            self._start_ahead(wanted, slots - 1)

    def _find(
        self, foresight: Foresight, asked: Expected, slots: int, job: Job
    ) -> dict[Place, Expected]:
        """What may be asked; as long as there are free slots it is started as soon as it is found.

        Looks no further once ``job``, the execution that was asked for, has ended.
        """
        finished = self._finished()
        kept = self._events + sum(len(outcome.trace.events) for outcome in finished.values())
        if kept > MOST_EVENTS:
            raise UnfitError("too much to remember")
        found: dict[Place, Expected] = {}
        alike: list[Expected] = []
        for expected in foresight.ahead(asked, finished, looks=2 * slots + 2 if slots else 0):
            if job.done():
                break
            if expected is None:
                continue
            if alike and expected.chance < alike[-1].chance:
                self._start_ahead(sorted(alike, key=self._rank(foresight)), slots)
                alike = []
            alike.append(expected)
            before = found.get(expected.place)
            chance = expected.chance + (before.chance if before else 0.0)
            found[expected.place] = Expected(expected.place, chance)
            if len(found) >= slots and found.keys() >= self._under_way().keys():
                break  # what comes now is less likely, and no execution under way depends on it
        return found

    def _start_ahead(self, wanted: Iterable[Expected], slots: int) -> None:
        """Start these in their order, as long as there is a free slot."""
        for expected in wanted:
            if expected.place not in self._ahead and len(self._under_way()) < slots:
                self._ahead[expected.place] = self._start(expected.scenario)

    def _rank(self, foresight: Foresight) -> Callable[[Expected], tuple[float, float]]:
        """The likeliest first, of equally likely ones the cheapest; what runs has a bonus."""

        def rank(expected: Expected) -> tuple[float, float]:
            stays = _STAY if expected.place in self._ahead else 1.0
            return (-expected.chance * stays, _cost(expected.scenario, foresight.executed))

        return rank

    def _under_way(self) -> dict[Place, Job]:
        return {place: job for place, job in self._ahead.items() if not job.done()}

    def _finished(self) -> dict[Place, Outcome]:
        """The answers that are there ahead of time."""
        try:
            return {place: job.result() for place, job in self._ahead.items() if job.done()}
        except Exception as error:
            # Should it really be asked for, it will be tried again, and told.
            raise UnfitError(f"an execution ahead went wrong: {error}") from error


def _typical(executed: Sequence[Outcome]) -> float:
    """How long an execution takes on average."""
    return statistics.fmean(known.duration for known in executed)


def _cost(scenario: Scenario, executed: Sequence[Outcome]) -> float:
    """As long as the execution took whose number of faults was nearest."""
    size = len(scenario)
    return min(
        ((abs(len(known.scenario) - size), known.duration) for known in executed),
        default=(0, 0.0),
    )[1]
