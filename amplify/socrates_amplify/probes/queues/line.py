"""Who decides when a task that a worker got is handled: at once, or after others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from weakref import WeakKeyDictionary

from socrates_amplify.model.kinds import kind_of
from socrates_amplify.probes.queues.tasks import Task
from socrates_amplify.record.recorder import Recorder

Go = Callable[[], None]


class Line:
    """The tasks of one run. This one lets every task be handled at once."""

    def sent(self, task: Task) -> None:
        """A task is about to be sent."""

    def gone(self, task: Task) -> None:
        """A task was sent, and workers may get it while its sender goes on."""

    def arrive(self, task: Task, go: Go, only_here: bool = False) -> None:
        """A worker got a task: let it ``go``, now or later; ``only_here``: in this thread."""
        go()

    def turn(self, task: Task) -> AbstractContextManager[None]:
        """Around the handling of a task."""
        return nullcontext()

    def finished(self, task: Task) -> None:
        """A task has been handled: those that waited for it go now."""

    def awaited(self, task: Task | None = None) -> None:
        """The test has waited for a task, or else for all that are done by now."""

    @property
    def empty(self) -> bool:
        """Whether nothing is held back."""
        return True

    def wait(self) -> None:
        """Let a moment pass, because something is held back."""

    def flush(self, why: str) -> None:
        """Let everything go, since nothing else will come."""

    def close(self) -> None:
        """Let everything go; the run is over."""


class ControlledLine(Line):
    """The line of a run under control. Probes of queues have it before anybody controls the run."""

    def __init__(self) -> None:
        self.by = Line()
        """Who decides."""

    @classmethod
    def of(cls, recorder: Recorder) -> ControlledLine | None:
        """The line of the run that this recorder records; None where it is not under control."""
        if not any(kind_of(fault.kind).schedules for fault in recorder.scenario):
            return None
        return _lines.setdefault(recorder, cls())

    def sent(self, task: Task) -> None:
        """A task is about to be sent."""
        self.by.sent(task)

    def gone(self, task: Task) -> None:
        """A task was sent, and workers may get it while its sender goes on."""
        self.by.gone(task)

    def arrive(self, task: Task, go: Go, only_here: bool = False) -> None:
        """A worker got a task: let it ``go``, now or later; ``only_here``: in this thread."""
        self.by.arrive(task, go, only_here)

    def turn(self, task: Task) -> AbstractContextManager[None]:
        """Around the handling of a task."""
        return self.by.turn(task)

    def finished(self, task: Task) -> None:
        """A task has been handled: those that waited for it go now."""
        self.by.finished(task)

    def awaited(self, task: Task | None = None) -> None:
        """The test has waited for a task, or else for all that are done by now."""
        self.by.awaited(task)

    @property
    def empty(self) -> bool:
        """Whether nothing is held back."""
        return self.by.empty

    def wait(self) -> None:
        """Let a moment pass, because something is held back."""
        self.by.wait()

    def flush(self, why: str) -> None:
        """Let everything go, since nothing else will come."""
        self.by.flush(why)

    def close(self) -> None:
        """Let everything go; the run is over."""
        self.by.close()


_lines: WeakKeyDictionary[Recorder, ControlledLine] = WeakKeyDictionary()
