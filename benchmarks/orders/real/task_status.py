"""django_dramatiq 154: who enqueues a task writes ``enqueued`` after the worker has written ``done``.

The repaired status never goes back.
"""

from __future__ import annotations

import queue
import threading

_FLOW = ("", "enqueued", "running", "done")


class Status:
    """What is known of a task; each write is a transaction."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = ""

    def write(self, value: str) -> None:
        with self._lock:
            if self.may_follow(value):
                self.value = value

    def may_follow(self, value: str) -> bool:
        return True


class RepairedStatus(Status):
    def may_follow(self, value: str) -> bool:
        return _FLOW.index(value) > _FLOW.index(self.value)


def run(kind: type[Status]) -> str:
    """What is known of a task after scheduler and worker have ended."""
    status = kind()
    tasks: queue.Queue[str] = queue.Queue()

    def schedule() -> None:
        tasks.put("task")
        status.write("enqueued")

    def work() -> None:
        tasks.get()
        status.write("running")
        status.write("done")

    threads = [threading.Thread(target=schedule), threading.Thread(target=work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return status.value
