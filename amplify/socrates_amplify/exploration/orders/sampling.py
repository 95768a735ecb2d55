"""Orders by chance, after PCTCP (Ozkan et al., OOPSLA 2018), and the holds that force one of them.

Each chain of messages, all of one sender to one receiver, gets a priority by chance, and the message
of the highest priority is handled first; at a few places, by chance too, a chain falls behind all
others. An order that only few exchanges of messages lead to is found with a known probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from socrates_amplify.exploration.orders.goals import hold
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import Schedule, by_chance, named_sends, pair_of

DEPTH = 3
"""So many messages have to be in a certain order for an order to be found with the bound that is told."""


class Sampling:
    """Orders of one test by chance; ``control`` is a run of it under control."""

    def __init__(self, unforced: Fault, control: Trace, seed: int) -> None:
        self._unforced = unforced
        self._seed = seed
        sends = named_sends(control)
        self._messages = max(len(sends), 1)
        self._chains = max(len({name.partition(" ")[0] for name in sends}), 1)
        self._tried = 0

    @property
    def told(self) -> str:
        """How many were tried, and how likely each finds an order of that depth, at least."""
        most = self._chains * self._messages ** (DEPTH - 1)
        return f"{self._tried} more by chance, each with depth {DEPTH} at 1 in {most} or better"

    def faults(self, most: int) -> Iterator[Fault]:
        """One fault for each order by chance."""
        for number in range(most):
            self._tried = number + 1
            detail = by_chance(self._seed + number, DEPTH, self._messages)
            told = f"order no. {number + 1} by chance"
            yield replace(self._unforced, message=told, detail=detail)


def full_order(trace: Trace, kind: str) -> list[Fault]:
    """The holds that force the order of this run: each message after the one before it."""
    sends = named_sends(trace)
    free = {
        frozenset(pair)
        for send in trace.sends
        for offer in send.offers
        if offer.kind == kind and (pair := pair_of(offer.detail)) is not None
    }
    pairs = [pair for pair in Schedule.of(trace).neighbours if frozenset(pair) in free]
    found = (hold(kind, pair, sends) for pair in pairs)
    return [fault for fault in found if fault is not None]
