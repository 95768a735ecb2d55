"""Event loops of a controlled run: virtual time, and sleeps of tasks that end in a forced order.

What is ready in a loop runs in the order that ``call_soon`` promises, unless ``every`` order is
asked for: then tasks that are ready together change places, too. Which of two sleeps that are
under way ends first is an accident of timing, unless the test's own file has started one of them.
A timeout ends only when nothing else can happen.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from asyncio import base_events, events, selector_events
from collections.abc import Callable
from types import FrameType
from typing import Any

from socrates_amplify.model.events import Offer
from socrates_amplify.model.orders import SLEEP, Names, forced, is_then, then
from socrates_amplify.probes.asyncio_tasks import (
    LOOP,
    AsyncioTasks,
    frame_of,
    place_of,
    sort_at,
    task_of,
)
from socrates_amplify.probes.noticing import has_own_clock, sleeper_of
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.holds import KIND, Holds
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.pools import is_task_of_pool
from socrates_amplify.probes.orders.strands import Moment, Operation, Strand, saw
from socrates_amplify.probes.patching import Patches

GO_ON = "step"
"""What a task does that goes on, or begins, because it is ready."""
GO_ON_AT = f">{LOOP} {GO_ON}@"
"""What stands in the name of such a step, and of no other one."""


_NEAREST, _MOST = 3, 200
"""With so many later sleeps a sleep is compared, and so many sleeps of a run."""

CALLS, CALL, RESULT = "loops", "call", "result"
"""Two threads may have loops call something in either order; a task of a pool does so with its result."""


def _calls_from_outside(strand: Strand, loop: Any) -> bool:
    """Whether this is a thread of the project, or a task of a pool, and not the one that runs the loop."""
    outside = getattr(loop, "_thread_id", None) != threading.get_ident()
    return outside and (strand.of_project or is_task_of_pool(strand.name))


class LoopControl:
    """The loops of one run, and the sleeps of their tasks."""

    def __init__(
        self, baton: Baton, holds: Holds, operations: Operations, test_file: str, every: bool
    ) -> None:
        self._baton = baton
        self._holds = holds
        self._operations = operations
        self._test_file = test_file
        self._every = every
        self._names = Names()
        self._tasks = AsyncioTasks()
        self._strands: dict[str, Strand] = {}
        self._begun: dict[events.Handle, Operation] = {}
        """Sleeps that have begun, and steps of tasks that are ready."""
        self._called: dict[events.Handle, Moment] = {}
        """What threads have a loop call, and when they said so."""
        self._over: dict[int, int] = {}
        self._held: list[tuple[Any, events.Handle]] = []
        self._run: Callable[[Any], None] = events.Handle._run
        self._ended: list[tuple[Any, Operation]] = []
        """The sleeps that are over, each with its loop."""
        self._waiting: dict[object, Strand] = {}

    def patch(self, patches: Patches) -> None:
        """Control every loop that is made from now on."""
        loops: Any = selector_events.BaseSelectorEventLoop
        original_init, original_write = loops.__init__, loops._write_to_self
        original_at: Callable[..., events.TimerHandle] = base_events.BaseEventLoop.call_at
        original_soon: Callable[..., events.Handle] = base_events.BaseEventLoop.call_soon
        original_create: Callable[..., Any] = base_events.BaseEventLoop.create_task
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

        def create_task(loop: Any, *args: Any, **rest: Any) -> Any:
            task = original_create(loop, *args, **rest)
            control._tasks.name_of(task, loop)
            return task

        def call_soon(loop: Any, callback: Any, *args: Any, **rest: Any) -> Any:
            handle = original_soon(loop, callback, *args, **rest)
            task = task_of(callback)
            if task is not None and control._baton.here() is not None:
                control._is_ready(loop, handle, task)
            return handle

        def run(handle: Any) -> None:
            if handle in control._called:
                control._sees_caller(handle)
            if handle in control._begun and control._is_held(handle):
                return
            original_run(handle)

        if self._every:
            patches.set(base_events.BaseEventLoop, "call_soon", call_soon)
        self._patch_calls(patches)
        patches.set(base_events.BaseEventLoop, "create_task", create_task)
        patches.set(loops, "__init__", init)
        patches.set(loops, "_write_to_self", write_to_self)
        patches.set(base_events.BaseEventLoop, "call_at", call_at)
        patches.set(events.Handle, "_run", run)

    def _patch_calls(self, patches: Patches) -> None:
        """Have what threads hand over to loops come in a forced order."""
        original: Callable[..., events.Handle] = base_events.BaseEventLoop.call_soon_threadsafe
        baton, operations, called = self._baton, self._operations, self._called

        def call_soon_threadsafe(loop: Any, *args: Any, **rest: Any) -> Any:
            def call() -> Any:
                return original(loop, *args, **rest)

            strand = baton.here()
            if strand is None or not _calls_from_outside(strand, loop):
                return call()
            what = RESULT if is_task_of_pool(strand.name) else CALL
            handle = operations.hand_over(CALLS, what, call)
            called[handle] = strand.tick()
            return handle

        patches.set(base_events.BaseEventLoop, "call_soon_threadsafe", call_soon_threadsafe)

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
        user = None if has_own_clock(loop) else sleeper_of(callback, frame)
        if user is None or user.f_code.co_filename == self._test_file:
            return
        if user.f_code.co_filename == __file__:
            return  # a task that is nothing but ``asyncio.sleep(...)``: no code of anybody's is behind it
        self._note(handle, self._strand_of(asyncio.current_task(loop)), SLEEP, user)

    def _is_ready(self, loop: Any, handle: events.Handle, task: asyncio.Task[Any]) -> None:
        """A task goes on as soon as it is its turn. The test's own task keeps its place."""
        self._tasks.name_of(task, loop)
        frame = frame_of(task)
        if self._tasks.is_child(task) and self._operations.is_own(frame) and frame is not None:
            self._note(handle, self._strand_of(task), GO_ON, frame)

    def _note(self, handle: events.Handle, strand: Strand, what: str, frame: FrameType) -> None:
        name = self._names.name(strand.name, LOOP, sort_at(what, frame))
        start = Moment(strand.number, strand.own, dict(self._over))
        self._begun[handle] = Operation(name, strand, LOOP, what, place_of(frame), start)

    def _strand_of(self, task: asyncio.Task[Any] | None) -> Strand:
        """What stands for a task among those that sleep or are ready."""
        name = self._tasks.name_of(task)
        if name not in self._strands:
            self._strands[name] = Strand(self._baton.number(), name)
        return self._strands[name]

    def _sees_caller(self, handle: events.Handle) -> None:
        moment, strand = self._called.pop(handle), self._baton.here()
        if strand is not None:
            strand.sees((moment,))

    def _is_held(self, handle: events.Handle) -> bool:
        """Whether this sleep must not end yet, or this task not go on; if it may, it does now."""
        if self._baton.here() is None:
            return False
        begun = self._begun[handle]
        loop: Any = handle._loop  # type: ignore[attr-defined]
        kept = self._kept(begun)
        if kept:
            self._held.append((loop, handle))
            if is_then(kept):  # the sleep itself is over
                self._holds.finish(begun.name)
                self._look_again()
            return True
        if self._held:
            self._go_on_with(loop, begun)
        self._end(loop, handle)
        self._look_again()
        return False

    def _kept(self, begun: Operation) -> str:
        """What a scenario holds: a sleep, or what follows it; empty for neither."""
        names = (begun.name, then(begun.name)) if self._holds.any else ()
        return next(filter(self._holds.holds, names), "")

    def _end(self, loop: Any, handle: events.Handle) -> None:
        begun = self._begun.pop(handle)
        begun.own = begun.strand.tick().own
        self._over[begun.strand.number] = begun.own
        self._operations.note(begun)
        if begun.what == SLEEP:
            self._ended.append((loop, begun))
            self._holds.handle(then(begun.name), None)

    def _go_on_with(self, loop: Any, begun: Operation) -> None:
        """What follows other sleeps may go on now that ``begun`` is over: first, and in the same round."""
        late = [
            one for one in self._held if one[0] is loop and is_then(self._kept(self._begun[one[1]]))
        ]
        if late:
            self._holds.finish(begun.name)
        for one in late:
            handle: Any = one[1]
            if not self._kept(self._begun[handle]):
                self._held.remove(one)
                self._end(loop, handle)
                if not handle._cancelled:
                    self._run(handle)

    def _look_again(self) -> None:
        for one in list(self._held):
            loop, handle = one
            if not self._kept(self._begun[handle]):
                self._held.remove(one)
                loop._ready.append(handle)

    def offers(self) -> dict[str, tuple[Offer, ...]]:
        """By target: what follows a sleep could have waited until the next sleep was over, too.

        Both are then over in one round of the loop, and their tasks go on before what they wake.
        """
        offers: dict[str, tuple[Offer, ...]] = {}
        for position, (loop, first) in enumerate(self._ended[:_MOST]):
            for other, second in self._ended[position + 1 : position + 1 + _NEAREST]:
                seen = saw(second.start, first.start.strand, first.own)
                if other is loop and not seen:
                    offers[first.target] = (Offer(KIND, forced(then(first.name), second.name)),)
                    break
        return offers

    def _let_go(self, loop: Any) -> bool:
        """Nothing in ``loop`` can go on: let the first go that is held, unless a sleep ends before."""
        held = [handle for one, handle in self._held if one is loop]
        pending = [timer for timer in loop._scheduled if not timer._cancelled]
        following = min(pending, default=None)
        if not held or (following is not None and following in self._begun):
            return False
        self._holds.drop(self._kept(self._begun[held[0]]))
        self._look_again()
        return True
