"""aiohttp 4936 and 5259: a slot is taken by a newcomer before the waiter that was woken for it runs.

The waiter does not look again, and takes a slot that is not there. The repaired pool looks again.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Pool:
    """Hands out one slot."""

    def __init__(self) -> None:
        self._used = 0
        self._waiters: deque[asyncio.Future[None]] = deque()
        self.most = 0

    async def use(self, seconds: float) -> None:
        await self.wait_for_slot()
        self._used += 1
        self.most = max(self.most, self._used)
        await self.talk(seconds)
        self._used -= 1
        if self._waiters:
            self._waiters.popleft().set_result(None)

    async def wait_for_slot(self) -> None:
        if self._used:
            await self.wait()

    async def wait(self) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    async def talk(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class RepairedPool(Pool):
    async def wait_for_slot(self) -> None:
        while self._used:
            await self.wait()


async def run(kind: type[Pool]) -> int:
    """How many slots were used at once by three who come one after the other."""
    pool = kind()

    async def come(after: float) -> None:
        await pool.talk(after)
        await pool.use(0.02)

    await asyncio.gather(come(0.01), come(0.02), come(0.025))
    return pool.most
