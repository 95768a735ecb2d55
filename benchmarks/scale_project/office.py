"""Clerks that keep totals, and take their time: each entry means work.

``SCALE_WORK`` says what work is: ``wait`` stands for I/O, ``compute`` keeps a core busy.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from pykka import ThreadingActor


@dataclass(frozen=True)
class Entry:
    """An amount to add. What has a ``delivery_id`` is sent at least once."""

    delivery_id: int
    amount: int


@dataclass(frozen=True)
class Total:
    """What is the total?"""


class Clerk(ThreadingActor):
    """Adds what it is told, from its journal when it is started again."""

    persistence_id = "clerk"

    def __init__(self, journal: dict[int, int], seconds: float, careless: bool = False) -> None:
        super().__init__()
        self._journal = journal
        self._seconds = seconds
        self._careless = careless
        self._extra = 0

    def on_receive(self, message: object) -> object:
        """Work, and add or answer; a careless clerk adds twice what arrives twice."""
        if isinstance(message, Entry):
            work(self._seconds)
            if self._careless and message.delivery_id in self._journal:
                self._extra += message.amount
            self._journal[message.delivery_id] = message.amount
            return None
        return sum(self._journal.values()) + self._extra


def work(seconds: float) -> None:
    """Spend this time, in one of two ways."""
    if os.environ.get("SCALE_WORK") == "compute":
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass
    else:
        time.sleep(seconds)
