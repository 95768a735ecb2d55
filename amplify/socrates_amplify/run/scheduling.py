"""Work side by side: steps are done longest first by a number of threads."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable, Iterable

from socrates.classes.lazy import dataclass
from socrates_amplify.executors.cancelling import Cancelled


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the work; ``estimate`` says how long it takes, ``math.inf`` that it is unknown.

    ``work`` may give back the step that it leads to, but only if it ``leads_on``.
    """

    estimate: float
    work: Callable[[], Step | None]
    leads_on: bool = False


class Workers:
    """So many ``jobs`` at once: a thread for each step under way, and ``spare`` slots beside them.

    Steps come first: as long as one waits, no place is spare. Equal estimates keep their order.
    """

    def __init__(self, jobs: int, halt: Callable[[], None] = lambda: None) -> None:
        self.jobs = jobs
        self._halt = halt
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, int, Step]] = []
        self._order = itertools.count()
        self._leading = 0
        """Steps under way that may lead to another one."""
        self._threads = 0
        self._extra = 0
        self._stopped = False
        self._error: BaseException | None = None

    def run(self, steps: Iterable[Step]) -> None:
        """Do all steps and what they lead to.

        The first error of a step ends it all: ``halt`` is called, which should end the other steps
        soon, and the error is raised once they have ended. ``Cancelled`` ends it without an error.
        """
        for step in steps:
            self._add(step)
        self._threads = min(self.jobs, len(self._waiting))
        for number in range(self._threads):
            name = f"socrates-worker-{number + 1}"
            threading.Thread(target=self._work, name=name, daemon=True).start()
        self.wait()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Start no further step. Does not wait for those under way."""
        with self._changed:
            self._stopped = True
            self._waiting.clear()
            self._changed.notify_all()

    def wait(self) -> None:
        """Until all that is under way has come to its end."""
        with self._changed:
            self._changed.wait_for(lambda: not self._threads)

    @property
    def spare(self) -> int:
        """How many slots no step needs now."""
        with self._changed:
            return max(self.jobs - self._threads - self._extra, 0)

    def take_spare(self) -> bool:
        """Take one of the slots that no step needs; False when there is none."""
        with self._changed:
            if self._threads + self._extra >= self.jobs:
                return False
            self._extra += 1
            return True

    def give_back(self) -> None:
        """Give back a place that was taken."""
        with self._changed:
            self._extra -= 1

    def _add(self, step: Step) -> None:
        heapq.heappush(self._waiting, (-step.estimate, next(self._order), step))

    def _work(self) -> None:
        try:
            while (step := self._next()) is not None:
                self._do(step)
        except Cancelled:
            self.stop()
        except BaseException as error:
            self._error = self._error or error
            self.stop()
            self._halt()
        finally:
            with self._changed:
                self._threads -= 1
                self._changed.notify_all()

    def _next(self) -> Step | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped or not self._leading)
            if not self._waiting:
                return None
            _, _, step = heapq.heappop(self._waiting)
            self._leading += step.leads_on
            return step

    def _do(self, step: Step) -> None:
        further = None
        try:
            further = step.work()
        finally:
            with self._changed:
                self._leading -= step.leads_on
                if further is not None and not self._stopped:
                    self._add(further)
                self._changed.notify_all()
