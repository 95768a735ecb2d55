"""RT-DD and, with the causality pruner, RT-DD-O: minimising delta debugging over fault scenarios.

The algorithm is ddmin of Zeller and Hildebrandt (2002). An answer is one of three: the same
failure, a pass, or neither (unresolved, or a failure with another signature).
"""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.exploration.traces.alternatives import layers
from socrates_amplify.exploration.traces.families import all_break, without_families
from socrates_amplify.exploration.traces.verdicts import failure_of, vanished
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Verdict
from socrates_amplify.model.search import BudgetSpent, Defect, Exploration, ExploreOptions, Problem


class Reduction:
    """One run of ddmin towards one failure. ``best`` is always a set that was seen failing.

    Guarantee: unless the budget ends it, ``best`` is 1-minimal (no single fault can be left
    out), given that the test is deterministic; with ``monotonic`` also given that a subset of a
    passing scenario passes, which then is not asked.
    """

    def __init__(
        self, problem: Problem, faults: Sequence[Fault], failure: Failure, monotonic: bool = False
    ) -> None:
        self.best = list(faults)
        self.failure = failure
        self._problem = problem
        self._monotonic = monotonic
        self._passed: list[frozenset[Fault]] = []

    def minimise(self, start: Sequence[Fault] | None = None) -> None:
        """Shrink ``best``; from ``start``, a part of it that is believed to fail, if given."""
        if start is not None and 0 < len(start) < len(self.best):
            before = len(self.best)
            self._ddmin(list(start))
            if len(self.best) < before or self._fails(start, "what pruning kept breaks the test"):
                return
        self._ddmin(self.best)

    def _ddmin(self, current: list[Fault]) -> None:
        granularity = 2
        while len(current) >= 2:
            chunks = split(current, granularity)
            smaller = self._first_failing(chunks)
            if smaller is not None:
                current, granularity = smaller, 2
                continue
            complements = [without(current, chunk) for chunk in chunks]
            smaller = self._first_failing(complements) if granularity > 2 else None
            if smaller is not None:
                current, granularity = smaller, max(granularity - 1, 2)
            elif granularity < len(current):
                granularity = min(2 * granularity, len(current))
            else:
                return

    def _first_failing(self, candidates: Sequence[list[Fault]]) -> list[Fault] | None:
        count = len(candidates)
        for candidate in candidates:
            if self._fails(candidate, f"{len(candidate)} faults, a part of {count}, suffice"):
                return candidate
        return None

    def _fails(self, faults: Sequence[Fault], hypothesis: str) -> bool:
        scenario = Scenario.of(faults)
        if self._monotonic and any(scenario.faults <= passed for passed in self._passed):
            return False
        outcome = self._problem.consider(scenario, hypothesis)
        failure = failure_of(outcome)
        if outcome.verdict is Verdict.PASS:
            self._passed.append(scenario.faults)
        if failure is None or failure.signature != self.failure.signature:
            return False
        if len(scenario) <= len(self.best):
            self.best, self.failure = list(faults), failure
        return True


class DeltaDebuggingExplorer:
    """All faults together first; if they break the test, ddmin, then the next defect.

    Ways in which one call can fail exclude each other, so there are as many such rounds as a call
    has ways; calls that others made vanish are asked again without those.
    """

    name = "dd"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Find minimal scenarios until what is left passes."""
        defects: list[Defect] = []
        pruned: list[Fault] = []
        note = ""
        left = layers(problem.faults)
        while left and (options.max_defects is None or len(defects) < options.max_defects):
            active = without_families(left.pop(0), [f for d in defects for f in d.scenario])
            if not active:
                continue
            reduction: Reduction | None = None
            try:
                outcome = problem.consider(Scenario.of(active), all_break(active))
                gone = vanished(outcome, active)
                failure = failure_of(outcome)
                if failure is None:
                    if gone and not outcome.declined:
                        left.insert(0, gone)
                    elif outcome.verdict is Verdict.UNRESOLVED:
                        note = outcome.reason
                    continue
                left.insert(0, active)
                tried = without(active, gone)
                reduction = Reduction(problem, tried, failure, options.monotonic)
                start = self._prune(problem, options, tried, failure)
                if not defects:
                    pruned = without(tried, start)
                reduction.minimise(start)
            except BudgetSpent as spent:
                if reduction is not None:
                    scenario = Scenario.of(reduction.best)
                    defects.append(
                        Defect(scenario, reduction.failure, len(scenario) == 1, str(spent))
                    )
                return Exploration(tuple(defects), False, str(spent), tuple(pruned))
            defects.append(Defect(Scenario.of(reduction.best), reduction.failure))
        return Exploration(tuple(defects), note=note, pruned=tuple(pruned))

    @staticmethod
    def _prune(
        problem: Problem, options: ExploreOptions, faults: Sequence[Fault], failure: Failure
    ) -> Sequence[Fault]:
        if options.pruner is None:
            return faults
        return options.pruner.prune(faults, problem.control, failure)


def without(items: Sequence[Fault], left_out: Sequence[Fault]) -> list[Fault]:
    """The items except those left out, in their order."""
    gone = set(left_out)
    return [item for item in items if item not in gone]


def split(items: Sequence[Fault], parts: int) -> list[list[Fault]]:
    """Cut into ``parts`` consecutive pieces whose sizes differ by at most one."""
    size, extra = divmod(len(items), parts)
    pieces: list[list[Fault]] = []
    start = 0
    for number in range(parts):
        end = start + size + (1 if number < extra else 0)
        pieces.append(list(items[start:end]))
        start = end
    return pieces
