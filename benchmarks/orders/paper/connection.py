"""A pattern of Fyrie Redis 1: a connection is opened while requests already come in.

A request that comes before the connection is there is lost. The repaired connection keeps it.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Get:
    key: str


class Connection(pykka.ThreadingActor):
    def __init__(self, answers: queue.Queue[str]) -> None:
        super().__init__()
        self._answers = answers
        self._values: dict[str, str] | None = None
        self._waiting: list[Get] = []

    def on_receive(self, message: object) -> None:
        if isinstance(message, Get):
            self.get(message)
        elif message == "connected":
            self._values = {"colour": "green"}
            for request in self._waiting:
                self.get(request)

    def get(self, request: Get) -> None:
        if self._values is not None:
            self._answers.put(self._values[request.key])


class RepairedConnection(Connection):
    def get(self, request: Get) -> None:
        if self._values is None:
            self._waiting.append(request)
        super().get(request)


class Socket(pykka.ThreadingActor):
    def __init__(self, connection: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._connection = connection

    def on_receive(self, message: str) -> None:
        self._connection.tell("connected")


class Settings(pykka.ThreadingActor):
    def on_receive(self, message: tuple[pykka.ActorRef[Any], int]) -> None:
        client, number = message
        client.tell(number)


class Client(pykka.ThreadingActor):
    """Reads its settings, one after the other, and then asks."""

    def __init__(
        self, settings: pykka.ActorRef[Any], connection: pykka.ActorRef[Any], count: int
    ) -> None:
        super().__init__()
        self._settings = settings
        self._connection = connection
        self._count = count

    def on_receive(self, number: int) -> None:
        if number < self._count:
            self._settings.tell((self.actor_ref, number + 1))
        else:
            self._connection.tell(Get("colour"))


def run(connection: type[Connection]) -> str:
    """What a client gets that begins when the connection was asked for."""
    answers: queue.Queue[str] = queue.Queue()
    place = connection.start(answers)
    Socket.start(place).tell("open")
    Client.start(Settings.start(), place, 3).tell(0)
    try:
        return answers.get(timeout=5)
    except queue.Empty:
        return ""
