"""The messages that a scenario holds back, each until another one has been handled; and which never could be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import NOT_CONTROLLED, chance_of, pair_of
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.strands import Moment, Strand, saw
from socrates_amplify.probes.pykka.delayed import LATE
from socrates_amplify.record.messages import Message
from socrates_amplify.record.recorder import Recorder

KIND = "order"
TAKE = "acquire"
"""What a thread does to a lock, or to a semaphore, that it takes."""
_LONGEST = 60.0
"""Virtual seconds that something may be held while threads sleep."""


def may_wait(sleeper: Strand | None, baton: Baton) -> bool:
    """Whether what is held can wait until ``sleeper``, which is to go on next, has done so.

    The sleep of a thread of the system is an accident of timing, and may be over first. The test's
    own sleep, and a timeout, is not: it waits for what is held.
    """
    if sleeper is None or sleeper is baton.main or not sleeper.sleeping:
        return False
    return (sleeper.until or 0.0) < _LONGEST


def looks_again(sleeper: Strand | None, baton: Baton) -> bool:
    """Whether ``sleeper`` is a thread of a library, whose timeout is not what the project waits for."""
    if sleeper is None or sleeper is baton.main or sleeper.of_project:
        return False
    return (sleeper.until or 0.0) < _LONGEST


class Holds:
    """What is still held in one run. ``faults`` are all faults about orders of its scenario."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.faults = [fault for fault in recorder.scenario if fault.kind == KIND]
        self._waits: dict[str, list[tuple[str, Fault]]] = {}
        for fault in self.faults:
            pair = pair_of(fault.detail)
            if pair is not None:
                self._waits.setdefault(pair[1], []).append((pair[0], fault))
        self.forces = bool(self._waits)
        """Whether the order of two messages or operations is forced."""
        self._late = any(fault.kind in LATE for fault in recorder.scenario)
        self.any = bool(self._waits) or self._late
        """Whether anything may have to be held."""
        self._handled: set[str] = set()
        self._held: set[str] = set()

    def late(self, message: Message) -> Fault | None:
        """The fault by which a message waits for one that is not known by name; None for none."""
        if not self._late:
            return None
        return next((fault for fault in message.faults if fault.kind in LATE), None)

    def overtaken(self, message: Message, fault: Fault) -> None:
        """What a message waited for by ``late`` has been handled."""
        self._recorder.injected(message, fault)

    def in_vain(self, fault: Fault) -> None:
        """What a message waited for by ``late`` does not come."""
        self._recorder.not_applied(fault, "nothing overtook it")

    def holds(self, name: str) -> bool:
        """Whether the message of this name has to wait."""
        if name not in self._waits:
            return False
        held = any(awaited not in self._handled for awaited, _ in self._waits[name])
        if held:
            self._held.add(name)
        return held

    def awaited(self, name: str) -> set[str]:
        """The names of what the message of this name still waits for."""
        return {other for other, _ in self._waits.get(name, ()) if other not in self._handled}

    def handle(self, name: str, message: Message | None) -> None:
        """The message, or else the operation, of this name is handled now."""
        if self.forces:
            self._handled.add(name)
            if self._waits:
                self.begin(name, message)

    def finish(self, name: str) -> None:
        """What has this name is done: whatever waited for it may go on."""
        self._handled.add(name)

    def begin(self, name: str, message: Message | None) -> None:
        """What has this name begins, after all that it waited for."""
        for awaited, fault in self._waits.pop(name, ()):
            if awaited not in self._handled:
                continue
            if message is not None:
                self._recorder.injected(message, fault)
            else:
                self._recorder.applied_throughout(fault)
        self.any = bool(self._waits) or self._late

    def about(self, name: str) -> list[Fault]:
        """The faults that force an order of what has this name and something else; chance forces all."""
        return [
            fault
            for fault in self.faults
            if name in (pair_of(fault.detail) or ()) or chance_of(fault.detail) is not None
        ]

    def drop(self, name: str) -> None:
        """The message of this name need not wait any longer: what it waits for does not come."""
        waits = self._waits.get(name, ())
        for awaited, fault in waits:
            if awaited not in self._handled:
                self._recorder.not_applied(fault, "nothing else could go on before it")
        self._waits[name] = [wait for wait in waits if wait[0] in self._handled]

    def settle(self, lost: str) -> None:
        """The run is over: say of each fault whether it was applied.

        A message that was held to the end came after all that the test saw.
        """
        for fault in self.faults:
            pair = pair_of(fault.detail)
            if lost:
                self._recorder.withdrawn(fault, f"{NOT_CONTROLLED}: {lost}")
            elif pair is None or (pair[1] in self._waits and pair[1] in self._held):
                if fault.key not in self._recorder.missed:
                    self._recorder.applied_throughout(fault)
            if pair is not None and not lost and not self._handled.issuperset(pair):
                if fault.key in self._recorder.missed or pair[1] not in self._held:
                    self._recorder.not_applied(fault, "it found no target any more")


class Step(Protocol):
    """What has to be known of an operation."""

    strand: Strand
    owner: str
    what: str
    start: Moment
    own: int
    locks: tuple[str, ...]


class LocksHeld:
    """Which operations of one run need a lock that the thread of another one has.

    To hold a thread with a lock until one that needs the lock first has come further would be a
    circle: neither could go on.
    """

    def __init__(self, done: Sequence[Step]) -> None:
        self._done = done
        held = {lock for one in done for lock in one.locks}
        self._takes: dict[str, list[int]] = {lock: [] for lock in held}
        self._positions: dict[int, int] = {}
        if held:
            self._positions = {id(one): position for position, one in enumerate(done)}
        for position, one in enumerate(done if held else ()):
            if one.what == TAKE and one.owner in held:
                self._takes[one.owner].append(position)

    def keeps_from(self, held: Step, awaited: Step) -> bool:
        """Whether ``awaited`` needs a lock that the thread of ``held`` has while it is held."""
        if not held.locks:
            return False
        since, until = self._positions[id(held)], self._positions[id(awaited)]
        return any(
            since < position <= until and _comes_before(self._done[position], awaited)
            for lock in held.locks
            for position in self._takes[lock]
        )


def _comes_before(taken: Step, awaited: Step) -> bool:
    """Whether what ``awaited`` needs includes that ``taken`` was done, or it is the same."""
    return taken.strand is awaited.strand or saw(awaited.start, taken.start.strand, taken.own)
