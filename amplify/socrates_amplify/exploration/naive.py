"""RT-N and RT-R: one fault at a time, in the given order or (``shuffle``) in a random one."""

from __future__ import annotations

from socrates_amplify.exploration.traces.families import family
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import BudgetSpent, Defect, Exploration, ExploreOptions, Problem


class NaiveExplorer:
    """Tries single faults only: each result is 1-minimal, combinations are never seen.

    After a fault broke the test, the rest of its family is skipped: it is the same defect.
    """

    name = "naive"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Ask about single faults until the space, the defects or the budget end it."""
        defects: list[Defect] = []
        broken: set[tuple[str, str, str]] = set()
        for fault in problem.faults:
            if options.max_defects is not None and len(defects) >= options.max_defects:
                break
            if family(fault) in broken:
                continue
            scenario = Scenario.of([fault])
            try:
                failure = failure_of(problem.consider(scenario, "this fault alone breaks the test"))
            except BudgetSpent as spent:
                return Exploration(tuple(defects), exhausted=False, note=str(spent))
            if failure is not None:
                broken.add(family(fault))
                defects.append(Defect(scenario, failure))
        return Exploration(tuple(defects))
