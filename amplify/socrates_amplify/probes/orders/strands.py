"""The threads of a controlled run, and what each of them can have seen: vector clocks.

A strand counts its own moments. What it can have seen of the others is ``past``: for each strand
the number of its last moment. ``past`` is never changed in place, so that a message can keep the
one of its sender without a copy.

``waited`` is the part of it that somebody has waited for: a reply, an event, the end of a thread. Who
waits for A before asking for B has A come before B, whatever else an actor system may do to messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from socrates.classes.lazy import dataclass
from socrates_amplify.originals import Threads
from socrates_amplify.record.identity import digest

Past = Mapping[int, int]


class Moment(NamedTuple):
    """One moment of one strand."""

    strand: int
    own: int
    past: Past
    waited: Past = MappingProxyType({})

    def before(self, other: Moment) -> bool:
        """Whether this must happen before ``other`` in every order."""
        return saw(other, self.strand, self.own)

    def awaited(self, earlier: Moment) -> bool:
        """Whether somebody waited for ``earlier`` before this could happen."""
        return self.waited.get(earlier.strand, 0) >= earlier.own > 0


_moment = partial(tuple.__new__, Moment)
"""Makes one without the call of a Python function: strands have thousands of moments."""


def saw(moment: Moment, strand: int, own: int) -> bool:
    """Whether ``moment`` comes after the moment ``own`` of ``strand``."""
    seen = moment.own if moment.strand == strand else moment.past.get(strand, 0)
    return seen >= own


class Strand:
    """One thread of the test. It runs only while it has the baton."""

    __slots__ = (
        *(
            "chain",
            "ended",
            "error",
            "gate",
            "learnt",
            "name",
            "native",
            "number",
            "of_project",
            "own",
            "past",
            "paused",
            "reads",
        ),
        *("since", "sleeping", "starting", "until", "waited", "waits_for", "woken"),
    )

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        self.name = name
        self.native = 0
        self.gate = Threads.Lock()
        self.gate.acquire()
        self.own = 0
        self.past: Past = {}
        self.learnt = 0
        """Its own moment at which ``past`` last changed."""
        self.waited: Past = {}
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
        self.of_project = False
        """Whether the project's code runs in it from its beginning; pools end their threads themselves."""
        self.chain = ""
        """The chain of the message that it goes on with, where chance chooses."""

    def tick(self) -> Moment:
        """The next moment of this strand."""
        self.own = own = self.own + 1
        return _moment((self.number, own, self.past, self.waited))

    def moment(self) -> Moment:
        """The present moment."""
        return _moment((self.number, self.own, self.past, self.waited))

    def hears(self, moment: Moment) -> None:
        """From now on everything comes after ``moment``, which it has not waited for."""
        if moment[0] == self.number:
            return
        self._learn(moment)
        waited = moment[3]
        if waited and waited is not self.waited:
            self.waited = _joined(self.waited, waited)

    def sees(self, moments: Iterable[Moment]) -> None:
        """From now on everything comes after these moments, and it has waited for them."""
        for moment in moments:
            strand, own, past, _ = moment
            if strand == self.number:
                continue
            if past.get(self.number, 0) > self.learnt:
                self._learn(moment)
                self.waited = self.past
                continue
            self._learn(moment)
            if self.waited.get(strand, 0) < own:
                self.waited = _joined(self.waited, past, moment)

    def _learn(self, moment: Moment) -> None:
        strand, own, past, _ = moment
        if self.past.get(strand, 0) >= own:
            return
        if past.get(self.number, 0) > self.learnt:
            # It has seen what this strand did since it last learnt something, and so all of that.
            self.past = {**past, strand: own}
        else:
            self.past = _joined(self.past, past, moment)
        self.learnt = self.own

    @contextmanager
    def turned_into(self, number: int, name: str, cause: Moment) -> Iterator[None]:
        """Around a task that this thread runs: it has seen ``cause``, and nothing that ran here before.

        What comes after it in this thread has seen the task's end.
        """
        before = self.number, self.name, self.own, self.past, self.waited
        self.number, self.name, self.own, self.past, self.waited = number, name, 0, {}, {}
        learnt, self.learnt = self.learnt, 0
        self.hears(cause)
        try:
            yield
        finally:
            end = self.tick()
            self.number, self.name, self.own, self.past, self.waited = before
            self.learnt = learnt
            self.sees((end,))


def _joined(known: Past, more: Past, moment: Moment | None = None) -> Past:
    """All that either knows, and ``moment``; the same mapping where that is nothing new."""
    new = {strand: own for strand, own in more.items() if own > known.get(strand, 0)}
    if moment is not None:
        new[moment.strand] = moment.own
    return {**known, **new} if new else known


@dataclass(slots=True, eq=False)
class Operation:
    """One thing that a thread does to an object; ``own`` is the moment when it was done."""

    name: str
    strand: Strand
    owner: str
    what: str
    place: str
    start: Moment
    own: int = 0
    locks: tuple[str, ...] = ()
    """The locks that its thread holds meanwhile."""
    begins: str = ""
    """``file:line`` of the code that its thread begins by it; empty where it begins nothing."""
    shows: int = 0
    """The first moment at which others can have seen of it: who takes out of a queue what was put there
    need not wait until ``put`` is over."""

    @property
    def target(self) -> str:
        """What stands for it in the trace."""
        return digest(self.name, 8)
