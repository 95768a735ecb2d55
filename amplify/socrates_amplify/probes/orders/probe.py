"""The probe for orders: runs a test under control where its scenario has a fault of this kind."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Mapping

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import named_sends, pair_of, told_order
from socrates_amplify.originals import Process
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.holds import KIND, Holds
from socrates_amplify.probes.orders.inbox import Inboxes, patch_pykka
from socrates_amplify.probes.orders.locks import patch_locks
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.shared import patch_shared
from socrates_amplify.probes.orders.threads import ThreadControl
from socrates_amplify.probes.orders.virtual_time import patch_time
from socrates_amplify.probes.orders.watchdog import watch
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.recorder import Recorder

UNFORCED = Fault(KIND, KIND, message="one thread at a time, nothing held back")
"""The run under control in which every message is handled in the order in which it was sent."""


class OrdersProbe(Probe):
    """Controls threads, clocks and inboxes; without a fault of its kind it does nothing."""

    name = "orders"

    def available(self) -> bool:
        """Threads are always there."""
        return True

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Take control if the scenario asks for it, until the returned function is called."""
        holds = Holds(recorder)
        if not holds.faults:
            return lambda: None
        baton = Baton()
        inboxes = Inboxes(baton, holds)
        operations = Operations(baton, holds)
        baton.on_stuck = lambda sleeper: inboxes.let_go(sleeper) or operations.let_go(sleeper)
        patches = Patches()
        watch(baton)
        if hasattr(Process, "after_fork"):
            Process.after_fork(lambda: baton.lose("it is another process"))
        patch_locks(patches, baton, operations)
        patch_shared(patches, baton, operations)
        ThreadControl(baton, operations).patch(patches)
        if "pykka" in sys.modules:
            patch_pykka(patches, inboxes)
        if "asyncio" in sys.modules:
            from socrates_amplify.probes.orders.loops import LoopControl

            LoopControl(baton, holds, operations, recorder.test_file).patch(patches)
        patch_time(patches, baton, operations)

        def undo() -> None:
            baton.close()
            patches.undo()
            holds.settle(baton.lost)
            recorder.offer_late(inboxes.receives.offers())
            recorder.append(operations.events())
            threading._register_atexit(baton.set_free)  # type: ignore[attr-defined]

        return undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """What a run under control offers; of any other run, that it be run under control."""
        if KIND not in kinds:
            return []
        sends = named_sends(trace)
        faults: list[Fault] = []
        for name, send in sends.items():
            for offer in send.offers:
                pair = pair_of(offer.detail) if offer.kind == KIND else None
                if pair is None or pair[1] != name or send.internal:
                    continue
                other = sends.get(pair[0])
                if other is not None and not other.internal:
                    told = told_order(send, other, offer.detail)
                    ends = (send.sender, send.receiver)
                    faults.append(Fault(send.target, KIND, *ends, told, offer.detail))
        return faults or [UNFORCED]
