"""A pattern of GeoTrellis: a picture is computed in tiles by several workers, and put together again.

The tiles are put together as they come. The repaired picture puts each where it belongs.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any

import pykka


@dataclass(frozen=True)
class Tile:
    place: int
    colour: str


class Picture(pykka.ThreadingActor):
    def __init__(self, tiles: int, done: queue.Queue[list[str]]) -> None:
        super().__init__()
        self._left = tiles
        self._done = done
        self._tiles: list[Tile] = []

    def on_receive(self, message: Tile) -> None:
        self._tiles.append(message)
        self._left -= 1
        if not self._left:
            self._done.put([tile.colour for tile in self.put_together(self._tiles)])

    def put_together(self, tiles: list[Tile]) -> list[Tile]:
        return tiles


class RepairedPicture(Picture):
    def put_together(self, tiles: list[Tile]) -> list[Tile]:
        return sorted(tiles, key=lambda tile: tile.place)


class Worker(pykka.ThreadingActor):
    """Does one step of a tile, and hands it on."""

    def __init__(self, following: pykka.ActorRef[Any]) -> None:
        super().__init__()
        self._following = following

    def on_receive(self, message: Tile) -> None:
        self._following.tell(Tile(message.place, message.colour.upper()))


def run(picture: type[Picture]) -> list[str]:
    """The colours of the picture, from left to right."""
    done: queue.Queue[list[str]] = queue.Queue()
    place = picture.start(3, done)
    for number, colour in enumerate(("red", "green", "blue")):
        following: pykka.ActorRef[Any] = place
        for _ in range(1 + 5 * number):  # tiles further to the right need more steps
            following = Worker.start(following)
        following.tell(Tile(number, colour))
    return done.get(timeout=5)
