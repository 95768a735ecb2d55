"""Messages held back on their way to an inbox: how ``drop``, ``delay`` and ``reorder`` are done.

A held message keeps back all later ones of the same sender to the same receiver, so the order
that the framework promises is never broken. Others pass.

- ``reorder`` waits for one certain message of another sender, and goes in right behind it.
- ``delay`` waits for any message of another sender, and goes in behind it.
- ``drop`` is lost for now, and is delivered again a little later.

A wait that nothing ends is given up after a while: the message is delivered, the fault counts as
not applied, and the run as unresolved.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Fault
from socrates_amplify.originals import Clock, Threads
from socrates_amplify.record.messages import Message, address_of
from socrates_amplify.record.recorder import Recorder

LATE = ("delay", "reorder")
"""Kinds that wait for another message; in a run under control its inboxes do that, and no clock."""
KINDS = ("drop", *LATE)

REDELIVERY = 0.05
"""Seconds until a dropped message is delivered again."""
PATIENCE = 0.5
"""Seconds until a message stops waiting to be overtaken."""


@dataclass(slots=True, eq=False)
class _Held:
    sent: Message
    sender: str
    put: Callable[[], None]
    fault: Fault | None
    until: float


class DelayedMessages:
    """The messages that are held back in one run, by receiver."""

    def __init__(self, recorder: Recorder, kinds: Sequence[str] = KINDS) -> None:
        self._recorder = recorder
        self._kinds = kinds
        self._queues: dict[str, list[_Held]] = {}
        self._lock = Threads.RLock()
        self._changed = Threads.Condition(self._lock)
        self._closed = False
        self._clock: threading.Thread | None = None

    def send(self, inbox: str, sent: Message, put: Callable[[], None]) -> None:
        """Put a message in ``inbox`` now or later, and whatever was waiting for it behind it."""
        sender = address_of(sent.context)
        fault = next((fault for fault in sent.faults if fault.kind in self._kinds), None)
        with self._lock:
            queue = self._queues.setdefault(inbox, [])
            behind = any(held.sender == sender for held in queue)
            if fault is None and not behind:
                put()
                self._passed(inbox, sent)
                return
            patience = REDELIVERY if fault and fault.kind == "drop" else PATIENCE
            queue.append(_Held(sent, sender, put, fault, Clock.now() + patience))
            if fault is not None and fault.kind == "drop":
                self._recorder.injected(sent, fault)
            self._start_clock()

    def let_go(self, inbox: str) -> None:
        """Deliver all that is held for ``inbox``: a stop is on its way."""
        with self._lock:
            while self._queues.get(inbox):
                self._release(inbox, 0, "its receiver was stopped first")

    def close(self) -> None:
        """Deliver everything; the run is over."""
        with self._lock:
            for inbox in list(self._queues):
                self.let_go(inbox)
            self._closed = True
            self._changed.notify_all()

    def _passed(self, inbox: str, sent: Message) -> None:
        """``sent`` went in: release what waited to be overtaken by it."""
        queue = self._queues[inbox]
        for held in self._waiting(inbox):
            fault = held.fault
            if fault is None or held not in queue:
                continue
            if fault.kind == "delay" or (fault.kind == "reorder" and fault.detail == sent.target):
                self._recorder.injected(held.sent, fault)
                held.fault = None
                self._release(inbox, queue.index(held), "")

    def _release(self, inbox: str, position: int, why_not: str) -> None:
        """Deliver a held message and those of its sender behind it, up to the next faulted one."""
        queue = self._queues[inbox]
        first = queue.pop(position)
        self._deliver(first, why_not)
        for held in list(queue):
            if held.sender != first.sender or held not in queue:
                continue
            if held.fault is not None:
                # Its own wait begins now: until here it could not have been overtaken.
                patience = REDELIVERY if held.fault.kind == "drop" else PATIENCE
                held.until = Clock.now() + patience
                break
            queue.remove(held)
            self._deliver(held, "")
            self._passed(inbox, held.sent)

    def _deliver(self, held: _Held, why_not: str) -> None:
        if held.fault is not None and held.fault.kind != "drop":
            self._recorder.not_applied(held.fault, why_not)
        held.put()

    def _start_clock(self) -> None:
        if self._clock is None:
            self._clock = Threads.Thread(target=self._tick, name="socrates-clock", daemon=True)
            self._clock.start()
        self._changed.notify_all()

    def _tick(self) -> None:
        with self._lock:
            while not self._closed:
                for inbox in self._queues:
                    waiting = self._waiting(inbox)
                    if waiting and waiting[0].until <= Clock.now():
                        position = self._queues[inbox].index(waiting[0])
                        self._release(inbox, position, "nothing overtook it")
                times = [held.until for inbox in self._queues for held in self._waiting(inbox)]
                self._changed.wait(max(min(times) - Clock.now(), 0.0) if times else None)

    def _waiting(self, inbox: str) -> list[_Held]:
        """The first held message of each sender, the one whose time is over soonest first."""
        firsts: dict[str, _Held] = {}
        for held in self._queues[inbox]:
            firsts.setdefault(held.sender, held)
        return sorted(firsts.values(), key=lambda held: held.until)
