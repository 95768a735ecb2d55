"""A pattern of redis-py 2624 and 2665: a task is cancelled after it has sent a command, before it has read the reply.

The reply stays on the connection, and the next command gets it. The repaired client gives the
connection up.
"""

from __future__ import annotations

import asyncio


class Connection:
    """Answers each command after a while, in the order in which they were sent."""

    def __init__(self) -> None:
        self._replies: asyncio.Queue[str] = asyncio.Queue()

    def send(self, command: str) -> None:
        later = asyncio.get_running_loop().call_later
        later(0.01, self._replies.put_nowait, f"reply to {command}")

    async def read(self) -> str:
        return await self._replies.get()


class Client:
    def __init__(self) -> None:
        self._connection = Connection()

    async def execute(self, command: str) -> str:
        self._connection.send(command)
        try:
            return await self._connection.read()
        except BaseException:
            self.give_up()
            raise

    def give_up(self) -> None:
        """Nothing: the next command uses the same connection."""


class RepairedClient(Client):
    def give_up(self) -> None:
        self._connection = Connection()


async def run(kind: type[Client]) -> str:
    """What the second of two commands gets."""
    client = kind()
    await asyncio.wait([asyncio.create_task(client.execute("PING"))])
    return await client.execute("GET")
