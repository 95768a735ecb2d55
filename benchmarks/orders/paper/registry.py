"""A process registry: whoever needs a service looks it up, and starts and registers it if it is not there.

Two that look before either has registered both start it. The repaired registry starts it itself.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class LookUp:
    name: str
    client: pykka.ActorRef[Any]


@dataclass(frozen=True)
class Register:
    name: str
    service: str


class Registry(pykka.ThreadingActor):
    def __init__(self) -> None:
        super().__init__()
        self._services: dict[str, str] = {}

    def on_receive(self, message: object) -> None:
        if isinstance(message, LookUp):
            message.client.tell(("found", self.find(message.name)))
        elif isinstance(message, Register):
            if message.name in self._services:
                raise ValueError(f"{message.name} is registered already")
            self._services[message.name] = message.service

    def find(self, name: str) -> str | None:
        return self._services.get(name)


class RepairedRegistry(Registry):
    def find(self, name: str) -> str | None:
        return self._services.setdefault(name, f"{name} of the registry")


class Client(pykka.ThreadingActor):
    def __init__(
        self, registry: pykka.ActorRef[Any], started: list[str], done: threading.Semaphore
    ) -> None:
        super().__init__()
        self._registry = registry
        self._started = started
        self._done = done

    def on_receive(self, message: object) -> None:
        if message == "go":
            self._registry.tell(LookUp("clock", self.actor_ref))
        elif isinstance(message, tuple):
            if message[1] is None:
                self._started.append("clock")
                self._registry.tell(Register("clock", "clock of a client"))
            self._done.release()


def run(registry: type[Registry]) -> int:
    """How many clocks two clients start."""
    started: list[str] = []
    done = threading.Semaphore(0)
    place = registry.start()
    first = Client.start(place, started, done)
    second = Client.start(place, started, done)
    first.tell("go")
    second.tell("go")
    for _ in range(2):
        done.acquire(timeout=5)
    return len(started)
