"""Orders that only hurt together with another fault, each beside its repair: a second delivery that
comes late, and a letter that waits in memory while the desk is restarted."""

from __future__ import annotations

import queue
from dataclasses import dataclass, field
from typing import Any

import pykka


@dataclass(frozen=True)
class Set:
    value: int
    delivery_id: int


class Store(pykka.ThreadingActor):
    """Has the value that came last; a copy that comes at once changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._value = 0

    def on_receive(self, message: object) -> int:
        if isinstance(message, Set) and self.is_new(message):
            self._value = message.value
        return self._value

    def is_new(self, message: Set) -> bool:
        return True


class RepairedStore(Store):
    def __init__(self) -> None:
        super().__init__()
        self._seen: set[int] = set()

    def is_new(self, message: Set) -> bool:
        new = message.delivery_id not in self._seen
        self._seen.add(message.delivery_id)
        return new


def stored(kind: type[Store]) -> int:
    """The value after two were set, one after the other."""
    store = kind.start()
    store.tell(Set(1, delivery_id=1))
    store.tell(Set(2, delivery_id=2))
    return int(store.ask("value"))


@dataclass
class Cabinet:
    """What a desk keeps when it is restarted."""

    is_open: bool = False
    waiting: list[str] = field(default_factory=list)
    filed: queue.Queue[str] = field(default_factory=queue.Queue)


class Desk(pykka.ThreadingActor):
    """Files letters once it is open; what comes before waits in memory."""

    persistence_id = "desk"

    def __init__(self, cabinet: Cabinet) -> None:
        super().__init__()
        self._cabinet = cabinet
        self._waiting = self.find_waiting(cabinet)

    def find_waiting(self, cabinet: Cabinet) -> list[str]:
        return []

    def on_receive(self, message: str) -> None:
        if message == "open":
            self._cabinet.is_open = True
        else:
            self._waiting.append(message)
        while self._cabinet.is_open and self._waiting:
            self._cabinet.filed.put(self._waiting.pop(0))


class RepairedDesk(Desk):
    def find_waiting(self, cabinet: Cabinet) -> list[str]:
        return cabinet.waiting


class Clerk(pykka.ThreadingActor):
    def __init__(self, desk: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._desk = desk

    def on_receive(self, message: str) -> None:
        self._desk.tell(message)


def filed(kind: type[Desk]) -> str:
    """The letter that one clerk hands in while another one opens the desk."""
    cabinet = Cabinet()
    desk = kind.start(cabinet)
    Clerk.start(desk).tell("open")
    Clerk.start(desk).tell("a letter")
    return cabinet.filed.get(timeout=5)
