"""Waiting in a coroutine by the real clock, though a test has frozen or replaced that of its loop."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from socrates_amplify.originals import Clock, Threads

if TYPE_CHECKING:
    import asyncio


async def wait(seconds: float) -> None:
    """Wait so long; other tasks go on meanwhile. Under asyncio and trio."""
    if seconds <= 0:
        return
    import asyncio  # slow to import, and there where a coroutine runs

    loop = _running_loop()
    if loop is None:
        import anyio

        await anyio.sleep(seconds)
    elif type(loop).time is not asyncio.BaseEventLoop.time:
        # A loop with a clock of its own, such as uvloop's or one of virtual time.
        await asyncio.sleep(seconds)
    else:
        await _wait_beside(loop, seconds)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop of asyncio that runs here; None under trio."""
    import asyncio

    if "trio" not in sys.modules:
        return asyncio.get_running_loop()
    with contextlib.suppress(RuntimeError):
        return asyncio.get_running_loop()
    return None


async def _wait_beside(loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    """Have a thread wait: asyncio's loop reads ``time.monotonic``, which a test may have replaced."""
    over, given_up = loop.create_future(), Threads.Event()
    until = Clock.now() + seconds

    def finish() -> None:
        if not over.done():
            over.set_result(None)

    def watch() -> None:
        while (left := until - Clock.now()) > 0 and not given_up.is_set():
            given_up.wait(left)
        # The loop is closed when the test ended first.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(finish)

    Threads.Thread(target=watch, name="socrates-wait", daemon=True).start()
    try:
        await over
    finally:
        given_up.set()
