"""What the runs of one search have shown: which run failed by which faults, and what was borne."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from socrates_amplify.exploration.traces.verdicts import applied
from socrates_amplify.model.events import Trace
from socrates_amplify.model.exchanges import Tried
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import Defect, Question


class Witness:
    """An observer of a search. Keeps scenarios, not traces: those are in the store."""

    def __init__(self, control: Trace) -> None:
        self._usual = _calls(control)
        self._failed: dict[str, Scenario] = {}
        self._survived: dict[str, Fault] = {}
        self._passed: set[str] = set()

    @property
    def survived(self) -> tuple[Fault, ...]:
        """Faults that runs passed under, though no call was made again because of them."""
        return tuple(self._survived.values())

    def tried(self, defects: Iterable[Defect]) -> Callable[[Fault], Tried]:
        """What is known of each fault: it broke the test, was applied while it passed, or neither."""
        broke = {fault.key for defect in defects for fault in defect.scenario}

        def known(fault: Fault) -> Tried:
            if fault.key in broke:
                return Tried.BROKE
            return Tried.SURVIVED if fault.key in self._passed else Tried.UNTRIED

        return known

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """Nothing is known yet."""

    def answered(self, question: Question, outcome: Outcome) -> None:
        """Remember by what a run failed: planned faults may have done away with others' targets."""
        done = applied(outcome, outcome.scenario)
        if outcome.verdict is Verdict.FAIL:
            self._failed[Scenario.of(done).key] = outcome.scenario
        elif question.answer.startswith(Verdict.PASS.value):
            self._passed.update(fault.key for fault in done)
            now = _calls(outcome.trace)
            self._survived.update(
                {
                    fault.key: fault
                    for fault in done
                    if now[fault.receiver, fault.message]
                    <= self._usual[fault.receiver, fault.message]
                }
            )

    def run_that_failed_by(self, scenario: Scenario) -> Scenario:
        """The scenario of a run in which just these faults were applied; else ``scenario``."""
        return self._failed.get(scenario.key, scenario)


def _calls(trace: Trace) -> Counter[tuple[str, str]]:
    return Counter((send.receiver, send.message) for send in trace.sends)
