"""The threads of a controlled run, and what each of them can have seen: vector clocks.

A strand counts its own moments. What it can have seen of the others is ``past``: for each strand
the number of its last moment. ``past`` is never changed in place, so that a message can keep the
one of its sender without a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from socrates_amplify.originals import Threads

Past = Mapping[int, int]


class Moment(NamedTuple):
    """One moment of one strand."""

    strand: int
    own: int
    past: Past

    def before(self, other: Moment) -> bool:
        """Whether this must happen before ``other`` in every order."""
        return saw(other, self.strand, self.own)


def saw(moment: Moment, strand: int, own: int) -> bool:
    """Whether ``moment`` comes after the moment ``own`` of ``strand``."""
    seen = moment.own if moment.strand == strand else moment.past.get(strand, 0)
    return seen >= own


class Strand:
    """One thread of the test. It runs only while it has the baton."""

    __slots__ = (
        *("ended", "error", "gate", "name", "native", "number", "own", "past", "paused", "reads"),
        *("since", "sleeping", "starting", "until", "waits_for", "woken"),
    )

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        self.name = name
        self.native = 0
        self.gate = Threads.Lock()
        self.gate.acquire()
        self.own = 0
        self.past: Past = {}
        self.paused = False
        self.woken = False
        self.sleeping = False
        self.starting = False
        self.ended = False
        self.since = 0
        self.until: float | None = None
        self.error: BaseException | None = None
        self.waits_for = ""
        self.reads = 0

    def tick(self) -> Moment:
        """The next moment of this strand."""
        self.own += 1
        return Moment(self.number, self.own, self.past)

    def moment(self) -> Moment:
        """The present moment."""
        return Moment(self.number, self.own, self.past)

    def sees(self, moments: Iterable[Moment]) -> None:
        """From now on everything comes after these moments."""
        past: dict[int, int] | None = None
        for moment in moments:
            known = self.past if past is None else past
            if moment.strand == self.number or known.get(moment.strand, 0) >= moment.own:
                continue
            past = dict(self.past) if past is None else past
            past[moment.strand] = moment.own
            for strand, own in moment.past.items():
                if own > past.get(strand, 0):
                    past[strand] = own
        if past is not None:
            self.past = past
