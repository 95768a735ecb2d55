"""Lets chance choose who goes on, and which message is handled: priorities as in PCTCP.

Each chain, the messages of one sender to one receiver or the steps of one thread, has a priority by
chance. At a few places, by chance too, a chain falls behind all others. The same seed makes the same
choices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from random import Random

from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import chance_of
from socrates_amplify.probes.orders.strands import Strand


class Chance:
    """The choices of one run."""

    def __init__(self, seed: int, depth: int, messages: int) -> None:
        self._random = Random(seed)
        self._priorities: dict[str, float] = {}
        places = range(1, max(messages, depth) + 1)
        falls = self._random.sample(places, min(depth - 1, len(places)))
        self._falls = {place: -1.0 - number for number, place in enumerate(falls)}
        self._handled = 0

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> Chance | None:
        """What the faults of a scenario leave to chance; None for nothing."""
        for fault in faults:
            found = chance_of(fault.detail)
            if found is not None:
                return cls(*found)
        return None

    def priority(self, chain: str) -> float:
        """Who has more goes first."""
        if chain not in self._priorities:
            self._priorities[chain] = self._random.random()
        return self._priorities[chain]

    def handle(self, chain: str) -> None:
        """A message of this chain is handled; it may be where the chain falls behind."""
        self._handled += 1
        if self._handled in self._falls:
            self._priorities[chain] = self._falls[self._handled]

    def choose(self, ready: deque[Strand]) -> Strand:
        """Take the strand with the highest priority out of those that can go on."""
        best = max(ready, key=lambda strand: self.priority(strand.chain or strand.name))
        ready.remove(best)
        return best
