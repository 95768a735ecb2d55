"""Tasks that a worker lets others go before: how ``delay`` and ``reorder`` are done in queues.

A held task is in a worker's hands, not acknowledged, so whoever waits for the queue waits for it.

- ``reorder`` waits until one certain other task has been handled.
- ``delay`` waits until any task that came later has been handled.

A wait that nothing ends is given up after a while: the task is handled, the fault counts as not
applied, and the run as unresolved.
"""

from __future__ import annotations

import threading
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Fault
from socrates_amplify.originals import Clock, Threads
from socrates_amplify.probes.queues.line import Go, Line
from socrates_amplify.probes.queues.tasks import LATER, Task
from socrates_amplify.record.recorder import Recorder

PATIENCE = 0.5
"""Seconds until a task stops waiting for one that does not come."""
LONG_PATIENCE = 5.0
"""Seconds until it stops waiting for one that has come, but is not done."""


@dataclass(slots=True, eq=False)
class _Held:
    task: Task
    fault: Fault
    go: Go
    until: float
    later: set[str] = field(default_factory=set)


class DelayedTasks(Line):
    """The tasks that are held back in one run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._held: list[_Held] = []
        self._finished: set[str] = set()
        self._lock = Threads.Lock()
        self._changed = Threads.Condition(self._lock)
        self._closed = False
        self._clock: threading.Thread | None = None

    def arrive(self, task: Task, go: Go, only_here: bool = False) -> None:
        """A worker got a task: let it ``go``, now or later."""
        fault = next((fault for fault in task.faults if fault.kind in LATER), None)
        with self._lock:
            now = Clock.now()
            for held in self._held:
                held.later.add(task.target)
                if held.fault.kind == "delay" or held.fault.detail == task.target:
                    held.until = now + LONG_PATIENCE
            hold = fault is not None and not self._closed and not task.turns
            if hold and fault is not None and fault.detail not in self._finished:
                self._held.append(_Held(task, fault, go, now + PATIENCE))
                self._start_clock()
                return
            if hold and fault is not None:
                # The other one went first by itself.
                self._recorder.injected(task, fault)
        go()

    def finished(self, task: Task) -> None:
        """A task has been handled: those that waited for it go now."""
        with self._lock:
            self._finished.add(task.target)
            ready = [held for held in self._held if _over(held, task.target)]
            for held in ready:
                self._held.remove(held)
                self._recorder.injected(held.task, held.fault)
        for held in ready:
            held.go()

    @property
    def empty(self) -> bool:
        """Whether nothing is held back."""
        return not self._held

    def wait(self) -> None:
        """Let a moment pass, because something is held back."""
        Clock.wait(0.001)

    def flush(self, why: str) -> None:
        """Let everything go, since nothing else will come."""
        with self._lock:
            left, self._held = self._held, []
        for held in left:
            self._give_up(held, why)

    def close(self) -> None:
        """Let everything go; the run is over."""
        with self._lock:
            self._closed = True
            self._changed.notify_all()
        self.flush("the test ended first")

    def _give_up(self, held: _Held, why: str) -> None:
        self._recorder.not_applied(held.fault, why)
        held.go()

    def _start_clock(self) -> None:
        if self._clock is None:
            self._clock = Threads.Thread(target=self._tick, name="socrates-line", daemon=True)
            self._clock.start()
        self._changed.notify_all()

    def _tick(self) -> None:
        while True:
            with self._lock:
                if self._closed:
                    return
                now = Clock.now()
                over = [held for held in self._held if held.until <= now]
                self._held = [held for held in self._held if held.until > now]
                if not over:
                    times = [held.until - now for held in self._held]
                    self._changed.wait(min(times) if times else None)
            for held in over:
                self._give_up(held, "nothing overtook it")


def _over(held: _Held, target: str) -> bool:
    return held.fault.detail == target or (held.fault.kind == "delay" and target in held.later)
