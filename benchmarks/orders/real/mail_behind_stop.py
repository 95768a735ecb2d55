"""pykka pull request 23: who asks an actor that is about to stop waits for ever.

A question that lies behind the stop is never answered. The repaired actor refuses it.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Question:
    answers: queue.Queue[str]


class Service(pykka.ThreadingActor):
    def __init__(self) -> None:
        super().__init__()
        self._stopped = False

    def on_receive(self, message: object) -> None:
        if message == "shut down":
            self._stopped = True
        elif isinstance(message, Question):
            if self._stopped:
                self.refuse(message)
            else:
                message.answers.put("answer")

    def refuse(self, question: Question) -> None:
        """Nobody hears of it."""


class RepairedService(Service):
    def refuse(self, question: Question) -> None:
        question.answers.put("refused")


class Asker(pykka.ThreadingActor):
    def __init__(self, service: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._service = service

    def on_receive(self, message: Question) -> None:
        self._service.tell(message)


class Owner(pykka.ThreadingActor):
    def __init__(self, service: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._service = service

    def on_receive(self, message: str) -> None:
        self._service.tell("shut down")


def run(kind: type[Service]) -> str:
    """What who asks hears while the owner shuts the service down."""
    answers: queue.Queue[str] = queue.Queue()
    service = kind.start()
    Asker.start(service).tell(Question(answers))
    Owner.start(service).tell("close")
    try:
        return answers.get(timeout=5)
    except queue.Empty:
        return ""
