"""Dynamic reduction: which scenarios say nothing new, because services hide what they call.

A service sees of another one only its answers (service encapsulation, Meiklejohn et al. 2021). So
if for every service in a scenario some earlier run had the very same outcomes of all the calls
that the service makes, its reaction is known, and so is the whole. This assumes that a service
answers alike when its own calls end alike; state that calls leave behind can break it. A call that
succeeds unseen is all about what it left behind, so nothing is inferred for those.
"""

from __future__ import annotations

from collections.abc import Iterable

from socrates_amplify.exploration.traces.alternatives import Way, answered, is_call, way_of
from socrates_amplify.model.events import Injected, Reply, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of

UNTOUCHED: Way = ("", "")


class Seen:
    """The outcomes of all calls in all runs so far, as one set of runs for each call and outcome."""

    def __init__(self) -> None:
        self._runs = 0
        self._with: dict[tuple[str, Way], int] = {}

    def add(self, scenario: Scenario, trace: Trace) -> None:
        """Remember a run. The n-th bit of a number stands for the n-th run."""
        bit = 1 << self._runs
        self._runs += 1
        injected = {fault.target: way_of(fault) for fault in scenario.faults}
        answers = {e.target: answered(e) for e in trace.events if isinstance(e, Reply)}
        indirect = _with_faults_below(trace)
        for send in trace.sends:
            way = injected.get(send.target, UNTOUCHED)
            self._mark(send.target, way, bit)
            if way == UNTOUCHED and send.target in indirect and send.target in answers:
                # Failing one of its own calls made it fail: as good as failing it directly.
                self._mark(send.target, answers[send.target], bit)

    def implies(self, scenario: Scenario, calls: Iterable[Send]) -> bool:
        """Whether earlier runs tell what happens: ``calls`` are those up to the newest fault."""
        if not all(map(_leaves_nothing, scenario.faults)):
            return False
        ways = {fault.target: way_of(fault) for fault in scenario.faults}
        together: dict[str | None, int] = {}
        for send in calls:
            runs = self._with.get((send.target, ways.get(send.target, UNTOUCHED)), 0)
            runs &= together.get(send.cause, -1)
            if not runs:
                return False
            together[send.cause] = runs
        return True

    def _mark(self, target: str, way: Way, bit: int) -> None:
        key = (target, way)
        self._with[key] = self._with.get(key, 0) | bit


def _leaves_nothing(fault: Fault) -> bool:
    """Whether a call that suffers this fault is over with its answer."""
    return is_call(fault) and not kind_of(fault.kind).succeeds_unseen


def _with_faults_below(trace: Trace) -> set[str]:
    """The calls that made a call, at any depth, that suffered a fault."""
    cause = {send.target: send.cause for send in trace.sends}
    found: set[str] = set()
    for event in trace.events:
        if isinstance(event, Injected):
            above = cause.get(event.target)
            while above is not None and above not in found:
                found.add(above)
                above = cause.get(above)
    return found
