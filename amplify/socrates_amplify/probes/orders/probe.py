"""The probe for orders: runs a test under control where its scenario has a fault of this kind."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from socrates.errors import SocratesError
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import MESSAGE
from socrates_amplify.model.orders import (
    has_place,
    named_sends,
    pair_of,
    races,
    told_order,
    unforced,
    without_then,
)
from socrates_amplify.originals import Process
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.orders import clock_names
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.earlier import names, objects
from socrates_amplify.probes.orders.holds import KIND, Holds
from socrates_amplify.probes.orders.inbox import Inboxes, patch_pykka
from socrates_amplify.probes.orders.limits import out_of_reach, patch_limits
from socrates_amplify.probes.orders.locks import makers, patch_locks
from socrates_amplify.probes.orders.noticing import notice_strands
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.pools import patch_pools
from socrates_amplify.probes.orders.shared import patch_shared
from socrates_amplify.probes.orders.tasks import TaskOrder
from socrates_amplify.probes.orders.threads import ThreadControl
from socrates_amplify.probes.orders.virtual_time import patch_time
from socrates_amplify.probes.orders.watchdog import watch
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.queues.line import ControlledLine
from socrates_amplify.record.recorder import Recorder

if TYPE_CHECKING:
    from socrates_amplify.probes.orders.loops import LoopControl

UNFORCED = unforced()
"""The run under control in which every message is handled in the order in which it was sent."""

DELIVERY, PROMISED, IN_PROCESS = "delivery", "promised", "in-process"
"""A setting: orders that no promise excludes, or only those that one process can show."""
TRIED, ALL = "tried", "all"
"""A setting: whether tasks of asyncio keep the order that ``call_soon`` promises."""
_VALUES = {DELIVERY: (PROMISED, IN_PROCESS), TRIED: (PROMISED, ALL)}


class OrdersProbe(Probe):
    """Controls threads, clocks and inboxes; without a fault of its kind it does nothing."""

    name = "orders"

    def available(self) -> bool:
        """Threads are always there."""
        return True

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Check the settings."""
        super().prepare(root, config)
        _check(config)

    def warm_up(self) -> None:
        """Look for clocks, too."""
        super().warm_up()
        clock_names.remember()

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Take control if the scenario asks for it, until the returned function is called."""
        holds = Holds(recorder)
        if not holds.faults:
            noticed = Patches()
            notice_strands(noticed, recorder, _tried(config) == ALL)
            return noticed.undo
        lost = out_of_reach()
        if lost:
            return lambda: holds.settle(lost)
        recorder.controlled = True
        baton = Baton()
        chance = Chance.of(holds.faults)
        if chance is not None:
            baton.choose = chance.choose
        in_process = _delivery(config) == IN_PROCESS
        inboxes = Inboxes(baton, holds, recorder.advance, chance, in_process)
        operations = Operations(baton, holds, recorder.roles)
        tasks = TaskOrder(baton, holds, recorder, chance, inboxes.causal)
        tasks.operations = operations
        line = ControlledLine.of(recorder)
        if line is not None:
            line.by, recorder.at_end = tasks, tasks.end_of_test
        baton.on_stuck = lambda sleeper: any(
            each.let_go(sleeper) for each in (inboxes, tasks, operations)
        )
        patches = Patches()
        watch(baton)
        if hasattr(Process, "after_fork"):
            Process.after_fork(lambda: baton.lose("it is another process"))
        patch_limits(patches, baton)
        known = names.originals()
        patch_locks(patches, baton, operations)
        modules = names.own_modules(recorder.roles)
        names.follow(patches, known, modules)
        objects.renew(patches, modules, recorder.roles, makers(baton, operations))
        patch_shared(patches, baton, operations)
        patch_pools(patches, baton, operations)
        ThreadControl(baton, operations).patch(patches)
        offering = [inboxes.offers, tasks.offers]
        if "pykka" in sys.modules:
            patch_pykka(patches, inboxes)
        if "asyncio" in sys.modules:
            loops = _control_loops(baton, holds, operations, recorder.test_file, _tried(config))
            loops.patch(patches)
            offering.append(loops.offers)
        leave_clocks = patch_time(patches, baton, operations)

        def undo() -> None:
            baton.close()
            leave_clocks()
            patches.undo()
            holds.settle(baton.lost)
            tasks.settle()
            for offers in offering:
                recorder.offer_late(offers())
            recorder.append(operations.events())
            threading._register_atexit(baton.set_free)  # type: ignore[attr-defined]

        return undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """What a run under control offers; of any other run, that it be run under control."""
        if KIND not in kinds:
            return []
        if not any(offer.kind == KIND for send in trace.sends for offer in send.offers):
            return [UNFORCED] if _may_have_orders(trace) else []
        sends = named_sends(trace)
        faults: list[Fault] = []
        for name, send in sends.items():
            for offer in send.offers:
                pair = pair_of(offer.detail) if offer.kind == KIND else None
                if pair is None or without_then(pair[1]) != name or not has_place(send):
                    continue
                other = sends.get(pair[0])
                if other is not None and has_place(other):
                    told = told_order(send, other, offer.detail)
                    ends = (send.sender, send.receiver)
                    faults.append(Fault(send.target, KIND, *ends, told, offer.detail))
        return faults


def _control_loops(
    baton: Baton, holds: Holds, operations: Operations, test_file: str, tried: str
) -> LoopControl:
    from socrates_amplify.probes.orders.loops import GO_ON_AT, LoopControl

    every = tried == ALL or any(GO_ON_AT in fault.detail for fault in holds.faults)
    return LoopControl(baton, holds, operations, test_file, every)


def _delivery(config: Mapping[str, object]) -> str:
    """What the settings say of messages between actors."""
    return str(config.get(DELIVERY, PROMISED))


def _tried(config: Mapping[str, object]) -> str:
    """What the settings say of tasks that are ready together."""
    return str(config.get(TRIED, PROMISED))


def _check(config: Mapping[str, object]) -> None:
    """Raises SocratesError for what is no setting, or no value of one."""
    for key, found in config.items():
        if key not in _VALUES:
            known = " or ".join(_VALUES)
            raise SocratesError(f"[tool.socrates.amplify.orders]: unknown key {key!r}; use {known}")
        if found not in _VALUES[key]:
            raise SocratesError(
                f"[tool.socrates.amplify.orders]: {key} is {found!r}; use {' or '.join(_VALUES[key])}"
            )


def _may_have_orders(trace: Trace) -> bool:
    """Whether it races, or an actor got something after a message that may come twice, and so late."""
    return races(trace) or _may_come_late(trace)


def _may_come_late(trace: Trace) -> bool:
    repeatable: set[str] = set()
    for event in trace.events:
        if isinstance(event, Send) and event.channel == MESSAGE and has_place(event):
            if event.receiver in repeatable:
                return True
            if event.at_least_once:
                repeatable.add(event.receiver)
    return False
