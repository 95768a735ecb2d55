"""A pattern of mopidy 1222: the player hears that a track has begun after it was told to play the next one.

Between two tracks there is no state to announce, and the player stops with an error. The repaired one
announces nothing then.
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
        if self._target in ANNOUNCED:
            super().announce()


class Pipeline(pykka.ThreadingActor):
    """Does what takes its time, and says when it is done."""

    def __init__(self, player: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._player = player

    def on_receive(self, message: str) -> None:
        self._player.tell("started" if message == "start" else "flushed")


class Tracks(pykka.ThreadingActor):
    def on_receive(self, message: pykka.ActorRef[Any]) -> None:
        message.tell("found another one")


class Listener(pykka.ThreadingActor):
    """Plays a track, looks for another one, and goes on with that."""

    def __init__(self, player: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._player = player
        self._tracks: pykka.ActorRef[Any] = Tracks.start()

    def on_receive(self, message: str) -> None:
        if message == "listen":
            self._player.tell("play")
            self._tracks.tell(self.actor_ref)
        else:
            self._player.tell("next")


def run(player: type[Player]) -> str:
    """What is announced first."""
    announcements: queue.Queue[str] = queue.Queue()
    Listener.start(player.start(announcements)).tell("listen")
    try:
        return announcements.get(timeout=5)
    except queue.Empty:
        return ""
