"""Threads whose starter waits for what they do, so that nothing runs beside anything.

Test clients of ASGI applications (Starlette, FastAPI, Litestar) run the application in a thread of anyio's, a
*portal*, and wait for its answer; anyio and asgiref run a function that blocks in a *worker*, and wait for its
result. Such a thread is no reason for runs under control. What is: a second worker beside a busy
one, what is started in a portal and not waited for, and tasks that the project itself makes there.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any
from weakref import ref

from socrates_amplify.record.whose import is_library

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from socrates_amplify.probes.patching import Patches

_BETWEEN = frozenset({"threading", "concurrent", "contextlib", "asyncio"})
"""Packages that start a thread, or make a task, for who calls them."""
_WAITING = frozenset({"anyio", "asgiref"})
"""Packages that wait for the threads that they start."""
_PORTALS = "anyio.from_thread"


def is_awaited(thread: threading.Thread, starter: FrameType | None) -> bool:
    """Whether ``thread``, which ``starter`` starts, is the only one of its kind, and somebody waits for it."""
    asker = _asker(starter, _BETWEEN)
    return asker is not None and package_at(asker) in _WAITING and not _beside_others(thread)


def _beside_others(thread: threading.Thread) -> bool:
    """Whether it is a further worker: pools start one only where all others are busy."""
    if hasattr(thread, "workers"):
        return bool(thread.workers)
    first = next(iter(getattr(thread, "_args", ())), None)  # what a pool's threads have: the pool
    return isinstance(first, ref) and bool(getattr(first(), "_threads", ()))


def notice_unawaited(patches: Patches, notice: Callable[[], None]) -> None:
    """Call ``notice`` for what is started in a portal and not waited for, and for tasks that the project makes."""
    from asyncio import base_events

    make_task: Any = base_events.BaseEventLoop.create_task

    def create_task(loop: Any, *args: Any, **rest: Any) -> Any:
        asker = _asker(sys._getframe(1), _BETWEEN | _WAITING)
        if asker is not None and not is_library(asker.f_code.co_filename):
            notice()
        return make_task(loop, *args, **rest)

    patches.set(base_events.BaseEventLoop, "create_task", create_task)
    portal = getattr(sys.modules.get(_PORTALS), "BlockingPortal", None)
    for name in ("start_task_soon", "start_task"):
        if hasattr(portal, name):
            patches.set(portal, name, _heard(getattr(portal, name), notice))


def _heard(original: Any, notice: Callable[[], None]) -> Any:
    def start(portal: Any, *args: Any, **rest: Any) -> Any:
        caller = sys._getframe(1).f_code
        if not is_library(caller.co_filename) or "WebSocket" in caller.co_qualname:
            notice()
        return original(portal, *args, **rest)

    return start


def _asker(frame: FrameType | None, between: frozenset[str]) -> FrameType | None:
    """The innermost frame outside of the packages ``between``."""
    while frame is not None and package_at(frame) in between:
        frame = frame.f_back
    return frame


def package_at(frame: FrameType) -> str:
    """The top package of the code of a frame."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
