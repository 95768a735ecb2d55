"""Mistakes from a set that was written without a look at ours, each beside its repair.

A connection that is made twice, one that is back too late, a wake-up that is wiped out, and results that are shown as they come.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence


def in_threads(*codes: Callable[[], object]) -> None:
    """Run all of them, each in a thread of its own, to their ends."""
    threads = [threading.Thread(target=code) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Lazy:
    """Connects when it is first needed: who has looked connects, though another one has looked, too."""

    def __init__(self) -> None:
        self._counting, self._connecting = threading.Lock(), threading.Lock()
        self._connected = False
        self.connections = 0

    def fetch(self) -> None:
        self.connect_once()

    def connect_once(self) -> None:
        if not self._connected:
            with self._counting:
                self.connections += 1
            self._connected = True


class RepairedLazy(Lazy):
    def fetch(self) -> None:
        with self._connecting:
            self.connect_once()


def connections(kind: type[Lazy]) -> int:
    client = kind()
    in_threads(client.fetch, client.fetch)
    return client.connections


class Lending:
    """One connection for all: the next one is let in before it is back."""

    def __init__(self) -> None:
        self.slots = threading.Semaphore(1)
        self.idle = ["connection"]
        self.served: list[str] = []

    def query(self, text: str) -> None:
        self.slots.acquire()
        connection = self.idle.pop()
        self.served.append(text)
        self.give_back(connection)

    def give_back(self, connection: str) -> None:
        self.slots.release()
        self.idle.append(connection)


class RepairedLending(Lending):
    def give_back(self, connection: str) -> None:
        self.idle.append(connection)
        self.slots.release()


def served(kind: type[Lending]) -> list[str]:
    pool = kind()
    in_threads(lambda: pool.query("one"), lambda: pool.query("two"))
    return sorted(pool.served)


class Indexer:
    """Wakes up and takes all there is; then it forgets that it was woken, maybe once more."""

    def __init__(self) -> None:
        self.todo: queue.Queue[str] = queue.Queue()
        self.wake = threading.Event()
        self.indexed = threading.Semaphore(0)
        threading.Thread(target=self.run, daemon=True).start()

    def add(self, document: str) -> None:
        self.todo.put(document)
        self.wake.set()

    def run(self) -> None:
        while True:
            self.wake.wait()
            self.work()

    def work(self) -> None:
        self.take_all()
        self.wake.clear()

    def take_all(self) -> None:
        while True:
            try:
                self.todo.get_nowait()
            except queue.Empty:
                return
            self.indexed.release()


class RepairedIndexer(Indexer):
    def work(self) -> None:
        self.wake.clear()
        self.take_all()


def indexed(kind: type[Indexer]) -> int:
    indexer = kind()
    indexer.add("one")
    indexer.add("two")
    return sum(indexer.indexed.acquire(timeout=5) for _ in range(2))


class Viewer:
    """Has frames decoded by threads, and shows them as they come."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def decode(self, frame: str) -> str:
        return await asyncio.to_thread(str.upper, frame)

    async def play(self, frames: Sequence[str]) -> list[str]:
        async def show(frame: str) -> None:
            self.shown.append(await self.decode(frame))

        await asyncio.gather(*map(show, frames))
        return self.shown


class RepairedViewer(Viewer):
    async def play(self, frames: Sequence[str]) -> list[str]:
        return list(await asyncio.gather(*map(self.decode, frames)))


def frames(kind: type[Viewer]) -> list[str]:
    return asyncio.run(kind().play(["a", "b"]))
