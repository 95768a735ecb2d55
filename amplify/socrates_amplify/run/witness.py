"""What the runs of one search have shown: which run failed by which faults, and what was borne."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from socrates.findings import Severity
from socrates_amplify.exploration.traces.verdicts import applied
from socrates_amplify.model.events import Trace
from socrates_amplify.model.exchanges import Tried
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import EVERYTHING, Outcome, Verdict
from socrates_amplify.model.results import FoundDefect
from socrates_amplify.model.search import Question


class Witness:
    """An observer of a search. Keeps scenarios, not traces: those are in the store."""

    def __init__(self, control: Trace) -> None:
        self._usual = _calls(control)
        self._failed: dict[str, Scenario] = {}
        self._survived: dict[str, Fault] = {}
        self._passed: set[str] = set()
        self._files: set[str] = set()

    @property
    def survived(self) -> tuple[Fault, ...]:
        """Faults that runs passed under, though no call was made again because of them."""
        return tuple(self._survived.values())

    def files(self, usual: Iterable[str]) -> tuple[str, ...]:
        """Those that the runs executed, and the ``usual`` ones; nothing if those are not known."""
        return tuple(sorted({*usual, *self._files})) if usual else ()

    def tried(self, defects: Iterable[FoundDefect], *, strict: bool) -> Callable[[Fault], Tried]:
        """What is known of each fault: it broke the test, was applied while it passed, or neither.

        What may be intended is only noticed, unless ``strict``.
        """
        states: dict[str, Tried] = dict.fromkeys(self._passed, Tried.SURVIVED)
        for found in sorted(defects, key=lambda found: found.severity is Severity.WARNING):
            bad = strict or found.severity is not Severity.INFO
            state = Tried.BROKE if bad else Tried.NOTICED
            states.update({fault.key: state for fault in found.defect.scenario})
        return lambda fault: states.get(fault.key, Tried.UNTRIED)

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """Nothing is known yet."""

    def answered(self, question: Question, outcome: Outcome) -> None:
        """Remember by what a run failed: planned faults may have done away with others' targets."""
        self._files.update(outcome.files or (EVERYTHING,))
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
