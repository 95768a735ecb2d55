"""One thread that runs all checks, so that the server keeps answering."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

_STACK = 64 * 1024 * 1024
"""Deeply nested files are analysed recursively; a thread's usual stack is too small for them."""


class Worker:
    """Runs calls one after the other. Its thread never keeps the process alive."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = (
            queue.SimpleQueue()
        )
        before = threading.stack_size(_STACK)
        try:
            threading.Thread(target=self._work, name="socrates-checks", daemon=True).start()
        finally:
            threading.stack_size(before)

    async def run(self, call: Callable[[], Result]) -> Result:
        """What the call returns or raises. A call that is cancelled in time is never made."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._calls.put((call, future))
        return await future

    def _work(self) -> None:
        while True:
            call, future = self._calls.get()
            if future.cancelled():
                continue
            try:
                result, error = call(), None
            except BaseException as caught:  # the caller that awaits the result gets it
                result, error = None, caught
            try:
                future.get_loop().call_soon_threadsafe(_settle, future, result, error)
            except RuntimeError:  # the loop is closed: the server is ending
                return


def _settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
