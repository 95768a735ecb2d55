"""An instant messenger: clients log on to a server, are welcomed, and say something to each other.

What is said to somebody who has not logged on yet is lost. The repaired server keeps it.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class LogOn:
    name: str
    client: pykka.ActorRef[Any]


@dataclass(frozen=True)
class Say:
    to: str
    text: str


@dataclass(frozen=True)
class Said:
    text: str


class Server(pykka.ThreadingActor):
    def __init__(self) -> None:
        super().__init__()
        self._clients: dict[str, pykka.ActorRef[Any]] = {}

    def on_receive(self, message: object) -> None:
        if isinstance(message, LogOn):
            self._clients[message.name] = message.client
            message.client.tell("welcome")
        elif isinstance(message, Say):
            if message.to in self._clients:
                self._clients[message.to].tell(Said(message.text))
            else:
                self.nobody_there(message)

    def nobody_there(self, message: Say) -> None:
        """It is lost."""


class RepairedServer(Server):
    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Say] = []

    def nobody_there(self, message: Say) -> None:
        self._kept.append(message)

    def on_receive(self, message: object) -> None:
        super().on_receive(message)
        if isinstance(message, LogOn):
            kept, self._kept = self._kept, []
            for say in kept:
                self.on_receive(say)


class Client(pykka.ThreadingActor):
    """Says what it has to say once it is welcome."""

    def __init__(
        self, name: str, server: pykka.ActorRef[Any], heard: queue.Queue[str], *says: Say
    ) -> None:
        super().__init__()
        self._name = name
        self._server = server
        self._heard = heard
        self._says = says

    def on_receive(self, message: object) -> None:
        if message == "log on":
            self._server.tell(LogOn(self._name, self.actor_ref))
        elif message == "welcome":
            for say in self._says:
                self._server.tell(say)
        elif isinstance(message, Said):
            self._heard.put(message.text)


def run(server: type[Server]) -> str:
    """What Ada hears of what Bob says to her."""
    heard: queue.Queue[str] = queue.Queue()
    place = server.start()
    ada = Client.start("ada", place, heard)
    bob = Client.start("bob", place, heard, Say("ada", "hello"))
    ada.tell("log on")
    bob.tell("log on")
    try:
        return heard.get(timeout=5)
    except queue.Empty:
        return ""
