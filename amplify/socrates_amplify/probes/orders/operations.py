"""What threads do to the queues, locks and events that they share, and when they go on.

Two operations of different threads on one object could have come in the other order unless the
first was needed for the second. A scenario holds a thread before its operation until the other
one is done. Where threads begin, go on after a sleep, or begin a task of a pool, the object is all
that they share: it is called ``threads``.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePath
from types import CodeType, FrameType
from typing import NamedTuple, TypeVar

from socrates.classes.quick import quickly
from socrates_amplify.model.events import Event, Offer, Send, Turn
from socrates_amplify.model.kinds import STEP
from socrates_amplify.model.orders import (
    THREADS,
    Names,
    forced,
    is_then,
    pair_of,
    step_sort,
    then,
)
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.holds import KIND, TAKE, Holds, LocksHeld, may_wait
from socrates_amplify.probes.orders.strands import Operation, Strand, saw
from socrates_amplify.record.index import site_of
from socrates_amplify.record.whose import Roles

T = TypeVar("T")
_send, _turn = quickly(Send), quickly(Turn)

GIVE = "release"
"""What it does to a semaphore that it gives back: who is let in has waited for just that."""
SEMAPHORE = "Semaphore#"
"""What the names of semaphores have in them."""
_GIVING = frozenset({TAKE, GIVE, "set", "put"})
"""Operations by which others can go on; a lock is given back after it was taken."""
_TAKING = frozenset({TAKE, "get", "clear", "put"})

START = "start"
"""What it does to a thread, or to a task of a pool, that it starts."""
_NEAREST = 20
_MOST_STARTS = 50
_MOST = 2_000
"""So many operations of one run are looked at; more would make a search that does not end."""


class _Code(NamedTuple):
    """Whether code is ours, or the project's."""

    code: CodeType
    ours: bool
    own: bool


