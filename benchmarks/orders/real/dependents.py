"""rq 739 and 1615: a job that depends on another one is registered while that one finishes.

The status is read in one transaction and the dependent written in another; a parent that finishes
between them starts nobody. The repaired registry does both in one.
"""

from __future__ import annotations

import queue
import threading


class Jobs:
    """Jobs that are started at once, or when their parent has finished."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._finished = False
        self._waiting: list[str] = []
        self.started: queue.Queue[str] = queue.Queue()

    def enqueue(self, job: str) -> None:
        with self._lock:
            finished = self._finished
        self.defer(job, finished)

    def defer(self, job: str, finished: bool) -> None:
        if finished:
            self.started.put(job)
            return
        with self._lock:
            self._waiting.append(job)

    def finish_parent(self) -> None:
        with self._lock:
            self._finished = True
            jobs, self._waiting = self._waiting, []
        for job in jobs:
            self.started.put(job)


class RepairedJobs(Jobs):
    def enqueue(self, job: str) -> None:
        with self._lock:
            if not self._finished:
                self._waiting.append(job)
                return
        self.started.put(job)


def run(kind: type[Jobs]) -> int:
    """How many jobs were started once both threads have ended."""
    registry = kind()
    threads = [
        threading.Thread(target=registry.enqueue, args=("dependent",)),
        threading.Thread(target=registry.finish_parent),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return registry.started.qsize()
