"""An explorer, a pruner and a prioritiser."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.search import Defect, Exploration, ExploreOptions, Problem


class OneByOne:
    """Tries each fault alone, and no two together."""

    name = "one-by-one"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Ask once per fault; each question is one run of the test, or an answer that is known."""
        faults, defects = problem.faults, []
        if options.pruner is not None:
            faults = options.pruner.prune(faults, problem.control, None)
        for fault in faults:
            scenario = Scenario.of([fault])
            outcome = problem.consider(scenario, f"does {fault.what} matter?")
            if outcome.failure is not None:
                defects.append(Defect(scenario, outcome.failure))
        return Exploration(tuple(defects))


class OnePerMessage:
    """Leaves out all faults of a message but the first."""

    name = "one-per-message"

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults that are worth trying, in their order."""
        first = {fault.target: fault for fault in reversed(faults)}
        return [fault for fault in faults if first[fault.target] == fault]


class ByMessage:
    """Orders faults by the text of their message."""

    name = "by-message"

    def prioritise(self, faults: Sequence[Fault], control: Trace) -> Sequence[Fault]:
        """The same faults in another order."""
        return sorted(faults, key=lambda fault: fault.message)
