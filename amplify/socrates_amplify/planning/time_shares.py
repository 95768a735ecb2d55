"""How a time budget is spread: no test may spend what the tests behind it need."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_GENEROUS = 2.0
"""A share is so many times an equal part: most tests need less than that."""


class TimeShares:
    """Hands out deadlines for searches, as many as there are tests to search. Safe in any thread.

    Without ``deadline`` there is all the time in the world.
    """

    def __init__(
        self,
        deadline: float | None,
        jobs: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.deadline = deadline
        self._jobs = jobs
        self._clock = clock
        self._waiting = 0
        self._lock = threading.Lock()

    def expect(self, tests: int) -> None:
        """So many tests may ask for a share."""
        self._waiting = tests

    def next(self, least: float = 0.0) -> float | None:
        """When the next search has to end; the last one has all that is left.

        Where there are many tests for little time, it has ``least`` seconds at least: a search that
        ends before its first answer has said nothing, and the runs before it were for nothing.
        """
        with self._lock:
            waiting = max(self._waiting, 1)
            self._waiting -= 1
        if self.deadline is None:
            return None
        now = self._clock()
        share = _GENEROUS * self._jobs * max(self.deadline - now, 0.0) / waiting
        return min(now + max(share, least), self.deadline)

    def give_back(self) -> None:
        """A test that was expected has nothing to search for."""
        with self._lock:
            self._waiting -= 1

    @property
    def spent(self) -> bool:
        """Whether no time is left at all."""
        return self.deadline is not None and self._clock() >= self.deadline
