"""Actions write results and say that they are done; after the last one the writer is flushed.

Only the messages between one sender and one receiver keep their order, so the flush may overtake a
result. The repaired action waits until its result is written.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Write:
    result: str


@dataclass(frozen=True)
class Flush:
    terminator: pykka.ActorRef[Any]


class Writer(pykka.ThreadingActor):
    def __init__(self, storage: list[str]) -> None:
        super().__init__()
        self._results: list[str] | None = []
        self._storage = storage

    def on_receive(self, message: object) -> None:
        assert self._results is not None
        if isinstance(message, Write):
            self._results.append(message.result)
        elif isinstance(message, Flush):
            self._storage.extend(self._results)
            self._results = None
            message.terminator.tell("flushed")


class Terminator(pykka.ThreadingActor):
    def __init__(self, actions: int, writer: pykka.ActorRef[Any], over: threading.Event) -> None:
        super().__init__()
        self._left = actions
        self._writer = writer
        self._over = over

    def on_receive(self, message: object) -> None:
        if message == "done":
            self._left -= 1
            if self._left == 0:
                self._writer.tell(Flush(self.actor_ref))
        elif message == "flushed":
            self._over.set()


class Action(pykka.ThreadingActor):
    def __init__(
        self, name: str, terminator: pykka.ActorRef[Any], writer: pykka.ActorRef[Any]
    ) -> None:
        super().__init__()
        self._name = name
        self._terminator = terminator
        self._writer = writer

    def on_receive(self, message: object) -> None:
        self.write(Write(self._name))
        self._terminator.tell("done")

    def write(self, result: Write) -> None:
        self._writer.tell(result)


class RepairedAction(Action):
    def write(self, result: Write) -> None:
        self._writer.ask(result)


def run(action: type[Action], names: tuple[str, ...]) -> list[str]:
    """What was stored when the writer had been flushed."""
    storage: list[str] = []
    over = threading.Event()
    writer = Writer.start(storage)
    terminator = Terminator.start(len(names), writer, over)
    for name in names:
        action.start(name, terminator, writer).tell("execute")
    over.wait(5)
    return storage
