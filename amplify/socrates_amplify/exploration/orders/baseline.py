"""The baseline of a test under control: two runs with nothing held back, which have to be the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import NOT_CONTROLLED, ONCE_MORE, Schedule
from socrates_amplify.model.outcomes import Outcome, Verdict

Ask = Callable[[Scenario, str], Outcome]


@dataclass(frozen=True, slots=True)
class Baseline:
    """Its runs, and why they are no baseline; empty where they are one, though they may fail."""

    outcomes: tuple[Outcome, ...]
    why_not: str = ""

    @classmethod
    def of(cls, ask: Ask, unforced: Fault) -> Baseline:
        """The baseline by what ``ask`` answers; of a test that can't be controlled one run is enough."""
        first = ask(Scenario.of([unforced]), "it passes with one thread at a time")
        why_not = _uncontrolled(first)
        if why_not:
            return cls((first,), why_not)
        # A scenario of its own, so that a run that goes on later knows it, too.
        repeated = Scenario.of([replace(unforced, detail=ONCE_MORE)])
        second = ask(repeated, "it does the same thing again")
        return cls((first, second), _uncontrolled(second) or _difference(first, second))

    @property
    def passes(self) -> bool:
        """Whether other faults can be asked about in runs under control."""
        return not self.why_not and self.outcomes[-1].verdict is Verdict.PASS

    def answer(self, scenario: Scenario) -> Outcome | None:
        """The run of this scenario, if it is one of these."""
        return next((one for one in self.outcomes if one.scenario == scenario), None)


def _uncontrolled(outcome: Outcome) -> str:
    """Why a run was not under control; empty where it was."""
    if outcome.status == "hung":
        return "it did not come to its end"
    if outcome.verdict is not Verdict.UNRESOLVED:
        return ""
    return outcome.reason.partition(f"{NOT_CONTROLLED}: ")[2] or outcome.reason


def _difference(first: Outcome, second: Outcome) -> str:
    """How two runs under control differ; empty where they do not."""
    if first.verdict is not second.verdict:
        return "two runs under control end differently"
    if first.trace.events and Schedule.of(first.trace) != Schedule.of(second.trace):
        return "two runs under control differ"
    return ""
