"""A pytest plugin: deliveries, and what threads do, take up to ``ORDERS_DELAY`` seconds, by chance.

The baseline of the paper: a delay before each delivery, senders never wait, and two messages of one
sender to one receiver keep their order. Threads get delays before they begin, before they
put something into a queue and before they take a lock or a condition of the project; sleeps of asyncio last
longer.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pykka

MOST = float(os.environ["ORDERS_DELAY"])
CHANCE = random.SystemRandom()
PROJECT = ("threads", "tasks", "together", "paper", "real")


class DelayedInbox:
    """What an actor gets next is what is due first."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._mail: list[tuple[float, int, Any]] = []
        self._last: dict[int, float] = {}

    def put(self, envelope: Any) -> None:
        sender = threading.get_ident()
        with self._changed:
            # A test that cleans up stops its actors, which is none of their messages.
            late = (
                0.0 if type(envelope.message).__name__ == "_ActorStop" else CHANCE.uniform(0, MOST)
            )
            due = max(time.monotonic() + late, self._last.get(sender, 0.0))
            self._last[sender] = due
            heapq.heappush(self._mail, (due, next(self._numbers), envelope))
            self._changed.notify()

    def get(self) -> Any:
        with self._changed:
            while True:
                now = time.monotonic()
                if self._mail and self._mail[0][0] <= now:
                    return heapq.heappop(self._mail)[2]
                self._changed.wait(self._mail[0][0] - now if self._mail else None)

    def empty(self) -> bool:
        return not self._mail


def wait_by_chance() -> None:
    """Wait, unless this is the thread of an actor, whose mail is late already."""
    current = threading.current_thread()
    if current is not threading.main_thread() and "_actor_loop" not in current.name:
        time.sleep(CHANCE.uniform(0, MOST))


class DelayedLock:
    """A lock that is asked for a little later."""

    def __init__(self) -> None:
        self._inner = LOCK()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        wait_by_chance()
        return self._inner.acquire(blocking, timeout)

    def release(self) -> None:
        self._inner.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


LOCK = threading.Lock
START, PUT, SLEEP = threading.Thread.start, queue.Queue.put, asyncio.sleep
ENTER = threading.Condition.__enter__


def make_lock() -> Any:
    """A lock; a delayed one for the subjects."""
    module = str(sys._getframe(1).f_globals.get("__name__", "")).partition(".")[0]
    return DelayedLock() if module in PROJECT else LOCK()


def enter(condition: threading.Condition) -> bool:
    """Enter a condition, in code of the subjects a little later."""
    module = str(sys._getframe(1).f_globals.get("__name__", "")).partition(".")[0]
    if module in PROJECT:
        wait_by_chance()
    return ENTER(condition)


def start(thread: threading.Thread) -> None:
    """Start a thread that begins a little later; those of actors begin at once."""
    run: Callable[[], None] = thread.run

    def late() -> None:
        wait_by_chance()
        run()

    thread.run = late  # type: ignore[method-assign]
    START(thread)


def put(own: Any, *args: Any, **kwargs: Any) -> None:
    """Put it a little later."""
    wait_by_chance()
    PUT(own, *args, **kwargs)


async def sleep(seconds: float, result: Any = None) -> Any:
    """Sleep a little longer."""
    return await SLEEP(seconds + CHANCE.uniform(0, MOST), result)


pykka.ThreadingActor._create_actor_inbox = staticmethod(DelayedInbox)  # type: ignore[assignment]
threading.Lock = make_lock  # type: ignore[assignment,misc]
threading.Condition.__enter__ = enter  # type: ignore[method-assign]
threading.Thread.start = start  # type: ignore[method-assign]
queue.Queue.put = put  # type: ignore[method-assign,assignment]
asyncio.sleep = sleep  # type: ignore[assignment]
