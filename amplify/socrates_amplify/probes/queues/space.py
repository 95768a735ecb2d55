"""The faults that the messages of task queues offer; shared by the queue probes.

A message says itself what may happen to it (``Send.offers``), since that is the queue's promise.
What may overtake what is read off the trace: a queue with several workers promises no order, so
two messages that were sent in a row may change places, unless the test waited in between. Only
messages that the test waits for afterwards are offered: a test that reads at once would rightly
see the difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from socrates_amplify.model.events import TEST, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import TASK, kind_of
from socrates_amplify.probes.space import fault_on, offered

WAIT = "queue:wait"
"""The type of the internal message that stands for a wait of the test."""


def task_faults(trace: Trace, kinds: Iterable[str]) -> list[Fault]:
    """All faults of ``kinds`` on tasks that ended well, in the order of their messages."""
    named = [(asked, kind_of(asked.partition(":")[0])) for asked in dict.fromkeys(kinds)]
    wanted = [
        (asked, kind) for asked, kind in named if TASK in kind.channels and not kind.schedules
    ]
    sends = {send.target: send for send in trace.sends if send.channel == TASK}
    handled = [
        sends[event.target]
        for event in trace.events
        if isinstance(event, Turn)
        and event.copy == 0
        and not event.failed
        and event.target in sends
    ]
    apart = {event.target for event in trace.events if isinstance(event, Turn) and event.apart}
    held = [send for send in handled if send.target not in apart]
    reordered = any(kind.changes_order for _, kind in wanted)
    next_in_line = _Overtaking(trace, held) if reordered else None
    done = {send.target for send in handled}
    faults: list[Fault] = []
    for send in sends.values():
        if send.target not in done:
            continue
        for asked, kind in wanted:
            if not kind.changes_order:
                faults.extend(offered(send, asked))
            elif next_in_line is not None and send.may(kind.name):
                other = next_in_line.after(send)
                if other is not None:
                    faults.append(fault_on(send, kind.name, other.target if kind.swaps else ""))
    return faults


def queue_of(address: str) -> str:
    """The queue in a task's address; empty for the usual one."""
    return address.rpartition("/")[0]


class _Overtaking:
    """Which message may be handled before which, in one trace.

    Only what one sender sent in a row is looked at: in which order different senders send is an
    accident of the run, and a fault must mean the same in the next one.
    """

    def __init__(self, trace: Trace, handled: list[Send]) -> None:
        places = {
            event.target: number
            for number, event in enumerate(trace.events)
            if isinstance(event, Send)
        }
        self._waits = [
            number
            for number, event in enumerate(trace.events)
            if isinstance(event, Send) and event.type == WAIT
        ]
        rows: dict[tuple[str | None, str], list[Send]] = {}
        for send in sorted(handled, key=lambda send: places[send.target]):
            if send.may("reorder"):
                rows.setdefault((send.cause, queue_of(send.receiver)), []).append(send)
        self._next: dict[str, Send] = {}
        for row in rows.values():
            for first, second in pairwise(row):
                if self._together(places[first.target], places[second.target], first.sender):
                    self._next[first.target] = second

    def after(self, send: Send) -> Send | None:
        """The message that was sent next to the same queue, if it may be handled first."""
        return self._next.get(send.target)

    def _together(self, first: int, second: int, sender: str) -> bool:
        """Whether the test waits for both, and, if it sent them, not in between."""
        between = any(first < wait < second for wait in self._waits) and sender == TEST
        return not between and any(wait > second for wait in self._waits)
