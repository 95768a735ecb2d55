"""All combinations of faults, with the calls that only appear under faults: Filibuster's search.

The run without faults comes first. Wherever a run reaches a target that was not reached before
its newest fault, one more scenario is put on a stack for each way in which that target can fail,
on top of the faults that led there; so every set of faults that can be reached is asked once.
Dynamic reduction leaves out what earlier runs imply (see ``encapsulation``).
"""

from __future__ import annotations

from collections.abc import Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.exploration.traces.alternatives import is_call
from socrates_amplify.exploration.traces.encapsulation import Seen
from socrates_amplify.exploration.traces.families import Family, family
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.labels import named
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, Defect, Exploration, ExploreOptions, Problem

Keys = frozenset[str]


class ExhaustiveExplorer:
    """See the module.

    Guarantee: with a deterministic test, no limits and no reduction, every set of faults that can
    be reached is executed exactly once, the empty one included. A smaller scenario comes before
    each larger one that contains it.
    """

    name = "exhaustive"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Ask until nothing is left, or the budget or the wanted defects end it."""
        search = _Search(problem, options)
        try:
            search.run()
        except BudgetSpent as spent:
            return Exploration(tuple(search.defects), exhausted=False, note=str(spent))
        return Exploration(tuple(search.defects), note=search.note())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A scenario to ask: ``faults`` in the order in which their targets come by.

    ``sends[:reached]`` is what happened, in the run that showed it, up to the newest target.
    """

    faults: tuple[Fault, ...]
    sends: Sequence[Send]
    reached: int


class _Search:
    """The state of one exploration."""

    def __init__(self, problem: Problem, options: ExploreOptions) -> None:
        self._problem = problem
        self._options = options
        self._seen = Seen()
        self._stack: list[_Candidate] = []
        self._scheduled: set[Keys] = set()
        self._reduced: list[Keys] = []
        self._unresolved = 0
        self._broken: list[tuple[Failure, frozenset[Family], int]] = []
        self.defects: list[Defect] = []

    def run(self) -> None:
        """The whole search."""
        first = self._problem.again(Scenario(), "the test passes without faults")
        if first.verdict is Verdict.PASS:
            self._take_in(_Candidate((), (), 0), first)
        else:
            self._unresolved += 1
        while self._stack and not self._enough():
            candidate = self._stack.pop()
            scenario = Scenario.of(candidate.faults)
            known = candidate.sends[: candidate.reached]
            if self._options.reduction and self._seen.implies(scenario, known):
                self._reduced.append(_keys(candidate.faults))
                continue
            outcome = self._problem.consider(scenario, _hypothesis(candidate.faults))
            self._take_in(candidate, outcome)

    def note(self) -> str:
        """What was not asked, or not answered."""
        parts = []
        if self._reduced:
            plural = "s" if len(self._reduced) > 1 else ""
            parts.append(f"{len(self._reduced)} scenario{plural} left out, implied by others")
        if self._unresolved:
            parts.append(f"{self._unresolved} without an answer")
        return "; ".join(parts)

    def _take_in(self, candidate: _Candidate, outcome: Outcome) -> None:
        if outcome.verdict is Verdict.UNRESOLVED:
            self._unresolved += 1
            return
        if self._options.reduction:
            self._seen.add(outcome.scenario, outcome.trace)
        failure = failure_of(outcome)
        if failure is not None:
            self._report(candidate.faults, failure)
        self._schedule(candidate, outcome.trace)

    def _schedule(self, candidate: _Candidate, trace: Trace) -> None:
        """Put what this run has shown beyond the candidate's newest target on the stack."""
        limit = self._options.max_faults
        if limit is not None and len(candidate.faults) >= limit:
            return
        sends = trace.sends
        position = {send.target: number for number, send in enumerate(sends)}
        before = {send.target for send in candidate.sends[: candidate.reached]}
        offered = self._problem.faults_of(trace) if candidate.faults else self._problem.faults
        for fault in _beyond(candidate.faults, before, offered):
            if fault.target not in position:
                continue
            faults = (*candidate.faults, fault)
            if _keys(faults) not in self._scheduled:
                self._scheduled.add(_keys(faults))
                self._stack.append(_Candidate(faults, sends, position[fault.target] + 1))

    def _report(self, faults: Sequence[Fault], failure: Failure) -> None:
        """Keep a defect, unless one is known that breaks the test alike and is part of this one."""
        families = frozenset(family(fault) for fault in faults)
        for known, parts, size in self._broken:
            part = parts <= families and size <= len(faults)
            if part and known.signature == failure.signature:
                return
        self._broken.append((failure, families, len(faults)))
        keys = _keys(faults)
        doubtful = len(faults) > 1 and any(left_out < keys for left_out in self._reduced)
        note = "a part of it was left out by the reduction" if doubtful else ""
        self.defects.append(Defect(Scenario.of(faults), failure, not doubtful, note))

    def _enough(self) -> bool:
        wanted = self._options.max_defects
        return wanted is not None and len(self.defects) >= wanted


def _beyond(faults: Sequence[Fault], before: set[str], offered: Sequence[Fault]) -> list[Fault]:
    """The offered faults on targets that were not reached before the newest fault.

    A message, unlike a call, can suffer a second kind; that one must come later in the offer, so
    that each pair is made once.
    """
    newest = faults[-1] if faults else None
    found: list[Fault] = []
    again = False
    for fault in offered:
        if fault.target not in before:
            found.append(fault)
        elif newest is not None and fault.target == newest.target and not is_call(fault):
            if again:
                found.append(fault)
            again = again or fault == newest
    return found


def _hypothesis(faults: Sequence[Fault]) -> str:
    newest = faults[-1]
    rest = f" after {len(faults) - 1} others" if len(faults) > 1 else ""
    return f"{named(newest)}{rest} breaks the test"


def _keys(faults: Sequence[Fault]) -> Keys:
    return frozenset(fault.key for fault in faults)
