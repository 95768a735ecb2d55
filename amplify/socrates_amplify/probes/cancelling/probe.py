"""The probe for cancelled tasks: follows the tasks of an event loop from step to step.

A task that goes on after it has waited can be cancelled there: what it waited for has happened, and
it gets ``CancelledError`` in its place. That is what a client that goes away, a timeout or a
shutdown does to it. Steps are followed only where a scenario or the settings ask for them, since
there are many. The task that runs the test itself is left alone, and so are steps at which no
production code waits, but only coroutines of the tests.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates_amplify.model.events import Event, Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import STEP, Channel
from socrates_amplify.model.orders import Names
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.space import fault_on
from socrates_amplify.record.identity import digest
from socrates_amplify.record.recorder import Recorder

KIND = "cancel"
STEPS = "steps"
"""The one key of the table: whether steps are followed though no fault concerns them."""
AWAIT = "await"
_MOST = 100
"""So many steps of one place in the code are offered; more of them would say the same."""
AWAITED = "the test itself waits for what was cancelled"
_OFFER = (Offer(KIND),)


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    sort: str
    place: str

    @property
    def target(self) -> str:
        return digest(self.name, 8)


class CancellingProbe(Probe):
    """Cancels a task of the project at one of its steps."""

    name = "asyncio"
    channel: Channel = STEP

    def available(self) -> bool:
        """It is a part of Python."""
        return True

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Check the settings."""
        super().prepare(root, config)
        for key, value in config.items():
            if key != STEPS or not isinstance(value, bool):
                raise SocratesError(
                    f"[tool.socrates.amplify.asyncio]: use {STEPS} = true, or nothing"
                )

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Follow the steps of tasks if anybody asks for them."""
        planned = {fault.target: fault for fault in recorder.scenario if fault.kind == KIND}
        if not planned and not config.get(STEPS):
            return lambda: None
        if "asyncio" not in sys.modules:
            return lambda: None
        patches = Patches()
        _Followed(recorder, planned).patch(patches)

        return patches.undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """Each step of a task may be where it is cancelled."""
        if KIND not in kinds:
            return []
        steps = [send for send in trace.sends if send.channel == STEP and send.may(KIND)]
        return [fault_on(send, KIND) for send in steps]


class _Followed:
    """The steps of all tasks of one run."""

    def __init__(self, recorder: Recorder, planned: Mapping[str, Fault]) -> None:
        from socrates_amplify.probes.asyncio_tasks import AsyncioTasks

        self._recorder = recorder
        self._planned = planned
        self._tasks = AsyncioTasks()
        self._names = Names()
        self._counts: Counter[str] = Counter()

    def patch(self, patches: Patches) -> None:
        """Look at every callback that a loop is to call soon: most are steps of tasks."""
        from asyncio import base_events

        from socrates_amplify.probes.asyncio_tasks import task_of

        original: Any = base_events.BaseEventLoop.call_soon

        def call_soon(loop: Any, callback: Any, *args: Any, **rest: Any) -> Any:
            task = task_of(callback)
            if task is not None:
                self._goes_on(task, loop)
            return original(loop, callback, *args, **rest)

        patches.set(base_events.BaseEventLoop, "call_soon", call_soon)

    def _goes_on(self, task: Any, loop: Any) -> None:
        from socrates_amplify.probes.asyncio_tasks import LOOP, frame_of, place_of, sort_at

        name, frame = self._tasks.name_of(task, loop), frame_of(task)
        if (
            frame is None
            or not self._tasks.is_child(task)
            or not self._recorder.roles.is_own_frame(frame)
            or not self._is_of_production(task)
        ):
            return
        if inspect.getcoroutinestate(task.get_coro()) != inspect.CORO_SUSPENDED:
            return  # it has not begun, so it has nothing to leave behind
        sort = sort_at(AWAIT, frame)
        self._counts[sort] += 1
        if self._counts[sort] > _MOST:
            return
        step = _Step(self._names.name(name, LOOP, sort), sort, place_of(frame))
        self._recorder.append(self._events(name, step))
        fault = self._planned.get(step.target)
        if fault is not None:
            task.cancel()
            self._recorder.applied_throughout(fault)
            self._recorder.unjudged["CancelledError"] = AWAITED

    def _is_of_production(self, task: Any) -> bool:
        """Whether production code waits here: what a coroutine of the test leaves behind proves nothing."""
        from socrates_amplify.probes.asyncio_tasks import frames_of

        roles = self._recorder.roles
        return any(
            roles.role(frame.f_code.co_filename, str(frame.f_globals.get("__name__", "")))
            == "production"
            for frame in frames_of(task)
        )

    def _events(self, name: str, step: _Step) -> list[Event]:
        from socrates_amplify.probes.asyncio_tasks import LOOP

        send = Send(
            target=step.target,
            sender=name,
            receiver=LOOP,
            message=f"{AWAIT} at {step.place}",
            digest="",
            cause=None,
            type=step.sort,
            offers=_OFFER,
            channel=STEP,
        )
        return [send, Turn(LOOP, step.target)]
