"""A pattern of cpython 90155 and 112202: the one wake-up that there is comes when nobody waits for it yet.

Who waits has looked before it takes the lock. The repaired one looks again under the lock.
"""

from __future__ import annotations

import threading


class Box:
    """Holds one thing, and tells who waits for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._things: list[str] = []

    def put(self, thing: str) -> None:
        with self._changed:
            self._things.append(thing)
            self._changed.notify()

    def take(self) -> str:
        if not self._things:
            with self._changed:
                self.wait()
        return self._things.pop()

    def wait(self) -> None:
        self._changed.wait()


class RepairedBox(Box):
    def wait(self) -> None:
        while not self._things:
            self._changed.wait()


def run(kind: type[Box]) -> list[str]:
    """What one thread takes that another one puts."""
    box, taken = kind(), []
    threads = [
        threading.Thread(target=lambda: taken.append(box.take())),
        threading.Thread(target=box.put, args=("thing",)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken
