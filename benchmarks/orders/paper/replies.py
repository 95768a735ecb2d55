"""A pattern of Fyrie Redis 2: commands and those who wait for their replies stand in two queues.

Two clients that get into the queues in different orders get each other's reply. In the repaired
connection a command says whose it is.
"""

from __future__ import annotations

import queue
from collections import deque
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Command:
    client: str


@dataclass(frozen=True)
class Expect:
    client: str


@dataclass(frozen=True)
class Answer:
    client: str


class Replies(pykka.ThreadingActor):
    """Gives the first answer to who waits first."""

    def __init__(self, given: queue.Queue[tuple[str, str]]) -> None:
        super().__init__()
        self._given = given
        self._waiting: deque[str] = deque()
        self._answers: deque[str] = deque()

    def on_receive(self, message: object) -> None:
        if isinstance(message, Expect):
            self._waiting.append(message.client)
        elif isinstance(message, Answer):
            self._answers.append(message.client)
        while self._waiting and self._answers:
            answer = self._answers.popleft()
            self._given.put((self.who_gets(answer), answer))

    def who_gets(self, answer: str) -> str:
        return self._waiting.popleft()


class RepairedReplies(Replies):
    def who_gets(self, answer: str) -> str:
        self._waiting.popleft()
        return answer


class Socket(pykka.ThreadingActor):
    def __init__(self, replies: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._replies = replies

    def on_receive(self, message: Command) -> None:
        self._replies.tell(Answer(message.client))


class Login(pykka.ThreadingActor):
    def on_receive(self, message: tuple[pykka.ActorRef[Any], int]) -> None:
        client, steps = message
        client.tell(steps - 1)


class Client(pykka.ThreadingActor):
    """Logs in, step by step, and then sends a command."""

    def __init__(
        self, name: str, socket: pykka.ActorRef[Any], replies: pykka.ActorRef[Any]
    ) -> None:
        super().__init__()
        self._name = name
        self._socket = socket
        self._replies = replies
        self._login: pykka.ActorRef[Any] = Login.start()

    def on_receive(self, steps: int) -> None:
        if steps:
            self._login.tell((self.actor_ref, steps))
        else:
            self._replies.tell(Expect(self._name))
            self._socket.tell(Command(self._name))


def run(replies: type[Replies]) -> list[tuple[str, str]]:
    """Who got whose answer."""
    given: queue.Queue[tuple[str, str]] = queue.Queue()
    place = replies.start(given)
    socket = Socket.start(place)
    for name, steps in (("ada", 0), ("bob", 3)):
        Client.start(name, socket, place).tell(steps)
    return sorted(given.get(timeout=5) for _ in range(2))
