"""Threads of a controlled run: each is a strand from its start to its end."""

from __future__ import annotations

import functools
import re
import threading
from collections import Counter
from collections.abc import Callable

from socrates_amplify.probes.noticing import package_of
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.strands import Strand
from socrates_amplify.probes.patching import Patches

_FREE = ("socrates_amplify", "redis")
"""Top packages whose threads run beside the test: those of redis-py hear what a server says."""
_UNNAMED = re.compile(r"Thread-\d+")
_NUMBERED = re.compile(r"[-_]\d+(_\d+)?$")
_UNFIT = re.compile(r"[\s<>]")


class ThreadControl:
    """Knows which thread is which strand."""

    def __init__(self, baton: Baton, operations: Operations) -> None:
        self._baton = baton
        self._operations = operations
        self._counts: Counter[str] = Counter()
        self._joining: dict[Strand, list[Strand]] = {}

    def patch(self, patches: Patches) -> None:
        """Control every thread that is started from now on."""
        original_start = threading.Thread.start
        original_join = threading.Thread.join
        original_alive = threading.Thread.is_alive
        baton, wait_for = self._baton, self._wait_for

        def start_freely(thread: threading.Thread, starter: Strand | None) -> None:
            """Start it; the new thread says itself, without the baton, that it has begun."""
            if starter is not None:
                starter.starting = True
            try:
                original_start(thread)
            finally:
                if starter is not None:
                    starter.starting = False

        def start(thread: threading.Thread) -> None:
            starter = baton.here()
            package = package_of(thread)
            if starter is None or package in _FREE:
                start_freely(thread, starter)
                return
            strand = baton.join(self._name_of(thread))
            strand.hears(starter.tick())
            target = getattr(thread, "_target", None) or thread
            thread.run = self._controlled(strand, thread.run, target)  # type: ignore[method-assign]
            strand.of_project = self._operations.is_own_code(target) or package == "threading"
            thread._socrates_strand = strand  # type: ignore[attr-defined]
            try:
                start_freely(thread, starter)
            except BaseException:
                strand.ended = True
                raise
            baton.started(strand)
            self._operations.started(strand.number, strand.name)

        def join(thread: threading.Thread, timeout: float | None = None) -> None:
            strand: Strand | None = getattr(thread, "_socrates_strand", None)
            here = baton.here()
            if here is not None and strand is not None and strand is not here:
                ended = wait_for(here, strand, timeout)
                if not ended and not baton.lost:
                    return
            original_join(thread, timeout)

        def is_alive(thread: threading.Thread) -> bool:
            strand: Strand | None = getattr(thread, "_socrates_strand", None)
            if strand is None or baton.here() is None:
                return original_alive(thread)
            return not strand.ended

        patches.set(threading.Thread, "start", start)
        patches.set(threading.Thread, "join", join)
        patches.set(threading.Thread, "is_alive", is_alive)

    def _name_of(self, thread: threading.Thread) -> str:
        """The name that the project gave it, else of what it runs, and a number.

        Python and pools number threads on in a process; here they are numbered in each run.
        """
        given = "" if _UNNAMED.match(thread.name) else thread.name
        told = given or getattr(getattr(thread, "_target", None), "__name__", "Thread")
        stem = _UNFIT.sub("", _NUMBERED.sub("", told))
        self._counts[stem] += 1
        number = self._counts[stem]
        return stem if stem == given and number == 1 else f"{stem}#{number}"

    def _controlled(
        self, strand: Strand, run: Callable[[], None], target: object
    ) -> Callable[[], None]:
        @functools.wraps(run, updated=())
        def controlled() -> None:
            self._baton.enter(strand)
            try:
                self._operations.begin("start", target)
                run()
            finally:
                end = strand.tick()
                strand.ended = True
                for waiting in self._joining.pop(strand, ()):
                    waiting.sees((end,))
                    self._baton.wake(waiting)
                self._baton.leave(strand)

        return controlled

    def _wait_for(self, here: Strand, strand: Strand, timeout: float | None) -> bool:
        if strand.ended:
            here.sees((strand.moment(),))
            return True
        if timeout is not None and timeout <= 0:
            return False
        self._joining.setdefault(strand, []).append(here)
        here.waits_for = f"the end of {strand.name}"
        woken = self._baton.pause(here, timeout)
        here.waits_for = ""
        if not woken and here in self._joining.get(strand, ()):
            self._joining[strand].remove(here)
        return woken
