"""One test from its baseline to its minimal scenarios, every step kept in the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from socrates_amplify.analysis import BudgetSpent, Defect, Exploration, ExploreOptions, Question
from socrates_amplify.baseline import Baseline
from socrates_amplify.choices import Choices
from socrates_amplify.config import AmplifySettings
from socrates_amplify.events import Trace
from socrates_amplify.exploration import registry
from socrates_amplify.exploration.gateway import Gateway, Observer
from socrates_amplify.faults import Fault, Scenario
from socrates_amplify.outcomes import Outcome, Verdict
from socrates_amplify.promises import SeenTypes
from socrates_amplify.report.json_report import as_document
from socrates_amplify.results import FoundDefect, Status, TestResult
from socrates_amplify.scenario_files import ScenarioFile, to_text
from socrates_amplify.store import SCENARIOS, Store

_LONG_TRACE = 5_000
"""Longer traces are only kept in memory for tests with defects; the store has them all."""


class Bench(Protocol):
    """Where tests are run. ``socrates_amplify.bench`` makes one from a project."""

    def baseline(self, nodeid: str, known: Sequence[Outcome] = ()) -> Baseline:
        """What the runs without faults say; ``known`` are runs that need not be made again."""

    def run(self, nodeid: str, scenario: Scenario, baseline: Baseline) -> Outcome:
        """Run the test once under a scenario, within a limit scaled from the baseline."""

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults of the asked kinds that a trace offers."""


_STATUSES = {
    "ok": Status.RESILIENT,
    "failing": Status.FAILING,
    "flaky": Status.FLAKY,
    "no-targets": Status.NO_TARGETS,
    "not-run": Status.NOT_RUN,
}


@dataclass(slots=True)
class _Memory:
    """The gateway's cache: this test's rows of the store. Counts what it could answer."""

    store: Store
    code: str
    nodeid: str
    hits: int = 0
    seen: set[str] = field(default_factory=set)

    def get(self, scenario: Scenario) -> Outcome | None:
        """The final outcome of an earlier run of this very code."""
        found = self.store.outcome(self.code, self.nodeid, scenario)
        if found is not None and scenario.key not in self.seen:
            self.seen.add(scenario.key)
            self.hits += 1
        return found

    def put(self, outcome: Outcome) -> None:
        """Already kept when it was finished."""
        self.seen.add(outcome.scenario.key)


