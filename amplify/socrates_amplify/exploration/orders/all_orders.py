"""Every order of a test's messages, where there are few of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from socrates_amplify.exploration.orders.goals import Goals, hold
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import STEP, TASK
from socrates_amplify.model.orders import SLEEP, Schedule, is_step, named_sends, order_kind

MOST_PAIRS = 4
"""With more free pairs than these, orders are too many to ask for all of them."""
MOST = 24
"""So many orders are asked for at most."""


class AllOrders:
    """Asks for each order of a receiver's messages that differs by one exchange from one that was seen.

    Exchanges of neighbours lead from each order to every other one. ``traces`` grows by what the
    caller sees. Guarantee: once ``next`` is None and ``count`` is not 0, no further order of the
    messages can be reached by holding them back.
    """

    def __init__(self, goals: Goals, traces: Sequence[Trace]) -> None:
        self._goals = goals
        self._traces = traces
        self._asked: set[Schedule] = set()
        self._fits = 0 < len(goals.free) <= MOST_PAIRS and not self._has_steps()

    def _has_steps(self) -> bool:
        """Whether threads could change places, or sleep: then messages alone are not all there is.

        Neither are tasks: what one sender sends in a row another kind lets change places.
        """
        if any(send.channel == TASK for trace in self._traces[:1] for send in trace.sends):
            return True
        if any(is_step(name) for pair in self._goals.free for name in pair):
            return True
        return any(
            send.channel == STEP and send.type.startswith(SLEEP)
            for trace in self._traces[:1]
            for send in trace.sends
        )

    def next(self) -> list[Fault] | None:
        """The holds that force an order which nobody has seen or asked for; None when none is left."""
        if not self._fits:
            return None
        known = {self._free_part(Schedule.of(trace)) for trace in self._traces}
        for trace in self._traces:
            sends, seen = named_sends(trace), self._free_part(Schedule.of(trace))
            for wanted in self._exchanged(seen):
                if wanted in known or wanted in self._asked:
                    continue
                if len(self._asked) >= MOST or len(self._goals.free) > MOST_PAIRS:
                    self._fits = False
                    return None
                self._asked.add(wanted)
                holds = self._holds(wanted, sends)
                if holds:
                    return holds
        return None

    @property
    def count(self) -> int:
        """How many orders there are; 0 where that is not known."""
        if not self._fits:
            return 0
        return len({self._free_part(Schedule.of(trace)) for trace in self._traces})

    def _free_part(self, schedule: Schedule) -> Schedule:
        free = frozenset().union(*self._goals.free)
        kept = [
            (receiver, tuple(name for name in mail if name in free))
            for receiver, mail in schedule.receives
        ]
        return Schedule(tuple(sorted(one for one in kept if one[1])))

    def _exchanged(self, schedule: Schedule) -> Iterator[Schedule]:
        for place, (receiver, mail) in enumerate(schedule.receives):
            for position in range(len(mail) - 1):
                one, other = mail[position : position + 2]
                if frozenset((one, other)) in self._goals.free:
                    swapped = (*mail[:position], other, one, *mail[position + 2 :])
                    rest = schedule.receives
                    changed = (*rest[:place], (receiver, swapped), *rest[place + 1 :])
                    yield Schedule(tuple(sorted(changed)))

    def _holds(self, wanted: Schedule, sends: dict[str, Send]) -> list[Fault]:
        pairs = [
            pair
            for mail in wanted.sequences
            for pair in itertools.pairwise(mail)
            if frozenset(pair) in self._goals.free
        ]
        found = (hold(order_kind(), pair, sends) for pair in pairs)
        return [fault for fault in found if fault is not None]
