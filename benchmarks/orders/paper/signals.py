"""A pattern of SignalCollect: vertices of a graph signal each other, and a coordinator counts signals that were
sent and signals that were handled; when both are the same, nothing is under way any more.

The counts come from different vertices, so they may be the same too early. The repaired coordinator
counts by hops, and knows how many there are.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass
from typing import Any

import pykka

HOPS = 8


@dataclass(frozen=True)
class Signal:
    hops: int


class Coordinator(pykka.ThreadingActor):
    def __init__(self, over: threading.Event, hops: int) -> None:
        super().__init__()
        self._over = over
        self._hops = hops
        self._sent = 0
        self._handled = 0

    def on_receive(self, message: str) -> None:
        if message == "sent":
            self._sent += 1
        else:
            self._handled += 1
        if self.is_over(self._sent, self._handled):
            self._over.set()

    def is_over(self, sent: int, handled: int) -> bool:
        return sent == handled


class RepairedCoordinator(Coordinator):
    def is_over(self, sent: int, handled: int) -> bool:
        return handled == self._hops


class Vertex(pykka.ThreadingActor):
    """Passes a signal on; tells the coordinator of what it sends before it tells what it handled."""

    def __init__(self, coordinator: pykka.ActorRef[Any], visited: list[int]) -> None:
        super().__init__()
        self._coordinator = coordinator
        self._visited = visited
        self._next: pykka.ActorRef[Any] | None = None

    def on_receive(self, message: object) -> None:
        if isinstance(message, pykka.ActorRef):
            self._next = message
        elif isinstance(message, Signal):
            self._visited.append(message.hops)
            self.send(message.hops - 1)
            self._coordinator.tell("handled")
        elif message == "begin":
            self.send(HOPS)

    def send(self, hops: int) -> None:
        if hops and self._next is not None:
            self._next.tell(Signal(hops))
            self._coordinator.tell("sent")


def run(coordinator: type[Coordinator]) -> int:
    """How many vertices were visited when the coordinator says that it is over."""
    visited: list[int] = []
    over = threading.Event()
    counts = coordinator.start(over, HOPS)
    vertices = [Vertex.start(counts, visited) for _ in range(HOPS + 1)]
    for vertex, following in itertools.pairwise(vertices):
        vertex.ask(following)
    vertices[0].tell("begin")
    over.wait(5)
    return len(visited)