class Examiner:
    """Amplifies one test after the other with the same settings.

    Guarantee: when a call returns or raises, every execution that finished is in the store.
    """

    def __init__(
        self,
        bench: Bench,
        store: Store,
        code: str,
        choices: Choices,
        settings: AmplifySettings,
        *,
        scenarios: Sequence[ScenarioFile] = (),
        observers: Sequence[Observer] = (),
        deadline: float | None = None,
        shown: Callable[[Path], str] = str,
        version: str = "",
    ) -> None:
        self._bench = bench
        self._store = store
        self._code = code
        self._choices = choices
        self._settings = settings
        self._scenarios = scenarios
        self._observers = observers
        self._deadline = deadline
        self._shown = shown
        self._version = version
        self.faults: dict[str, Fault] = {}
        """Every fault that any test offered, before the developer's patterns."""
        self.types = SeenTypes()

    def examine(self, nodeid: str, location: str = "") -> TestResult:
        """The test's result. Never raises for what the test does."""
        started = time.monotonic()
        result = replace(self._examine(nodeid), location=location)
        self.types.see(result.baseline)
        if not result.defects and len(result.baseline.events) > _LONG_TRACE:
            result = replace(result, baseline=Trace())
        result = replace(result, duration=time.monotonic() - started)
        self._store.add_test(self._code, nodeid, result.status.value, as_document(result))
        return result

    def _examine(self, nodeid: str) -> TestResult:
        if self._out_of_time():
            return TestResult(nodeid, Status.NOT_RUN, note="the time budget is spent")
        baseline = self._baseline(nodeid)
        trace = baseline.trace
        known = TestResult(nodeid, _STATUSES[baseline.status], note=baseline.note, baseline=trace)
        tolerated = baseline.status == "flaky" and self._settings.allow_flaky
        if baseline.status not in ("ok", "no-targets") and not tolerated:
            return known
        if self._scenarios and not self._given(nodeid):
            return replace(known, status=Status.NOT_RUN, note="no scenario is about it")
        offered = baseline.faults
        self.faults.update({fault.key: fault for fault in offered})
        faults = list(self._choices.wanted.prune(offered, trace, None))
        if not faults:
            note = _why_none(trace, offered)
            return replace(known, status=Status.NO_TARGETS, note=note)
        return self._explore(known, baseline, faults)

    def _baseline(self, nodeid: str) -> Baseline:
        known = self._store.baseline(self._code, nodeid)
        baseline = self._bench.baseline(nodeid, known)
        if not known and all(outcome.final for outcome in baseline.outcomes):
            self._store.add_baseline(self._code, nodeid, baseline.outcomes)
        return baseline

    def _explore(
        self, known: TestResult, baseline: Baseline, faults: Sequence[Fault]
    ) -> TestResult:
        memory = _Memory(self._store, self._code, known.nodeid)
        if self._choices.prioritiser is not None:
            faults = list(self._choices.prioritiser.prioritise(faults, baseline.trace))

        def execute(scenario: Scenario) -> Outcome:
            outcome = self._bench.run(known.nodeid, scenario, baseline)
            self._store.add_outcome(self._code, known.nodeid, outcome)
            return outcome

        gateway = Gateway(
            baseline.trace,
            faults,
            execute,
            faults_of=lambda trace: self._choices.wanted.prune(
                self._bench.faults_of(trace), trace, None
            ),
            cache=memory,
            budget=self._settings.limit,
            deadline=self._deadline,
            observers=self._observers,
        )
        found = self._search(known.nodeid, gateway)
        defects = tuple(self._keep(known.nodeid, defect) for defect in found.defects)
        if found.defects:
            status = Status.DEFECTIVE
        elif not gateway.questions:
            status = Status.NOT_RUN
        elif all(question.answer == Verdict.UNRESOLVED.value for question in gateway.questions):
            status = Status.ERROR  # no fault could be applied: that is no sign of resilience
        else:
            status = Status.RESILIENT
        return replace(
            known,
            status=status,
            note="; ".join(note for note in (known.note, _how_far(found)) if note),
            targets=len({fault.target for fault in faults}),
            faults=len(faults),
            executions=gateway.calls + memory.hits,
            unresolved=_unresolved(gateway.questions),
            defects=defects,
            questions=tuple(gateway.questions),
            pruned=found.pruned,
        )

    def _given(self, nodeid: str) -> list[Scenario]:
        return [file.scenario for file in self._scenarios if file.nodeid == nodeid]

    def _search(self, nodeid: str, gateway: Gateway) -> Exploration:
        given = self._given(nodeid)
        explorer = registry.explorer("static", given) if given else self._choices.explorer
        options = ExploreOptions(
            max_defects=self._settings.max_defects,
            max_faults=self._settings.max_faults,
            reduction=self._settings.reduction,
            seed=self._settings.seed,
            pruner=self._choices.pruner,
        )
        try:
            return explorer.explore(gateway, options)
        except BudgetSpent as spent:
            return Exploration(exhausted=False, note=str(spent))

    def _keep(self, nodeid: str, defect: Defect) -> FoundDefect:
        """Write the defect's scenario file and remember it."""
        file = ScenarioFile(nodeid, defect.scenario, defect.failure, "../..", self._version)
        path = self._store.write_file(f"{SCENARIOS}/{file.name}", to_text(file))
        shown = self._shown(path)
        self._store.add_finding(self._code, nodeid, defect.scenario, defect.failure, shown)
        outcome = self._store.last(self._code, nodeid, defect.scenario)
        return FoundDefect(defect, shown, outcome.trace if outcome else Trace())

    def _out_of_time(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline


def _how_far(found: Exploration) -> str:
    """What the search says of itself; when it was cut short, what that leaves open."""
    if not found.note or found.exhausted:
        return found.note
    left = "there may be more defects" if found.defects else "nothing broke it so far"
    return f"{found.note}: {left}"


def _unresolved(questions: Iterable[Question]) -> int:
    """How many scenarios gave no answer, whether they were asked now or in an earlier run."""
    return len({q.scenario for q in questions if q.answer == Verdict.UNRESOLVED.value})


def _why_none(trace: Trace, offered: Sequence[Fault]) -> str:
    if offered:
        return "every fault is left out by --include or --exclude"
    if not trace.sends:
        return "no message was sent"
    return "no message with a promise to break: see persistent and at-least-once in the guide"
