"""One part of a suite that is split over machines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Part ``index`` of ``count``, from 1."""

    count: int
    index: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Part:
    """The tests of one shard, in the order of collection.

    ``plan`` is the same for all parts of one split: it tells parts of different splits, which may
    leave a test out or have it twice, from those that belong together.
    """

    shard: Shard
    plan: str
    collected: int
    tests: tuple[str, ...]
