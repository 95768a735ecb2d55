"""An executor that can be stopped from another thread: Ctrl-C ends all that runs at once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from socrates_amplify.executors.base import Executor, Heard
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.rounds import Rounds


class Stoppable:
    """Runs what another executor runs until ``stop``; from then on ``run`` raises ``Cancelled``."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._running: set[Ticket] = set()
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def rootdir(self) -> Path:
        """pytest's root directory: locations and node ids are relative to it."""
        return self._executor.rootdir

    @property
    def unfit(self) -> str:
        """Why this executor can't serve the suite, or empty."""
        return self._executor.unfit

    def collect(self) -> list[str]:
        """The node ids, in pytest's order."""
        return self._executor.collect()

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario; see ``Executor.run``."""
        ticket = ticket or Ticket()
        with self._counted(ticket):
            return self._executor.run(nodeid, scenario, limit, ticket, rounds)

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Run these tests once, in one process; see ``Executor.run_together``."""
        with self._counted(ticket):
            return self._executor.run_together(nodeids, heard, limit, ticket)

    @contextlib.contextmanager
    def _counted(self, ticket: Ticket) -> Iterator[None]:
        with self._lock:
            if self._stopped:
                raise Cancelled
            self._running.add(ticket)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(ticket)

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test."""
        self._executor.learn(nodeid, trace)

    def stop(self) -> None:
        """Cancel all executions, now and from now on. Does not wait until they have ended."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for ticket in running:
            ticket.cancel()

    def close(self) -> None:
        """End all processes and remove temporary files."""
        self.stop()
        self._executor.close()
