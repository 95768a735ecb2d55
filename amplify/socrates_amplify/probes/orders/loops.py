"""Event loops of a controlled run: virtual time, and sleeps of tasks that end in a forced order.

What is ready in a loop runs in the order that ``call_soon`` promises. Which of two sleeps that are
under way ends first is an accident of timing, unless the test's own file has started one of them.
A timeout ends only when nothing else can happen.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import base_events, events, selector_events
from collections import Counter
from collections.abc import Callable
from pathlib import PurePath
from types import FrameType
from typing import Any

from socrates_amplify.model.orders import SLEEP, Names, step_sort
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.holds import Holds
from socrates_amplify.probes.orders.noticing import sleeper_of
from socrates_amplify.probes.orders.operations import Operation, Operations
from socrates_amplify.probes.orders.strands import Moment, Strand
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.index import site_of

LOOP = "loop"


class LoopControl:
    """The loops of one run, and the sleeps of their tasks."""

    def __init__(self, baton: Baton, holds: Holds, operations: Operations, test_file: str) -> None:
        self._baton = baton
        self._holds = holds
        self._operations = operations
        self._test_file = test_file
        self._names = Names()
        self._counts: Counter[str] = Counter()
        self._tasks: dict[object, Strand] = {}
        self._sleeps: dict[events.TimerHandle, Operation] = {}
        self._over: dict[int, int] = {}
        self._held: list[tuple[Any, events.TimerHandle]] = []
        self._waiting: dict[object, Strand] = {}

    def patch(self, patches: Patches) -> None:
        """Control every loop that is made from now on."""
        loops: Any = selector_events.BaseSelectorEventLoop
        original_init, original_write = loops.__init__, loops._write_to_self
        original_at: Callable[..., events.TimerHandle] = base_events.BaseEventLoop.call_at
        original_run = events.Handle._run
        control = self

        def init(loop: Any, selector: Any = None) -> None:
            original_init(loop, selector)
            loop._selector.select = control._select(loop, loop._selector.select)

        def write_to_self(loop: Any) -> None:
            original_write(loop)
            waiting = control._waiting.get(loop)
            if waiting is not None:
                control._baton.wake(waiting)

        def call_at(loop: Any, when: float, callback: Any, *args: Any, **rest: Any) -> Any:
            handle = original_at(loop, when, callback, *args, **rest)
            if control._baton.here() is not None:
                control._begin(loop, handle, callback, sys._getframe(1))
            return handle

        def run(handle: Any) -> None:
            if isinstance(handle, events.TimerHandle) and control._is_held(handle):
                return
            original_run(handle)

        patches.set(loops, "__init__", init)
        patches.set(loops, "_write_to_self", write_to_self)
        patches.set(base_events.BaseEventLoop, "call_at", call_at)
        patches.set(events.Handle, "_run", run)

    def _select(self, loop: Any, real: Callable[..., Any]) -> Callable[..., Any]:
        baton = self._baton

        def select(timeout: float | None = None) -> Any:
            strand, found = baton.here(), real(0)
            if found or (timeout is not None and timeout <= 0):
                return found
            if strand is None:
                return real(timeout)
            if len(loop._selector.get_map()) > 1:
                baton.lose("an event loop waits for a socket or a process")
                return real(timeout)
            if self._let_go(loop):
                return found
            self._waiting[loop] = strand
            try:
                baton.pause(strand, timeout)
            finally:
                del self._waiting[loop]
            return real(0)

        return select

    def _begin(
        self, loop: Any, handle: events.TimerHandle, callback: Any, frame: FrameType
    ) -> None:
        """A sleep begins: remember who sleeps. Other timers are timeouts, which are not forced."""
        user = sleeper_of(callback, frame)
        if user is None or user.f_code.co_filename == self._test_file:
            return
        strand = self._strand_of(loop)
        site = site_of(user.f_code, user.f_lasti)
        name = self._names.name(strand.name, LOOP, step_sort(SLEEP, site))
        place = f"{PurePath(user.f_code.co_filename).name}:{user.f_lineno}"
        start = Moment(strand.number, strand.own, dict(self._over))
        self._sleeps[handle] = Operation(name, strand, LOOP, SLEEP, place, start)

    def _strand_of(self, loop: Any) -> Strand:
        """What stands for the current task among those that sleep."""
        task = asyncio.current_task(loop)
        known = self._tasks.get(task)
        if known is None:
            told = getattr(task.get_coro(), "__qualname__", "task") if task else "callback"
            stem = told.rpartition("<locals>.")[2].replace(" ", "").strip("<>")
            self._counts[stem] += 1
            # Numbers below zero, for the strands of threads have the others.
            known = Strand(-1 - len(self._tasks), f"{stem}#{self._counts[stem]}")
            self._tasks[task] = known
        return known

    def _is_held(self, handle: events.TimerHandle) -> bool:
        """Whether this sleep must not end yet; if it may, it ends now."""
        sleep = self._sleeps.get(handle)
        if sleep is None or self._baton.here() is None:
            return False
        if self._holds.holds(sleep.name):
            self._held.append((handle._loop, handle))  # type: ignore[attr-defined]
            return True
        del self._sleeps[handle]
        sleep.own = sleep.strand.tick().own
        self._over[sleep.strand.number] = sleep.own
        self._operations.note(sleep)
        self._look_again()
        return False

    def _look_again(self) -> None:
        for one in list(self._held):
            loop, handle = one
            if not self._holds.holds(self._sleeps[handle].name):
                self._held.remove(one)
                loop._ready.append(handle)

    def _let_go(self, loop: Any) -> bool:
        """Nothing in ``loop`` can go on: end the first sleep that is held, unless others end before."""
        held = [handle for one, handle in self._held if one is loop]
        pending = [timer for timer in loop._scheduled if not timer._cancelled]
        following = min(pending, default=None)
        if not held or (following is not None and following in self._sleeps):
            return False
        self._holds.drop(self._sleeps[held[0]].name)
        self._look_again()
        return True
