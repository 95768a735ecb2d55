"""When documents are checked: soon after a change, and never more than one behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Schedule:
    """For each document at most one check runs and at most one waits, however fast one types.

    A check that waits starts when nothing was asked for ``delay`` seconds, and takes the text
    as it is then.
    """

    def __init__(self, check: Callable[[str], Awaitable[None]]) -> None:
        self._check = check
        self._due: dict[str, float] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._changed: dict[str, asyncio.Event] = {}

    def ask(self, name: str, delay: float = 0.0) -> None:
        """Have a document checked; a waiting check is put off or, without delay, hurried."""
        self._due[name] = asyncio.get_running_loop().time() + delay
        if name in self._tasks:
            self._changed[name].set()
        else:
            self._changed[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._run(name))

    def drop(self, name: str) -> None:
        """Forget a document: what waits is not done, what runs is stale."""
        self._due.pop(name, None)
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    def is_waiting(self, name: str) -> bool:
        """Whether a newer check is due, so that a running one is stale. Safe in any thread."""
        return name in self._due

    async def settled(self, name: str) -> None:
        """Return once nothing is running or waiting for a document."""
        while name in self._tasks:
            await asyncio.wait([self._tasks[name]])

    async def _run(self, name: str) -> None:
        loop = asyncio.get_running_loop()
        changed = self._changed[name]
        try:
            while name in self._due:
                wait = self._due[name] - loop.time()
                if wait > 0:
                    changed.clear()
                    await _first(changed.wait(), wait)
                    continue
                del self._due[name]
                await self._check(name)
        finally:
            if self._tasks.get(name) is asyncio.current_task():
                del self._tasks[name]


async def _first(event: Awaitable[object], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event
    except TimeoutError:
        pass
