"""Sees in an ordinary run whether a test has anything whose order could change.

A run under control costs an execution, so only tests that started a thread for which nobody waits, or had two
sleeps of their system's tasks under way in one loop, are run so; what actors do is in the trace anyway.
"""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

from socrates_amplify.probes.awaited_threads import is_awaited, notice_unawaited, package_at
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.recorder import Recorder

_OTHERS = frozenset(
    {
        *("pykka", "socrates", "socrates_amplify", "pytest", "pytest_timeout", "coverage"),
        *("socketserver", "werkzeug", "wsgiref"),
    }
)
"""Top packages whose threads are none of the test's, or wait on sockets, so that nobody can control them; what
actors do stands in the trace."""
_FEEDING = frozenset(
    {
        ("multiprocessing.pool", "_handle_workers"),
        ("multiprocessing.pool", "_handle_tasks"),
        ("multiprocessing.pool", "_handle_results"),
        ("multiprocessing.queues", "_feed"),
    }
)
"""What threads run that only carry work to other processes, and results back."""
_WAKES = "_set_result_unless_cancelled"
"""The callback of a future whose sleep is over."""
_LOOPS = frozenset({"asyncio", "anyio"})
"""Packages whose sleeps are those of who calls them; timers that they start for themselves are timeouts."""
_LOOKED_AT = 50
"""So many timers of a loop are looked at."""


def notice_strands(patches: Patches, recorder: Recorder, every: bool) -> None:
    """Tell the recorder when threads or tasks run beside each other.

    Tasks do where two of their sleeps are under way, or, where ``every`` order is asked for, as soon
    as a task makes another one.
    """
    original = threading.Thread.start
    awaited = False

    def notice() -> None:
        recorder.concurrent = True

    def start(thread: threading.Thread) -> None:
        nonlocal awaited
        if not recorder.concurrent and not _is_of_others(thread):
            if not is_awaited(thread, sys._getframe(1)):
                notice()
            elif not awaited:
                awaited = True
                notice_unawaited(patches, notice)
        original(thread)

    patches.set(threading.Thread, "start", start)
    if "asyncio" in sys.modules:
        _notice_sleeps(patches, recorder)
        if every:
            _notice_tasks(patches, recorder)


def _is_of_others(thread: threading.Thread) -> bool:
    """Whether no code of the project or the test runs in this thread."""
    target = getattr(thread, "_target", None)
    if (str(getattr(target, "__module__", "")), getattr(target, "__name__", "")) in _FEEDING:
        return True
    return package_of(thread) in _OTHERS


def package_of(thread: threading.Thread) -> str:
    """The top package of what a thread runs."""
    target = getattr(thread, "_target", None)
    module = getattr(target, "__module__", None) or type(thread).__module__
    return str(module).partition(".")[0]


def sleeper_of(callback: object, frame: FrameType | None) -> FrameType | None:
    """The code that sleeps where ``frame`` starts a timer; None for a timeout."""
    user = frame
    while user is not None and package_at(user) in _LOOPS:
        user = user.f_back
    return user if getattr(callback, "__name__", "") == _WAKES or user is frame else None


def has_own_clock(loop: Any) -> bool:
    """Whether a loop tells the time itself, as those of some suites do: its sleeps end in the order that they say."""
    from asyncio import base_events

    return type(loop).time is not base_events.BaseEventLoop.time


def _notice_sleeps(patches: Patches, recorder: Recorder) -> None:
    from asyncio import base_events

    original: Any = base_events.BaseEventLoop.call_at

    def call_at(loop: Any, when: float, callback: Any, *args: Any, **rest: Any) -> Any:
        handle = original(loop, when, callback, *args, **rest)
        if not recorder.concurrent and not has_own_clock(loop):
            sleeper = sleeper_of(callback, sys._getframe(1))
            if sleeper is not None and sleeper.f_code.co_filename != recorder.test_file:
                others = loop._scheduled[:_LOOKED_AT]
                recorder.concurrent = sum(_sleeps(one) for one in others) > 1
        return handle

    patches.set(base_events.BaseEventLoop, "call_at", call_at)


def _notice_tasks(patches: Patches, recorder: Recorder) -> None:
    import asyncio
    from asyncio import base_events

    original: Any = base_events.BaseEventLoop.create_task

    def create_task(loop: Any, *args: Any, **rest: Any) -> Any:
        recorder.concurrent = recorder.concurrent or asyncio.current_task(loop) is not None
        return original(loop, *args, **rest)

    patches.set(base_events.BaseEventLoop, "create_task", create_task)


def _sleeps(timer: Any) -> bool:
    return not timer._cancelled and getattr(timer._callback, "__name__", "") == _WAKES
