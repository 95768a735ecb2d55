"""Tasks of asyncio, told apart in the same way in every run, and where each of them waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from socrates_amplify.model.events import TEST
from socrates_amplify.model.orders import step_sort
from socrates_amplify.record.index import site_of

LOOP = "loop"
"""The receiver of what tasks of an event loop do."""
_UNNAMED = "Task-"
"""How asyncio calls the tasks that nobody has named."""

_AWAITING = (("cr_frame", "cr_await"), ("gi_frame", "gi_yieldfrom"), ("ag_frame", "ag_await"))
"""By what coroutines and generators say where they are, and what they wait for."""
_DEEPEST = 100


class AsyncioTasks:
    """Names tasks by their coroutine, and numbers those of one name in the order of their making."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._names: WeakKeyDictionary[asyncio.Task[Any], str] = WeakKeyDictionary()
        self._children: WeakSet[asyncio.Task[Any]] = WeakSet()

    def name_of(self, task: asyncio.Task[Any] | None, loop: Any = None) -> str:
        """``fetch#2``. A task is known from when this is first asked; best when it is made."""
        if task is None:
            return "callback"
        known = self._names.get(task)
        if known is None:
            told = _told(task)
            stem = told.rpartition("<locals>.")[2].replace(" ", "").strip("<>")
            self._counts[stem] += 1
            known = self._names[task] = f"{stem}#{self._counts[stem]}"
            if loop is not None and asyncio.current_task(loop) is not None:
                self._children.add(task)
        return known

    def is_child(self, task: asyncio.Task[Any]) -> bool:
        """Whether a task has made it, rather than the code that runs the loop, such as a test."""
        return task in self._children


def _told(task: asyncio.Task[Any]) -> str:
    """What a task runs; anyio runs what it is given inside a coroutine of its own, and names the task by it.

    The one that it leaves to asyncio to name runs tests and their fixtures.
    """
    coroutine = task.get_coro()
    module = getattr(getattr(coroutine, "cr_frame", None), "f_globals", {}).get("__name__", "")
    if str(module).partition(".")[0] == "anyio":
        name = task.get_name()
        return TEST if name.startswith(_UNNAMED) else name.rpartition(".")[2]
    return str(getattr(coroutine, "__qualname__", "task"))


def task_of(callback: object) -> asyncio.Task[Any] | None:
    """The task that goes on when ``callback`` is called; None for any other callback."""
    task = getattr(callback, "__self__", None)
    return task if isinstance(task, asyncio.Task) else None


def frame_of(task: asyncio.Task[Any]) -> FrameType | None:
    """Where a task is in its own coroutine; None where it is over, or nobody can say."""
    frame: FrameType | None = getattr(task.get_coro(), "cr_frame", None)
    return frame


def frames_of(task: asyncio.Task[Any]) -> Iterator[FrameType]:
    """Where a task is in its own coroutine, and in those that it waits for, one inside the other."""
    waiting: Any = task.get_coro()
    for _ in range(_DEEPEST):
        kind = next((one for one in _AWAITING if hasattr(waiting, one[0])), None)
        if kind is None:
            return
        frame = getattr(waiting, kind[0])
        if frame is not None:
            yield frame
        waiting = getattr(waiting, kind[1])


def sort_at(what: str, frame: FrameType) -> str:
    """The type of what a task does at this place."""
    return step_sort(what, site_of(frame.f_code, frame.f_lasti))


def place_of(frame: FrameType) -> str:
    """``file:line`` for people."""
    return f"{PurePath(frame.f_code.co_filename).name}:{frame.f_lineno}"
