"""One thread at a time: who has the baton runs, until it waits, sleeps or ends.

Whoever waits hands the baton to the next that can go on, in the order in which they became able
to. When nobody can, first a held message is let go, then time jumps to the next sleep or timeout
that ends, and where there is none either, it is a deadlock. Time is virtual: it moves only so.

Control is lost where a thread waits for what is not controlled, runs on without end, or is woken
by a thread that is not controlled. Then all threads run as they would without us, and ``lost``
says why.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from socrates_amplify.originals import Clock, Threads
from socrates_amplify.probes.orders.strands import Moment, Strand

MOST_STEPS = 200_000
"""Hand-overs in one run. A test that needs more than these most likely needs them for ever."""
FOREIGN_PATIENCE = 0.3
"""Seconds that a thread which is not controlled has to wake one that is, before it is a deadlock."""
_READS = 1_000
"""So often a thread may look at the clock without waiting, before its looking counts as waiting."""
_LOOK = 0.001
"""Seconds that each further look then takes."""
_TICK = 1e-6
_ident = threading.get_ident


class Deadlock(BaseException):
    """No thread of the test can go on. The message says who waits for what."""


class Livelock(BaseException):
    """The threads of the test hand over to each other without an end."""


class Baton:
    """The scheduler of one run. Made by the thread that runs the test."""

    def __init__(self) -> None:
        self.lost = ""
        self.steps = 0
        self.now = 0.0
        self.on_lost: Callable[[str], None] = lambda reason: None
        """Hears at once that control is lost: the run may never come to its end."""
        self.on_stuck: Callable[[Strand | None], bool] = lambda sleeper: False
        """Lets something go on when no thread can; ``sleeper`` would go on else."""
        self.choose: Callable[[deque[Strand]], Strand] = deque.popleft
        """Takes out of those that can go on the one that does."""
        self._lost_at = 0.0
        self._open = True
        self._lock = Threads.Lock()
        self._ready: deque[Strand] = deque()
        self._by_ident: dict[int, Strand] = {}
        self.controlled = self._by_ident
        """The strand of each thread by its ident; nothing as soon as there is no control any more."""
        self.strands: list[Strand] = []
        self._numbers = 0
        self.main = self.join("test")
        self.main.native = threading.get_native_id()
        self._by_ident[_ident()] = self.main
        self.running: Strand = self.main

    def here(self) -> Strand | None:
        """The strand of the current thread; None where it is not controlled, or no longer."""
        return self.controlled.get(_ident())

    def join(self, name: str) -> Strand:
        """A strand for a thread that is about to be started; it sees what its starter has seen."""
        strand = Strand(self.number(), name)
        self.strands.append(strand)
        return strand

    def number(self) -> int:
        """A number for a clock of its own: that of a thread, or of a task that threads run."""
        self._numbers += 1
        return self._numbers - 1

    def enter(self, strand: Strand) -> None:
        """The thread of ``strand`` runs: wait until it gets the baton for the first time."""
        self._by_ident[_ident()] = strand
        strand.native = threading.get_native_id()
        strand.gate.acquire()
        _raise_error_of(strand)

    def started(self, strand: Strand) -> None:
        """``strand`` can go on from now on."""
        with self._lock:
            self._ready.append(strand)

    def leave(self, strand: Strand) -> None:
        """The thread of ``strand`` ends."""
        if self.lost or not self._open:
            strand.ended = True
            return
        with self._lock:
            strand.ended = True
            self._by_ident.pop(_ident(), None)
        self._hand_over(strand)

    def pause(self, strand: Strand, seconds: float | None = None, sleeping: bool = False) -> bool:
        """Let others run until ``wake``, or until ``seconds`` have passed: then it is False."""
        strand.woken = False
        strand.paused = True
        strand.sleeping = sleeping
        strand.until = None if seconds is None else self.now + max(seconds, 0.0)
        strand.reads = 0
        strand.since = self.steps
        if self._hand_over(strand):
            strand.gate.acquire()
        if strand.error is not None:
            _raise_error_of(strand)
        return strand.woken

    def wake(self, strand: Strand, unseen: bool = False, moment: Moment | None = None) -> None:
        """``strand`` can go on, because of what the current thread did, at ``moment`` if that is known.

        With ``unseen`` it does not know by whom, and finds out by what it then reads.
        """
        with self._lock:
            if not strand.paused:
                return
            if moment is None and not unseen:
                by = self._by_ident.get(_ident())
                moment = None if by is None else by.tick()
            if moment is not None:
                strand.sees((moment,))
            strand.woken, strand.paused, strand.until = True, False, None
            self._ready.append(strand)

    def seconds(self) -> float:
        """Virtual seconds since the beginning. Looking at the clock takes a moment, too."""
        if self.lost:
            return self.now + Clock.now() - self._lost_at
        strand = self.here()
        self.now += _TICK
        if strand is not None:
            strand.reads += 1
            if strand.reads > _READS:
                if len(self.strands) == 1 and self.steps < MOST_STEPS:
                    # Nobody else is there to let go on.
                    self.steps += 1
                    self.now += _LOOK
                else:
                    self.pause(strand, _LOOK, sleeping=True)
                strand.reads = _READS
        return self.now

    def lose(self, reason: str) -> None:
        """Let all threads run as they would without us."""
        with self._lock:
            if self.lost or not self._open:
                return
            self._lost_at = Clock.now()
            self.lost, self.controlled = reason, {}
            self._set_free()
        self.on_lost(reason)

    @property
    def keeps_nobody(self) -> bool:
        """Whether no thread but the running one could go on, now or after a sleep."""
        return not self._ready and self._next_sleeper() is None

    @property
    def closed(self) -> bool:
        """Whether the run is over."""
        return not self._open

    def close(self) -> None:
        """The run is over: threads that are left wait for ever, or until ``set_free``."""
        self._open, self.controlled = False, {}

    def set_free(self) -> None:
        """The process is about to end, and waits for its threads: those that wait here end, too."""
        with self._lock:
            if not self.lost:
                self.lost, self._lost_at = "it is over", Clock.now()
                for strand in self.strands:
                    strand.error = SystemExit() if strand.of_project else None
                self._set_free()

    def _set_free(self) -> None:
        for strand in self.strands:
            if strand is not self.running and not strand.ended and strand.gate.locked():
                strand.gate.release()

    def _make_ready(self, strand: Strand) -> None:
        strand.paused = False
        strand.until = None
        self._ready.append(strand)

    def _hand_over(self, strand: Strand) -> bool:
        """Give the baton to who comes next; False when that is ``strand`` itself."""
        with self._lock:
            if self._ready and self.steps < MOST_STEPS and not self.lost:
                # As ``_give`` does, without a call.
                self.steps += 1
                self.running = following = self.choose(self._ready)
                if following is strand:
                    return False
                following.gate.release()
                return True
        following = self._following()
        with self._lock:
            return not self.lost and self._give(strand, following)

    def _give(self, strand: Strand, following: Strand) -> bool:
        self.steps += 1
        self.running = following
        if following is strand:
            return False
        following.gate.release()
        return True

    def _following(self) -> Strand:
        if self.steps >= MOST_STEPS:
            return self._fail(
                Livelock(
                    f"no end after {MOST_STEPS} hand-overs between {len(self.strands)} threads"
                )
            )
        while True:
            with self._lock:
                if self._ready:
                    return self.choose(self._ready)
            sleeper = self._next_sleeper()
            if self.on_stuck(sleeper):
                continue
            if sleeper is not None:
                self._let_time_pass(sleeper)
            elif not self._woken_from_outside():
                return self._fail(Deadlock(self._who_waits()))
            if self.lost:
                return self.main

    def _next_sleeper(self) -> Strand | None:
        waiting = [strand for strand in self.strands if strand.paused and strand.until is not None]
        return min(waiting, key=lambda strand: (strand.until, strand.since), default=None)

    def _let_time_pass(self, sleeper: Strand) -> None:
        """The sleep or the timeout of ``sleeper`` is over.

        A timeout ends when nothing else can happen, and the test's own sleep is meant to wait for
        all that happens meanwhile: both come after everything before.
        """
        if sleeper.until is not None:
            self.now = max(self.now, sleeper.until)
        if sleeper is self.main or not sleeper.sleeping:
            sleeper.sees([strand.tick() for strand in self.strands])
        with self._lock:
            self._make_ready(sleeper)

    def _woken_from_outside(self) -> bool:
        """Wait a little where threads run that are not controlled; whether they woke one of ours."""
        own = set(self._by_ident)
        if all(thread.ident in own for thread in threading.enumerate()):
            return False
        over = Clock.now() + FOREIGN_PATIENCE
        while Clock.now() < over and not self._ready:
            Clock.sleep(0.01)
        if self._ready:
            self.lose("a thread that was there before the test woke one of its threads")
        return bool(self._ready)

    def _fail(self, error: BaseException) -> Strand:
        self.main.error = error
        self.main.paused = False
        return self.main

    def _who_waits(self) -> str:
        waiting = [
            f"{strand.name} waits for {strand.waits_for}"
            for strand in self.strands
            if strand.paused and strand.waits_for
        ]
        return "no thread can go on: " + ("; ".join(waiting) or "all wait for each other")


def _raise_error_of(strand: Strand) -> None:
    error, strand.error = strand.error, None
    if error is not None:
        raise error
