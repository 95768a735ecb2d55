"""Takes control of a run: threads, locks, queues, clocks, inboxes, tasks and loops under one baton."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.originals import Process
from socrates_amplify.probes.base import Undo
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.earlier import names, objects
from socrates_amplify.probes.orders.holds import Holds
from socrates_amplify.probes.orders.inbox import Inboxes, patch_pykka
from socrates_amplify.probes.orders.limits import out_of_reach, patch_limits
from socrates_amplify.probes.orders.locks import makers, patch_locks
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.pools import patch_pools
from socrates_amplify.probes.orders.shared import patch_shared
from socrates_amplify.probes.orders.tasks import TaskOrder
from socrates_amplify.probes.orders.threads import ThreadControl
from socrates_amplify.probes.orders.virtual_time import patch_time
from socrates_amplify.probes.orders.watchdog import watch
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.queues.line import ControlledLine
from socrates_amplify.record.notices import said
from socrates_amplify.record.recorder import Recorder

if TYPE_CHECKING:
    from socrates_amplify.probes.orders.loops import LoopControl


def take_control(recorder: Recorder, in_process: bool, every: bool) -> Undo:
    """Run one thread at a time until the returned function is called, as the scenario says.

    With ``in_process``, only orders that one process can show count; with ``every``, tasks of asyncio
    need not keep the order that ``call_soon`` promises.
    """
    holds = Holds(recorder)
    lost = out_of_reach()
    if lost:
        return lambda: holds.settle(lost)
    recorder.controlled = True
    baton = Baton()
    chance = Chance.of(holds.faults)
    if chance is not None:
        baton.choose = chance.choose
    inboxes = Inboxes(baton, holds, recorder.advance, chance, in_process)
    operations = Operations(baton, holds, recorder.roles)
    tasks = TaskOrder(baton, holds, recorder, chance, inboxes.causal)
    tasks.operations = operations
    baton.on_stuck = lambda sleeper: any(
        each.let_go(sleeper) for each in (inboxes, tasks, operations)
    )
    baton.on_lost = holds.settle
    watch(baton)
    if hasattr(Process, "after_fork"):
        Process.after_fork(lambda: baton.lose("it is another process"))
    patches = Patches()
    offering = [inboxes.offers, tasks.offers]
    try:
        _patch_threads(patches, recorder, baton, operations)
        if "pykka" in sys.modules:
            patch_pykka(patches, inboxes)
        if "asyncio" in sys.modules:
            loops = _control_loops(baton, holds, operations, recorder.test_file, every)
            loops.patch(patches)
            offering.append(loops.offers)
        leave_clocks = patch_time(patches, baton, operations, recorder.roles)
    except Exception as error:
        # The test runs as it would without us, so nothing may be left of what was replaced.
        baton.close()
        patches.undo()
        recorder.controlled = False
        holds.settle(f"control could not be taken: {without_secrets(said(error))}")
        raise
    line = ControlledLine.of(recorder)
    if line is not None:
        line.by, recorder.at_end = tasks, tasks.end_of_test

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


def _patch_threads(
    patches: Patches, recorder: Recorder, baton: Baton, operations: Operations
) -> None:
    patch_limits(patches, baton)
    known = names.originals()
    patch_locks(patches, baton, operations)
    modules = names.own_modules(recorder.roles)
    names.follow(patches, known, modules)
    objects.renew(patches, modules, recorder.roles, makers(baton, operations))
    patch_shared(patches, baton, operations)
    patch_pools(patches, baton, operations)
    ThreadControl(baton, operations).patch(patches)


def _control_loops(
    baton: Baton, holds: Holds, operations: Operations, test_file: str, every: bool
) -> LoopControl:
    from socrates_amplify.probes.orders.loops import GO_ON_AT, LoopControl

    forced = any(GO_ON_AT in fault.detail for fault in holds.faults)
    return LoopControl(baton, holds, operations, test_file, every or forced)
