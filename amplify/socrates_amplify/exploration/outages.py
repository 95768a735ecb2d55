"""The socratic search for remote calls: outages first, then what they left untouched.

A call fails in one way at a time, and a call that fails makes later ones vanish and others (a
retry, a fallback) appear. So the first question for each way to fail is an outage: every call
that is known fails in that way. Calls that appear join the outage, which finds the pair behind a
retry; calls that were masked are asked again without those that masked them. After that, each way
of each call that no run has shown yet is asked where it can be reached, and each alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from socrates_amplify.exploration.shrink.narrowing import Narrowing
from socrates_amplify.exploration.traces.alternatives import Way, is_call, way_of
from socrates_amplify.exploration.traces.breakage import Breakage
from socrates_amplify.exploration.traces.families import (
    Family,
    endpoint,
    family,
    unique,
)
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.events import Injected
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import all_kinds
from socrates_amplify.model.outcomes import HANG, Failure, Outcome, Verdict
from socrates_amplify.model.search import Defect, ExploreOptions, Problem

MAX_ROUNDS = 10
"""How often an outage may bring up further calls. A caller that tries once more even then is asked
whether it ever gives up."""

Context = tuple[Fault, ...]


class Outages:
    """One search. Defects are handed to ``report`` as they are found.

    Guarantee: unless limits end it, every way of every call, also of those that appear only under
    faults, was either applied in some run, or is known to break the test, or could not be reached
    any more.
    """

    def __init__(
        self, problem: Problem, options: ExploreOptions, report: Callable[[Defect], None]
    ) -> None:
        self._problem = problem
        self._options = options
        self._report = report
        self._space = [fault for fault in problem.faults if is_call(fault)]
        self._known = {fault.key for fault in problem.faults}
        self._made = {send.target for send in problem.control.sends}
        self._contexts: dict[str, Context] = {}
        self._shown: set[Fault] = set()
        self._survived: set[Fault] = set()
        self._passed: set[str] = set()
        self._alone: set[Family] = set()
        self._persistent: set[tuple[str, str]] = set()
        self._broken = Breakage()
        self._narrowing: Narrowing | None = None
        self.pruned: tuple[Fault, ...] = ()
        self.unanswered = ""

    def run(self) -> None:
        """The whole search."""
        done: set[Way] = set()
        while left := [way for way in unique(map(way_of, self._space)) if way not in done]:
            done.add(left[0])
            self._outage(left[0])
        self._untouched()
        self._each_alone()
        self._apart()

    @property
    def unfinished(self) -> Narrowing | None:
        """The defect in the making, if any; none if it may be one that was told, only took long, or is by chance."""
        found = self._narrowing
        if found is None or found.failure.type == HANG or self._broken.is_told(found.best):
            return None
        return None if self._has_passed(found.best) else found

    def _outage(self, way: Way) -> None:
        """All calls fail in one way. What broke alone in another way is asked alone first."""
        for fault in self._open(way):
            if self._broken.is_fragile(fault) and self._is_first(fault):
                self._ask_alone(fault, f"it breaks in another way, too: {_told(fault)}")
        self._sweep(self._open(way), way)

    def _sweep(self, faults: list[Fault], way: Way) -> None:
        """Ask for all; take out what breaks the test, or masks others, until the rest passes.

        A defect needs each of its parts, so leaving out any one of them is a way on.
        """
        rounds = 0
        parts = [faults]
        parted: set[frozenset[Fault]] = set()
        while parts:
            active = parts.pop()
            ways_on = self._broken.without(active)
            if ways_on is None:
                before = len(self._space)
                parts += self._look_at(active, f"{_named(way)} of {_count(active)}")
                fresh = [fault for fault in self._space[before:] if way_of(fault) == way]
                if fresh and rounds < MAX_ROUNDS:
                    rounds += 1
                    parts.append([*active, *fresh])
                elif fresh:
                    self._ask_for_good(active, fresh)
            elif frozenset(active) not in parted:
                parted.add(frozenset(active))
                parts += [part for part in ways_on if not self._survived.issuperset(part)]

    def _ask_for_good(self, failed: list[Fault], again: list[Fault]) -> None:
        """Ask about services that stay down, where ``again`` are tried after all that ``failed``.

        Further tries at them are not taken in: there may be no end of them.
        """
        row = next((kind for kind in all_kinds() if kind.lasts), None)
        for called in unique(map(endpoint, again)):
            self._persistent.add(called)
            first = next((one for one in failed if endpoint(one) == called), None)
            if row is not None and first is not None and self._is_first(first):
                down = replace(first, kind=row.name, detail="")
                self._ask_alone(down, f"it tries again and again: {_told(down)}")

    def _look_at(self, faults: list[Fault], hypothesis: str) -> list[list[Fault]]:
        """Ask for these faults together; what is to be asked because of the answer.

        Calls that are only made because of faults are not made if none of those is among them.
        """
        if not any(map(self._is_first, faults)):
            return []
        outcome, hit = self._ask(faults, hypothesis)
        failure = failure_of(outcome)
        if failure is not None and self._narrow(hit or faults, outcome, failure):
            return [faults]
        applied = set(hit)
        masked = [fault for fault in faults if fault not in applied]
        return [masked] if hit and masked else []

    def _ask(self, faults: Sequence[Fault], hypothesis: str) -> tuple[Outcome, list[Fault]]:
        """Ask; the outcome, and the faults that were applied in the order in which they were.

        Calls that vanished leave a run without a verdict though the others were applied and the
        test passed: for those it is as good as one.
        """
        outcome = self._problem.consider(Scenario.of(faults), hypothesis)
        planned = {(fault.target, fault.kind): fault for fault in faults}
        events = [event for event in outcome.trace.events if isinstance(event, Injected)]
        hit = unique(planned[e.target, e.kind] for e in events if (e.target, e.kind) in planned)
        if outcome.declined:
            # These faults were applied, but the test did not say what it makes of them.
            self.unanswered = outcome.reason
            return outcome, hit
        self._shown.update(hit)
        if len(hit) == 1:
            self._alone.add(family(hit[0]))
        if outcome.verdict is Verdict.UNRESOLVED and not hit:
            # Without a trace it is an answer from memory, which was looked at when it was new.
            self.unanswered = outcome.reason if outcome.trace.events else self.unanswered
        elif outcome.verdict is not Verdict.FAIL:
            self._passed.add(Scenario.of(hit).key)
            self._survived.update(hit)
            self._take_in(outcome, hit)
        return outcome, hit

    def _take_in(self, outcome: Outcome, hit: Sequence[Fault]) -> None:
        """Calls that a passing run has shown for the first time join the space."""
        for fault in self._problem.faults_of(outcome.trace):
            # A call that answers with an error by itself offers no other one, but does once it is struck.
            if fault.target in self._made or endpoint(fault) in self._persistent:
                continue
            if is_call(fault) and fault.key not in self._known:
                self._known.add(fault.key)
                self._space.append(fault)
                self._contexts.setdefault(fault.target, tuple(hit))

    def _narrow(
        self, faults: Sequence[Fault], outcome: Outcome, failure: Failure, *, anyway: bool = False
    ) -> bool:
        """Report one defect, if its family has shown none or ``anyway``; False when it did not repeat."""
        final = outcome.final and not self._has_passed(faults)
        narrowing = Narrowing(self._problem, self._options, faults, failure, final)
        narrowing.causes = {send.target: send.cause for send in outcome.trace.sends}
        narrowing.proven = self._came_one_by_one(faults)
        self._narrowing = narrowing
        narrowing.reduce()
        self._narrowing = None
        self.pruned = self.pruned or narrowing.pruned
        if not narrowing.repeats:
            self.unanswered = f"once, but not again: {narrowing.failure.message}"
        elif self._broken.add(narrowing.best) or anyway:
            self._report(narrowing.defect())
        return narrowing.repeats

    def _has_passed(self, faults: Sequence[Fault]) -> bool:
        """Whether the test has passed under just these: a caller that tries by the clock may try less often."""
        return Scenario.of(faults).key in self._passed

    def _came_one_by_one(self, faults: Sequence[Fault]) -> bool:
        """Whether each call was first made under just the faults before it, as tries after tries are.

        The test has passed under those each time, so that it takes every one of them: without one, the calls
        after it are not made.
        """
        before = [tuple(faults[:place]) for place in range(len(faults))]
        return len(faults) > 1 and all(
            self._contexts.get(fault.target, ()) == so_far
            and (not so_far or self._has_passed(so_far))
            for fault, so_far in zip(faults, before, strict=True)
        )

    def _untouched(self) -> None:
        """Ways that no run has shown, all those together that can be reached together."""
        asked: set[tuple[Context, Way]] = set()
        while groups := [group for group in self._left() if group not in asked]:
            context, way = groups[0]
            asked.add(groups[0])
            faults = [f for f in self._left()[groups[0]] if f.target not in _targets(context)]
            self._sweep([*context, *faults], way)

    def _left(self) -> dict[tuple[Context, Way], list[Fault]]:
        groups: dict[tuple[Context, Way], list[Fault]] = {}
        for fault in self._space:
            if fault not in self._shown and not self._broken.covers(fault):
                context = self._contexts.get(fault.target, ())
                groups.setdefault((context, way_of(fault)), []).append(fault)
        return groups

    def _each_alone(self) -> None:
        """Faults can mask each other: ask one fault of each family alone."""
        for fault in [fault for fault in self._space if self._is_first(fault)]:
            if family(fault) not in self._alone and not self._broken.covers(fault):
                self._ask_alone(fault, f"others masked {_told(fault)}")

    def _apart(self) -> None:
        """Ask what others of a fault's family don't show, and tell of it, whatever they have broken."""
        for fault in self._space:
            wanted = fault.key in self._options.apart and self._is_first(fault)
            if wanted and fault not in self._shown:
                outcome, _ = self._ask([fault], f"a proxy may answer: {_told(fault)}")
                failure = failure_of(outcome)
                if failure is not None:
                    self._narrow([fault], outcome, failure, anyway=True)

    def _ask_alone(self, fault: Fault, hypothesis: str) -> None:
        if self._broken.covers(fault):
            return
        outcome, _ = self._ask([fault], hypothesis)
        self._alone.add(family(fault))
        failure = failure_of(outcome)
        if failure is not None:
            self._narrow([fault], outcome, failure)

    def _open(self, way: Way) -> list[Fault]:
        """The faults of this way that nothing is known to be wrong with."""
        return [f for f in self._space if way_of(f) == way and not self._broken.covers(f)]

    def _is_first(self, fault: Fault) -> bool:
        """Whether its call is made without any fault."""
        return fault.target not in self._contexts


def _targets(faults: Iterable[Fault]) -> set[str]:
    return {fault.target for fault in faults}


def _count(faults: Sequence[Fault]) -> str:
    return f"all {len(faults)} calls" if len(faults) > 1 else faults[0].message if faults else ""


def _named(way: Way) -> str:
    return " ".join(way).rstrip()


def _told(fault: Fault) -> str:
    return f"{fault.what} of {fault.message}"
