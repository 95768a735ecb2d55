"""The faults that the messages of task queues offer; shared by the queue probes.

A message says itself what may happen to it (``Send.offers``), since that is the queue's promise.
What may overtake what is read off the trace: a queue with several workers promises no order, so
two messages may change places unless one led to the other, or the test waited in between. Only
messages that the test waits for afterwards are offered: a test that reads at once would rightly
see the difference.
"""

from __future__ import annotations

from collections.abc import Iterable

from socrates_amplify.events import TEST, Send, Trace, Turn
from socrates_amplify.faults import Fault

LATER = ("delay", "reorder")
"""Kinds that change when a message is handled."""

WAIT = "queue:wait"
"""The type of the internal message that stands for a wait of the test."""


def task_faults(trace: Trace, kinds: Iterable[str]) -> list[Fault]:
    """All faults of ``kinds`` on tasks that ended well, in the order of their messages."""
    wanted = list(dict.fromkeys(kinds))
    sends = {send.target: send for send in trace.sends if send.queued}
    handled = [
        sends[event.target]
        for event in trace.events
        if isinstance(event, Turn)
        and event.copy == 0
        and not event.failed
        and event.target in sends
    ]
    next_in_line = _Overtaking(trace, handled) if set(LATER) & set(wanted) else None
    done = {send.target for send in handled}
    faults: list[Fault] = []
    for send in sends.values():
        if send.target not in done:
            continue
        offered = send.offers.split(",")
        for kind in wanted:
            if kind not in offered:
                continue
            if kind not in LATER:
                faults.append(_fault(send, kind))
            elif next_in_line is not None and (other := next_in_line.after(send)) is not None:
                faults.append(_fault(send, kind, other.target if kind == "reorder" else ""))
    return faults


def _fault(send: Send, kind: str, detail: str = "") -> Fault:
    return Fault(
        send.target, kind, send.sender, send.receiver, send.message, detail, slot=send.slot
    )


def queue_of(address: str) -> str:
    """The queue in a task's address; empty for the usual one."""
    return address.rpartition("/")[0]


class _Overtaking:
    """Which message may be handled before which, in one trace."""

    def __init__(self, trace: Trace, handled: list[Send]) -> None:
        self._place = {
            event.target: number
            for number, event in enumerate(trace.events)
            if isinstance(event, Send)
        }
        self._waits = [
            number
            for number, event in enumerate(trace.events)
            if isinstance(event, Send) and event.type == WAIT and event.sender == TEST
        ]
        self._causes = {send.target: send.cause for send in trace.sends}
        self._lines: dict[str, list[Send]] = {}
        for send in handled:
            self._lines.setdefault(queue_of(send.receiver), []).append(send)

    def after(self, send: Send) -> Send | None:
        """The message that was handled next in the same queue, if it could have been first."""
        line = self._lines[queue_of(send.receiver)]
        position = line.index(send)
        following = line[position + 1 : position + 2]
        if not following or self._led_to(send, following[0]):
            return None
        first, second = sorted((self._place[send.target], self._place[following[0].target]))
        if any(first < wait < second for wait in self._waits):
            return None
        return following[0] if any(wait > second for wait in self._waits) else None

    def _led_to(self, send: Send, other: Send) -> bool:
        cause = other.cause
        while cause is not None and cause != send.target:
            cause = self._causes.get(cause)
        return cause is not None
