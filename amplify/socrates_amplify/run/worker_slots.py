"""Runs the executions of one search in threads, as many at once as there are free slots."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.exploration.speculate.speculation import Job
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome

_POLL = 0.25
"""Seconds after which a waiting search looks again whether other tests have freed slots."""


class WorkerSlots(Protocol):
    """The slots of a whole run; ``scheduling.Workers`` shares them out."""

    @property
    def spare(self) -> int:
        """How many slots are free."""

    def take_spare(self) -> bool:
        """Take a free slot; False when there is none."""

    def give_back(self) -> None:
        """Give back a slot."""


class LocalJob:
    """One execution in a thread of its own."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.ticket = Ticket()
        self.future: Future[Outcome] = Future()
        self._leave = leave
        self._left = False
        self._lock = threading.Lock()

    def done(self) -> bool:
        """Whether it has ended."""
        return self.future.done()

    def result(self) -> Outcome:
        """What it said; raises what went wrong."""
        return self.future.result()

    def cancel(self) -> None:
        """End the execution with its processes, and free its slot at once."""
        self.ticket.cancel()
        self.leave()

    def leave(self) -> None:
        """Free the slot; further calls do nothing."""
        with self._lock:
            left, self._left = self._left, True
        if not left:
            self._leave()


class LocalWorkers:
    """Runs the executions of one search side by side.

    The search has one slot of its own; for more at once it takes free ones and gives each back when
    its execution ends. ``close`` waits until every cancelled execution has ended.
    """

    def __init__(self, slots: WorkerSlots, execute: Callable[[Scenario, Ticket], Outcome]) -> None:
        self._slots = slots
        self._execute = execute
        self._lock = threading.Lock()
        self._running = 0
        self._taken = 0
        self._jobs: set[LocalJob] = set()

    def slots(self) -> int:
        """Its own slot, those it has taken, and those it could take."""
        with self._lock:
            return 1 + self._taken + self._slots.spare

    def start(self, scenario: Scenario) -> LocalJob:
        """Start an execution at once."""
        with self._lock:
            self._running += 1
            if self._running > 1 + self._taken and self._slots.take_spare():
                self._taken += 1
        job = LocalJob(self._left)
        self._jobs = {other for other in self._jobs if not other.done()} | {job}
        threading.Thread(
            target=self._work, args=(job, scenario), name="socrates-execution", daemon=True
        ).start()
        return job

    def wait(self, jobs: Collection[Job]) -> None:
        """Until one of the jobs has ended, or a moment has passed."""
        futures = [job.future for job in jobs if isinstance(job, LocalJob)]
        wait(futures, timeout=_POLL, return_when=FIRST_COMPLETED)

    def close(self) -> None:
        """Cancel whatever still runs and wait for its end."""
        for job in self._jobs:
            job.cancel()
        wait([job.future for job in self._jobs])

    def _work(self, job: LocalJob, scenario: Scenario) -> None:
        try:
            outcome = self._execute(scenario, job.ticket)
        except BaseException as error:
            job.leave()
            job.future.set_exception(error)
        else:
            job.leave()
            job.future.set_result(outcome)

    def _left(self) -> None:
        """An execution ended; a slot that is not needed any more goes back."""
        with self._lock:
            self._running -= 1
            while self._taken > max(self._running - 1, 0):
                self._taken -= 1
                self._slots.give_back()
