"""Rings: something goes round between actors, threads or tasks, and nothing else happens.

The worst case for control, since all that a turn does is to hand over to the next one.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pykka

SIZE = 10
"""Members of a ring."""


@dataclass(frozen=True)
class Token:
    """A message that says how often it is still passed on."""

    left: int
    text: str


MESSAGES: dict[str, Callable[[int], object]] = {
    "dataclasses": lambda left: Token(left, "go on"),
    "dictionaries": lambda left: {"left": left, "text": "go on"},
    "numbers": lambda left: left,
}
"""What goes round between actors, by how many turns are left."""


class Member(pykka.ThreadingActor):
    """Passes on what it gets, until no turns are left."""

    def __init__(self, make: Callable[[int], object], done: threading.Event) -> None:
        super().__init__()
        self.make = make
        self.done = done
        self.following: pykka.ActorRef[Member] | None = None

    def on_receive(self, message: Any) -> None:
        """The first message is who comes next."""
        if self.following is None:
            self.following = message
            return
        kind = type(message)
        left = message["left"] if kind is dict else message.left if kind is Token else message
        if left == 0:
            self.done.set()
        else:
            self.following.tell(self.make(left - 1))


def actors(turns: int, messages: str = "dataclasses") -> None:
    """A ring of actors of Pykka."""
    make, done = MESSAGES[messages], threading.Event()
    members = [Member.start(make, done) for _ in range(SIZE)]
    for member, following in zip(members, [*members[1:], members[0]], strict=True):
        member.tell(following)
    members[0].tell(make(turns))
    done.wait()
    for member in members:
        member.stop()


def threads(turns: int) -> None:
    """A ring of threads, each with a ``queue.Queue``."""
    inboxes: list[queue.Queue[int]] = [queue.Queue() for _ in range(SIZE)]

    def run(place: int) -> None:
        while True:
            left = inboxes[place].get()
            inboxes[(place + 1) % SIZE].put(left - 1)
            if left <= 0:
                return

    members = [threading.Thread(target=run, args=(place,)) for place in range(SIZE)]
    for member in members:
        member.start()
    inboxes[0].put(turns)
    for member in members:
        member.join()


def tasks(turns: int) -> None:
    """A ring of tasks of asyncio, each with an ``asyncio.Queue``."""

    async def ring() -> None:
        inboxes: list[asyncio.Queue[int]] = [asyncio.Queue() for _ in range(SIZE)]

        async def run(place: int) -> None:
            while True:
                left = await inboxes[place].get()
                await inboxes[(place + 1) % SIZE].put(left - 1)
                if left <= 0:
                    return

        members = [asyncio.create_task(run(place)) for place in range(SIZE)]
        await inboxes[0].put(turns)
        await asyncio.gather(*members)

    asyncio.run(ring())


def sleepers() -> None:
    """Threads that sleep for a second, beside each other."""
    members = [threading.Thread(target=time.sleep, args=(1.0,)) for _ in range(SIZE)]
    for member in members:
        member.start()
    for member in members:
        member.join()