class Operations:
    """All operations of one run, in the order in which they were done."""

    def __init__(self, baton: Baton, holds: Holds, roles: Roles) -> None:
        self._baton = baton
        self._holds = holds
        self._roles = roles
        self._names = Names()
        self._owners: dict[int, tuple[object, str]] = {}
        self._counts: Counter[str] = Counter()
        self._code: dict[int, _Code] = {}
        self._places: dict[tuple[int, int, str], tuple[str, str]] = {}
        self._held: list[tuple[Strand, str]] = []
        self._done: list[Operation] = []
        self._stops = any(
            is_then(pair[1])
            for fault in holds.faults
            if (pair := pair_of(fault.detail)) is not None
        )
        self._starts: list[tuple[int, Operation]] = []
        """What production code has started, by the number of its clock."""
        self._taken: dict[int, Operation] = {}
        self._holders: dict[str, Strand] = {}
        """Who holds which lock of the project."""
        self._full = False
        """Whether no further operation of this run is looked at, or awaited by a scenario."""

    def do(self, owner: object, what: str, call: Callable[[], T]) -> T:
        """``call()``, after what a scenario lets come before it."""
        if self._full:
            return call()
        frame = self._caller(sys._getframe(1))
        own = frame is not None and self._look(frame).own
        operation = self._reach(owner, what, frame) if own else None
        result = call()
        if operation is not None and result is not False:
            self._finish(operation)
            if what == TAKE and SEMAPHORE not in operation.owner:
                self._holders[operation.owner] = operation.strand
            if self._stops:
                self._pause_after(owner, operation)
        return result

    def released(self, owner: object) -> None:
        """The current thread has given a lock back."""
        known = self._owners.get(id(owner)) if self._holders else None
        if known is not None:
            self._holders.pop(known[1], None)
        if self._stops:
            operation = self._taken.pop(id(owner), None)
            if operation is not None and operation.strand is self._baton.here():
                self.stand_still(operation.strand, operation.name)

    def stand_still(self, strand: Strand, name: str) -> None:
        """What ``strand`` does after the operation, or the task, of this name waits if a scenario says so."""
        if self._stops and self._wait(strand, then(name)):
            self._holds.handle(then(name), None)

    def started(self, number: int, name: str) -> None:
        """The current thread has started a thread, or a task, of this name, whose clock has this number.

        It may come far before the production code goes on that has started it.
        """
        frame = self._caller(sys._getframe(1))
        if self._full or frame is None or not self._roles.is_production(frame.f_code):
            return
        operation = self._reach(name, START, frame)
        if operation is not None and len(self._starts) < _MOST_STARTS:
            operation.own = operation.strand.tick().own
            self._starts.append((number, operation))
            self.stand_still(operation.strand, operation.name)

    def _pause_after(self, owner: object, operation: Operation) -> None:
        """What follows an operation waits if a scenario says so; what follows a lock, once it is free."""
        if operation.what == TAKE and not isinstance(owner, threading.Semaphore):
            self._taken[id(owner)] = operation
        else:
            self.stand_still(operation.strand, operation.name)

    def begin(self, what: str, code: object) -> None:
        """The current thread begins what ``code`` says, a function or a thread of some class."""
        if place := self._roles.own_place(code):
            self._go_on(what, None, place)

    def go_on(self, what: str) -> None:
        """The current thread goes on after a wait of the project's code, at whatever depth."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.is_own(frame):
            frame = frame.f_back
        if frame is not None:
            self._go_on(what, frame)

    def hand_over(self, owner: object, what: str, call: Callable[[], T]) -> T:
        """As ``do``, where a library does it for the thread of the project that is the current one."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.is_own(frame):
            frame = frame.f_back
        operation = None if self._full else self._reach(owner, what, frame)
        result = call()
        if operation is not None:
            self._finish(operation)
        return result

    def _go_on(self, what: str, frame: FrameType | None, begins: str = "") -> None:
        operation = None if self._full else self._reach(THREADS, what, frame)
        if operation is not None:
            operation.begins = begins
            self._finish(operation)

    def by_project(self) -> bool:
        """Whether the code that called our caller is the project's."""
        return self.is_own(self._caller(sys._getframe(2)))

    def is_own_code(self, code: object) -> bool:
        """Whether a function, or an object by its class, is the project's."""
        return bool(self._roles.own_place(code))

    def is_own(self, frame: FrameType | None) -> bool:
        """Whether the code of a frame is the project's: what libraries do with locks is no operation."""
        return frame is not None and self._look(frame).own

    def _caller(self, frame: FrameType | None) -> FrameType | None:
        """The code that calls ours."""
        while frame is not None and self._look(frame).ours:
            frame = frame.f_back
        return frame

    def _look(self, frame: FrameType) -> _Code:
        """Whose code a frame runs; the same few functions do most operations."""
        code = frame.f_code
        known = self._code.get(id(code))
        if known is None:
            # By id, because a code object hashes all that it is made of; kept, so that ids stay theirs.
            found = _Code(code, _is_ours(frame), self._roles.is_own_frame(frame))
            known = self._code[id(code)] = found
        return known

    def note(self, operation: Operation) -> None:
        """An operation that others watch over is done."""
        operation.shows = operation.shows or operation.own
        self._done.append(operation)
        self._full = len(self._done) >= _MOST and not self._holds.forces
        self._holds.handle(operation.name, None)

    def let_go(self, sleeper: Strand | None) -> bool:
        """No thread can go on: let the first thread do that is held; False where none is."""
        if not self._held or may_wait(sleeper, self._baton):
            return False
        self._holds.drop(self._held[0][1])
        self.look_again()
        return True

    def events(self) -> list[Event]:
        """The operations as they stand in a trace."""
        offers = self._offers()
        events: list[Event] = []
        starts = [start for _, start in self._starts if start.target in offers]
        for one in (*self._done[:_MOST], *starts):
            told = f"{one.what} at {one.place}" if one.place else one.what
            target, (sender, _, rest) = one.target, one.name.partition(">")
            sort = rest.partition(" ")[2].rpartition(" ")[0]
            send = _send(
                *(target, sender, one.owner, told, "", None),
                type=sort,
                handler=one.begins,
                offers=offers.get(target, ()),
                channel=STEP,
            )
            events += (send, _turn(one.owner, target))
        return events

    def _reach(self, owner: object, what: str, frame: FrameType | None) -> Operation | None:
        strand = self._baton.here()
        if strand is None or strand.starting:
            return None
        place, sort = self._place(frame, what) if frame is not None else ("", step_sort(what, ""))
        owned = self._name_of(owner)
        name = self._names.name(strand.name, owned, sort)
        if not self._wait(strand, name):
            return None
        locks = tuple(lock for lock, holder in self._holders.items() if holder is strand)
        return Operation(name, strand, owned, what, place, strand.moment(), 0, locks)

    def _wait(self, strand: Strand, name: str) -> bool:
        """Let others go on as long as a scenario holds what has this name; whether control was kept."""
        while self._holds.holds(name):
            self._held.append((strand, name))
            self._baton.pause(strand)
            if self._baton.lost:
                return False
        return True

    def _place(self, frame: FrameType, what: str) -> tuple[str, str]:
        """The line that a frame is at, and the type of what is done there. ``_look`` keeps its code."""
        key = id(frame.f_code), frame.f_lasti, what
        known = self._places.get(key)
        if known is None:
            line = f"{PurePath(frame.f_code.co_filename).name}:{frame.f_lineno}"
            site = site_of(frame.f_code, frame.f_lasti).replace(" ", "")
            known = self._places[key] = (line, step_sort(what, site))
        return known

    def _finish(self, operation: Operation) -> None:
        operation.own = operation.strand.tick().own
        operation.shows = operation.start.own + 1
        self.note(operation)
        if self._held:
            self.look_again()

    def look_again(self) -> None:
        """Let threads go on that need not wait any longer."""
        free = [one for one in self._held if not self._holds.holds(one[1])]
        for one in free:
            self._held.remove(one)
            self._baton.wake(one[0], unseen=True)

    def _name_of(self, owner: object) -> str:
        if isinstance(owner, str):
            return owner
        known = self._owners.get(id(owner))
        if known is None:
            kind = type(owner).__name__.lstrip("_").removeprefix("Py").removeprefix("Shared")
            self._counts[kind] += 1
            # The object is kept, so that no other one gets its id.
            known = self._owners[id(owner)] = (owner, f"{kind}#{self._counts[kind]}")
        return known[1]

    def _offers(self) -> dict[str, tuple[Offer, ...]]:
        done = self._done[:_MOST]
        locks = LocksHeld(done)
        by_owner: dict[str, list[Operation]] = {}
        for one in done:
            by_owner.setdefault(one.owner, []).append(one)
        offers: dict[str, tuple[Offer, ...]] = {}
        for done in by_owner.values():
            if len({one.start.strand for one in done}) == 1:
                continue  # one thread alone does something to it
            for position, first in enumerate(done):
                shows, number = first.shows, first.start.strand
                found = [
                    Offer(KIND, forced(first.name, second.name))
                    for second in done[position + 1 : position + 1 + _NEAREST]
                    # As ``_may_overtake`` does, without a call for each of thousands of pairs.
                    if (start := second.start).past.get(number, 0) < shows
                    and start.strand != number
                    and GIVE not in (first.what, second.what)
                    and not locks.keeps_from(first, second)
                ]
                if found:
                    offers[first.target] = tuple(found)
        early = ((late.target, late.name, begun.name) for late, begun in self._early_beginnings())
        still = (
            (one.target, then(one.name), other.name)
            for one, other in self._following()
            if not locks.keeps_from(one, other)
        )
        starts = (
            (start.target, then(start.name), other.name) for start, other in self._after_starts()
        )
        for target, held, awaited in (*early, *still, *starts):
            offers[target] = (*offers.get(target, ()), Offer(KIND, forced(held, awaited)))
        return offers

    def _after_starts(self) -> Iterator[tuple[Operation, Operation]]:
        """What has started a thread or a task, and how far that came without what its starter did next."""
        for number, start in self._starts:
            last = None
            for one in self._done[:_MOST]:
                if one.start.strand != number:
                    continue
                needs_lock = one.what == TAKE and one.owner in start.locks
                if needs_lock or saw(one.start, start.start.strand, start.own + 1):
                    break
                last = one
            if last is not None:
                yield start, last

    def _following(self) -> Iterator[tuple[Operation, Operation]]:
        """What a thread did, and what another thread then did first to the same object.

        Between the two, the first one may not have come any further.
        """
        done = self._done[:_MOST]
        after: dict[str, tuple[int, int]] = {}
        """By object: where the next operation stands, and the next one of another thread than that."""
        found: list[tuple[Operation, Operation]] = []
        nobody = len(done) + _NEAREST
        for position in range(len(done) - 1, -1, -1):
            one = done[position]
            following, others = after.get(one.owner, (nobody, nobody))
            if following < nobody and done[following].strand is not one.strand:
                others = following
            after[one.owner] = position, others
            if others - position <= _NEAREST and one.owner != THREADS:
                other = done[others]
                if one.what in _GIVING and other.what in _TAKING and not _went_on(one, other):
                    found.append((one, other))
        return reversed(found)

    def _early_beginnings(self) -> Iterator[tuple[Operation, Operation]]:
        """What a thread did, and another thread that could have begun before that.

        A thread that has looked at something and is about to change it shares no object with one
        that has not begun, and yet they get in each other's way.
        """
        done = self._done[:_MOST]
        for position, begun in enumerate(done):
            if begun.owner == THREADS and not begun.place:
                for one in done[max(position - _NEAREST, 0) : position]:
                    if one.owner != THREADS and _may_overtake(begun, one):
                        yield one, begun


def _went_on(one: Operation, other: Operation) -> bool:
    """Whether ``other`` needs something that the thread of ``one`` did afterwards."""
    if one.what == TAKE and SEMAPHORE in one.owner:
        return True  # it is given back by an operation of its own
    given_back = 1 if one.what == TAKE else 0
    return saw(other.start, one.start.strand, one.own + 1 + given_back)


def _may_overtake(second: Operation, first: Operation) -> bool:
    """Whether ``second`` does not need that ``first`` was done."""
    same = second.start.strand == first.start.strand
    return not same and not saw(second.start, first.start.strand, first.shows)


_BETWEEN = (threading.Condition.__init__.__code__, threading.Condition.__enter__.__code__)
"""A condition makes and takes its lock for the code that makes and enters it."""


def _is_ours(frame: FrameType) -> bool:
    if frame.f_code in _BETWEEN:
        return True
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "socrates_amplify"
