"""The stacks of a process that does not go on: of its threads, and of the tasks of its loop."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

Stack = list[FrameType]
"""From the outside inwards."""
_AWAITED = (("cr_frame", "cr_await"), ("gi_frame", "gi_yieldfrom"), ("ag_frame", "ag_await"))


def stacks_that_wait(frame: FrameType | None) -> Iterator[Stack]:
    """That of this frame first, then those of tasks that are not done, and of other threads."""
    yield _above(frame)
    for task in _tasks():
        yield list(_awaiting(task.get_coro()))
    for thread, inner in sys._current_frames().items():
        if thread != threading.get_ident():
            yield _above(inner)


def _above(frame: FrameType | None) -> Stack:
    stack: Stack = []
    while frame is not None:
        stack.insert(0, frame)
        frame = frame.f_back
    return stack


def _tasks() -> Any:
    """The tasks of the loop that this thread runs; none where it runs none."""
    asyncio = sys.modules.get("asyncio")
    loop = asyncio._get_running_loop() if asyncio is not None else None
    return () if asyncio is None or loop is None else asyncio.all_tasks(loop)


def _awaiting(coroutine: Any) -> Iterator[FrameType]:
    while coroutine is not None:
        names = next((names for names in _AWAITED if hasattr(coroutine, names[0])), None)
        if names is None:
            return
        frame = getattr(coroutine, names[0])
        if frame is not None:
            yield frame
        coroutine = getattr(coroutine, names[1])
