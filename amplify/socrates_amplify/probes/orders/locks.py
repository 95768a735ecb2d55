"""Locks that hand the baton over instead of blocking: what conditions, events and queues wait with.

``threading`` makes every lock, and every wait of a condition, from one function of its module. So
with that function replaced, ``Condition``, ``Event``, ``Semaphore``, ``Barrier``, ``Queue``,
``ThreadPoolExecutor`` and futures are controlled without a change of their own.
"""

from __future__ import annotations

import queue
import threading
from typing import Any

from socrates_amplify.originals import Threads
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.earlier.objects import Makers
from socrates_amplify.probes.orders.holds import TAKE
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.strands import Moment, Strand
from socrates_amplify.probes.patching import Patches

_ident = threading.get_ident


class ControlledLock:
    """A lock for which a strand waits without the baton; other threads wait as ever."""

    __slots__ = (
        *("__weakref__", "_baton", "_holder", "_inner", "_is_owned", "_releases", "_take"),
        "_waiting",
    )

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._inner = inner = Threads.Lock()
        self._take = inner.acquire
        self._is_owned = inner.locked
        """Asked by conditions at every turn; without it they try to take the lock."""
        self._holder: Strand | None = None
        self._waiting: list[Strand] | None = None
        self._releases: dict[int, Moment] | None = None

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As ``threading.Lock.acquire``."""
        baton = self._baton
        if self._take(False):
            strand = baton.controlled.get(_ident())
        elif not blocking:
            return False
        else:
            strand = baton.controlled.get(_ident())
            if strand is None or strand.starting:
                return self._inner.acquire(True, timeout)
            if not self._wait(strand, timeout):
                return False
        self._holder = strand
        if strand is baton.main and self._releases:
            # What the test can have seen counts as seen: it must not be told of orders that it excludes.
            strand.sees(self._releases.values())
        return True

    __enter__ = acquire

    def _wait(self, strand: Strand, timeout: float) -> bool:
        baton = self._baton
        over = None if timeout < 0 else baton.now + timeout
        waiting = self._waiting
        if waiting is None:
            waiting = self._waiting = []
        while True:
            waiting.append(strand)
            told, strand.waits_for = strand.waits_for, strand.waits_for or self._told(strand)
            woken = baton.pause(strand, None if over is None else over - baton.now)
            strand.waits_for = told
            if not woken and strand in waiting:
                waiting.remove(strand)
            if self._inner.acquire(False):
                return True
            if baton.lost:
                return self._inner.acquire(True, timeout)
            if not woken:
                return False

    def _told(self, strand: Strand) -> str:
        """What a thread waits for here; a condition's wait is a lock that the thread itself has."""
        if self._holder is None or self._holder is strand:
            return "another thread to tell it to go on"
        return f"a lock that {self._holder.name} holds"

    def release(self, *_: object) -> None:
        """As ``threading.Lock.release``; who waits longest may go on."""
        strand = self._baton.controlled.get(_ident())
        moment = None
        if strand is not None:
            releases = self._releases
            if releases is None:
                releases = self._releases = {}
            moment = releases[strand.number] = strand.tick()
        self._inner.release()
        if self._waiting:
            self._baton.wake(self._waiting.pop(0), moment=moment)

    __exit__ = release
    """Not one that calls the other: conditions come here with every hand-over."""

    def locked(self) -> bool:
        """As ``threading.Lock.locked``."""
        return self._inner.locked()

    def _at_fork_reinit(self) -> None:
        self._inner._at_fork_reinit()  # type: ignore[attr-defined]
        self._waiting = None


class SharedLock(ControlledLock):
    """A lock of the project: in which order threads take it can be forced."""

    __slots__ = ("_operations",)

    def __init__(self, baton: Baton, operations: Operations) -> None:
        super().__init__(baton)
        self._operations = operations

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As ``threading.Lock.acquire``."""
        take = super().acquire
        return self._operations.do(self, TAKE, lambda: take(blocking, timeout))

    def release(self, *_: object) -> None:
        """As ``threading.Lock.release``."""
        super().release()
        self._operations.released(self)

    __enter__ = acquire
    __exit__ = release


class SharedRLock(threading._PyRLock):  # type: ignore[name-defined,misc]
    """The same for a lock that a thread may take several times; only the first time counts."""

    def __init__(self, operations: Operations) -> None:
        super().__init__()
        self._operations = operations

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As ``threading.RLock.acquire``."""
        take = super().acquire
        if self._is_owned():
            return bool(take(blocking, timeout))
        return self._operations.do(self, TAKE, lambda: bool(take(blocking, timeout)))

    def release(self) -> None:
        """As ``threading.RLock.release``."""
        super().release()
        if not self._is_owned():
            self._operations.released(self)

    __enter__ = acquire


def makers(baton: Baton, operations: Operations) -> Makers:
    """What makes locks in place of those from before the run."""
    return Makers(
        lock=lambda: SharedLock(baton, operations),
        rlock=lambda: SharedRLock(operations),
        inner=lambda: ControlledLock(baton),
    )


def patch_locks(patches: Patches, baton: Baton, operations: Operations) -> None:
    """Have every lock that is made from now on controlled."""
    inside: Any = threading

    def shared_lock() -> ControlledLock:
        return SharedLock(baton, operations) if operations.by_project() else ControlledLock(baton)

    def shared_rlock() -> Any:
        return SharedRLock(operations) if operations.by_project() else inside._PyRLock()

    def lock() -> ControlledLock:
        return ControlledLock(baton)

    patches.set(threading, "_allocate_lock", lock)
    patches.set(threading, "Lock", shared_lock)
    patches.set(threading, "RLock", shared_rlock)
    patches.set(queue, "SimpleQueue", queue._PySimpleQueue)  # type: ignore[attr-defined]
