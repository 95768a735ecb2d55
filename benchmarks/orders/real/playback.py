"""A pattern of mopidy 1222: the player hears that a track has begun after it was told to play the next one.

Between two tracks there is no state to announce, and the player stops with an error. The repaired one
announces nothing in particular then.
"""

from __future__ import annotations

import queue
from typing import Any

import pykka

ANNOUNCED = {"playing": "music", "paused": "silence"}


class Player(pykka.ThreadingActor):
    def __init__(self, announcements: queue.Queue[str]) -> None:
        super().__init__()
        self._announcements = announcements
        self._pipeline: pykka.ActorRef[Any] = Pipeline.start(self.actor_ref)
        self._target = "paused"

    def on_receive(self, message: str) -> None:
        if message in ("play", "flushed"):
            self._target = "playing"
            self._pipeline.tell("start")
        elif message == "next":
            self._target = "ready"
            self._pipeline.tell("flush")
        elif message == "started":
            self.announce()

    def announce(self) -> None:
        self._announcements.put(ANNOUNCED[self._target])


class RepairedPlayer(Player):
    def announce(self) -> None:
        self._announcements.put(ANNOUNCED.get(self._target, ""))


class Pipeline(pykka.ThreadingActor):
    """Does what takes its time, and says when it is done."""

    def __init__(self, player: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._player = player

    def on_receive(self, message: str) -> None:
        self._player.tell("started" if message == "start" else "flushed")


class Tracks(pykka.ThreadingActor):
    def on_receive(self, message: tuple[pykka.ActorRef[Any], int]) -> None:
        listener, number = message
        listener.tell(number)


class Listener(pykka.ThreadingActor):
    """Plays a track, looks through some others, and goes on with the last of them."""

    def __init__(self, player: pykka.ActorRef[Any], tracks: int) -> None:
        super().__init__()
        self._player = player
        self._tracks: pykka.ActorRef[Any] = Tracks.start()
        self._count = tracks

    def on_receive(self, number: int) -> None:
        if not number:
            self._player.tell("play")
        if number < self._count:
            self._tracks.tell((self.actor_ref, number + 1))
        else:
            self._player.tell("next")


def run(player: type[Player]) -> str:
    """What is announced last, of two tracks."""
    announcements: queue.Queue[str] = queue.Queue()
    Listener.start(player.start(announcements), 4).tell(0)
    try:
        return [announcements.get(timeout=2) for _ in range(2)][-1]
    except queue.Empty:
        return ""
