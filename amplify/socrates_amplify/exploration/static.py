"""The developer's own scenarios, asked one by one and reported as they are."""

from __future__ import annotations

from collections.abc import Iterable

from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import BudgetSpent, Defect, Exploration, ExploreOptions, Problem

GIVEN = "given by hand, not minimised"


class StaticExplorer:
    """Asks exactly the given scenarios, in their order; without any, the whole fault space."""

    name = "static"

    def __init__(self, scenarios: Iterable[Scenario] = ()) -> None:
        self._scenarios = tuple(scenarios)

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Report every given scenario that breaks the test."""
        defects: list[Defect] = []
        for scenario in self._scenarios or (Scenario.of(problem.faults),):
            try:
                failure = failure_of(problem.consider(scenario, "a scenario given by hand"))
            except BudgetSpent as spent:
                return Exploration(tuple(defects), exhausted=False, note=str(spent))
            if failure is not None:
                minimal = len(scenario) == 1
                defects.append(Defect(scenario, failure, minimal, "" if minimal else GIVEN))
            if options.max_defects is not None and len(defects) >= options.max_defects:
                break
        return Exploration(tuple(defects))
