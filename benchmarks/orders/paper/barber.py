"""The sleeping barber: a shop with chairs, a barber who sleeps when nobody waits, and customers.

A customer who enters after the barber was told that nobody waits, and before the shop knows that
he sleeps, sits down and nobody wakes the barber. The repaired shop looks at its chairs again when the
barber goes to sleep.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Enter:
    customer: pykka.ActorRef[Any]


@dataclass(frozen=True)
class Cut:
    customer: pykka.ActorRef[Any]


class Shop(pykka.ThreadingActor):
    def __init__(self) -> None:
        super().__init__()
        self._barber: pykka.ActorRef[Any] = Barber.start(self.actor_ref)
        self._waiting: deque[pykka.ActorRef[Any]] = deque()
        self._asleep = True

    def on_stop(self) -> None:
        self._barber.stop(block=False)

    def on_receive(self, message: object) -> None:
        if isinstance(message, Enter):
            self._waiting.append(message.customer)
            if self._asleep:
                self._wake()
        elif message == "next":
            self._barber.tell(Cut(self._waiting.popleft()) if self._waiting else "nobody waits")
        elif message == "asleep":
            self.fell_asleep()

    def fell_asleep(self) -> None:
        self._asleep = True

    def _wake(self) -> None:
        self._asleep = False
        self._barber.tell(Cut(self._waiting.popleft()))


class RepairedShop(Shop):
    def fell_asleep(self) -> None:
        super().fell_asleep()
        if self._waiting:
            self._wake()


class Barber(pykka.ThreadingActor):
    def __init__(self, shop: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._shop = shop

    def on_receive(self, message: object) -> None:
        if isinstance(message, Cut):
            message.customer.tell("cut")
            self._shop.tell("next")
        elif message == "nobody waits":
            self._shop.tell("asleep")


class Customer(pykka.ThreadingActor):
    def __init__(self, shop: pykka.ActorRef[Any], served: threading.Semaphore) -> None:
        super().__init__()
        self._shop = shop
        self._served = served

    def on_receive(self, message: object) -> None:
        if message == "go":
            self._shop.tell(Enter(self.actor_ref))
        elif message == "cut":
            self._served.release()


def run(shop: type[Shop], customers: int) -> int:
    """How many customers leave the shop with their hair cut."""
    served = threading.Semaphore(0)
    place = shop.start()
    for _ in range(customers):
        Customer.start(place, served).tell("go")
    return sum(served.acquire(timeout=5) for _ in range(customers))
