"""One test from its control to its minimal scenarios, every step kept in the store."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.exploration import registry
from socrates_amplify.exploration.gateway import Observer
from socrates_amplify.exploration.speculate.foresight import SearchSpec
from socrates_amplify.exploration.traces.error_replies import what_is_known
from socrates_amplify.exploration.traces.moved_hosts import as_in
from socrates_amplify.exploration.traces.verdicts import applied
from socrates_amplify.model.events import Trace
from socrates_amplify.model.evidence import NOTHING
from socrates_amplify.model.exchanges import Exchange, exchanges_of
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import real_faults, was_controlled
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import OUT_OF_TIME, FoundDefect, Status, TestResult
from socrates_amplify.model.rounds import AFTERMATH
from socrates_amplify.model.search import Defect, ExploreOptions
from socrates_amplify.planning.needed_test import needed_test
from socrates_amplify.planning.pages import Sites, pages_of, share
from socrates_amplify.planning.time_shares import TimeShares
from socrates_amplify.planning.traced_pass import Company
from socrates_amplify.planning.unmatched_patterns import SeenTypes
from socrates_amplify.planning.variety import Variety
from socrates_amplify.report.json_report import as_document
from socrates_amplify.run.control_runs import (
    ControlRuns,
    KeptControls,
    Prepared,
    TestRunner,
    kept_result,
)
from socrates_amplify.run.no_targets import why_no_faults
from socrates_amplify.run.search import Memory, ended_by, search, told_once
from socrates_amplify.run.strategy import Strategy
from socrates_amplify.run.unhandled_tasks import what_was_left_out
from socrates_amplify.run.witness import Witness
from socrates_amplify.run.worker_slots import WorkerSlots
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.folders import SCENARIOS
from socrates_amplify.store.scenario_files import ScenarioFile, to_text
from socrates_amplify.store.store import Store
from socrates_amplify.triage.judge import judged
from socrates_amplify.triage.recovery import Recovery

_LONG_TRACE = 5_000
"""Longer traces are only kept in memory for tests with defects; the store has them all."""


_STATUSES = {
    "ok": Status.RESILIENT,
    "failing": Status.FAILING,
    "flaky": Status.FLAKY,
    "no-targets": Status.NO_TARGETS,
    "not-run": Status.NOT_RUN,
}


_UNRELIABLE = (Status.FAILING, Status.FLAKY)
"""Statuses of tests that say nothing about faults: what only they exercise, no clean test does."""


class Examiner:
    """Amplifies tests with the same settings; several at once, if each has a thread of its own.

    Guarantee: when a call returns or raises, every execution that finished is in the store.
    """

    def __init__(
        self,
        runner: TestRunner,
        store: Store,
        code: str,
        strategy: Strategy,
        settings: AmplifySettings,
        *,
        scenarios: Sequence[ScenarioFile] = (),
        slots: WorkerSlots | None = None,
        shares: TimeShares | None = None,
        company: Company | None = None,
        shown: Callable[[Path], str] = str,
        version: str = "",
        pytest_args: tuple[str, ...] = (),
    ) -> None:
        self._runner = runner
        self._store = store
        self._code = code
        self._strategy = strategy
        self._settings = settings
        self._scenarios = scenarios
        self._slots = slots
        self._shares = shares or TimeShares(None)
        self._company = company
        self._controls = KeptControls(runner, store, code)
        self._seen: Mapping[str, Outcome] = {}
        self._pages: Sites | None = None
        self._shown = shown
        self._version = version
        self._pytest_args = pytest_args
        self.faults: dict[str, Fault] = {}
        """Every fault that any test offered, before the developer's patterns."""
        self.types = SeenTypes()
        self.cut_short: list[Prepared] = []
        """Tests whose search has ended because its share of the time budget was spent."""
        self._results: dict[str, TestResult] = {}
        self._lock = threading.Lock()
        self._recovery = Recovery()
        self._variety = Variety()

    def expect(self, tests: int) -> None:
        """So many tests will be examined: the time budget is for all of them."""
        self._shares.expect(tests)

    def has_seen(self, outcomes: Mapping[str, Outcome], order: Sequence[str]) -> None:
        """Take what the traced pass says: tests that sent nothing need no run by themselves.

        ``order`` are the tests that will be examined, those first that are to ask what a few tests ask for all.
        """
        self._seen = outcomes
        self._pages = share(order, {nodeid: outcome.trace for nodeid, outcome in outcomes.items()})

    def is_known(self, nodeid: str) -> bool:
        """Whether the runs of this test without faults are in the store."""
        return bool(self._controls.kept(nodeid))

    def examine(
        self, nodeid: str, location: str = "", observers: Sequence[Observer] = ()
    ) -> TestResult:
        """The test's result. Never raises for what the test does."""
        return self.search(self.prepare(nodeid, location), observers)

    def prepare(self, nodeid: str, location: str = "") -> Prepared:
        """Run the test without faults, and see what there is to do."""
        started = time.monotonic()
        prepared = self._open(nodeid)
        with self._lock:
            self.types.see(prepared.result.control)
            if prepared.control is not None:
                self.faults.update({fault.key: fault for fault in prepared.control.faults})
        result = replace(prepared.result, location=location)
        return replace(prepared, result=result, spent=time.monotonic() - started)

    def search(self, prepared: Prepared, observers: Sequence[Observer] = ()) -> TestResult:
        """Search, if there is anything to search for, and keep the result."""
        started = time.monotonic()
        result = prepared.result
        if result.reused:
            self._shares.give_back()
            return result
        if prepared.faults and prepared.control is not None:
            until = self._shares.next(least=2 * max(prepared.slowest, prepared.spent))
            faults = prepared.faults
            if until is not None and self._strategy.prioritiser is None:
                faults = tuple(self._variety.order(faults, prepared.control.trace.sends))
            result = self._explore(result, prepared.control, faults, observers, until)
            if until is not None and time.monotonic() >= until:
                known = self._known_of(result)
                if known is not None:
                    return known
                self._may_go_on(prepared)
            if not result.defects and prepared.unreliable:
                result = replace(result, status=_STATUSES[prepared.control.status])
        else:
            self._shares.give_back()
        if not result.exchanges:
            result = replace(result, exchanges=self._exchanges(result))
        if not result.defects and len(result.control.events) > _LONG_TRACE:
            result = replace(result, control=Trace(), passing=Trace())
        duration = prepared.spent + time.monotonic() - started
        result = self._results[result.nodeid] = replace(result, duration=duration)
        if not self._scenarios:
            # What a few given scenarios say is not what a search found, which ``--resume`` goes on with.
            document = {**as_document(result), "files": list(result.files)}
            self._store.add_test(self._code, result.nodeid, result.status.value, document)
        return result

    def _known_of(self, result: TestResult) -> TestResult | None:
        """What an earlier search, of this run or of the one that goes on, says beyond a search cut short."""
        known = self._results.get(result.nodeid) or kept_result(
            self._store, self._code, result.nodeid
        )
        told = (len(result.defects), result.executions)
        return known if known and (len(known.defects), known.executions) > told else None

    def _may_go_on(self, prepared: Prepared) -> None:
        """Remember a test that has spent its share, for when all others are done."""
        if not self._shares.spent:
            with self._lock:
                self.cut_short.append(prepared)

    def _control(self, nodeid: str, seen: Outcome | None) -> ControlRuns | None:
        """What the test does without faults; None if the time budget is spent before that is known."""
        try:
            control = self._controls.of(nodeid, seen)
            if self._worth_control(control):
                control = self._controls.under_control(control)
            return control
        except Cancelled:
            if self._shares.spent:
                return None
            raise

    def _open(self, nodeid: str) -> Prepared:
        seen = self._seen.get(nodeid)
        control = None if self._shares.spent else self._control(nodeid, seen)
        if control is None:
            kept = kept_result(self._store, self._code, nodeid)
            if kept is not None:
                return Prepared(kept)
            trace = seen.trace if seen is not None else Trace()
            return Prepared(TestResult(nodeid, Status.NOT_RUN, note=OUT_OF_TIME, control=trace))
        trace = control.trace
        known = TestResult(
            nodeid,
            _STATUSES[control.status],
            note=control.note,
            control=trace,
            files=control.files,
        )
        tolerated = control.controlled or (control.status == "flaky" and self._settings.allow_flaky)
        if control.status in ("flaky", "failing") and not tolerated:
            known = replace(known, note=self._told_of_company(nodeid, control))
            # The order of its messages may be all that is wrong with it, and orders can be forced.
            offered = self._strategy.searched(self._runner.faults_of(trace))
            orders = self._strategy.user_filter.prune(
                [fault for fault in offered if kind_of(fault.kind).schedules], trace, None
            )
            return Prepared(known, control, tuple(orders))
        if control.status not in ("ok", "no-targets") and not tolerated:
            return Prepared(known)
        if self._scenarios and not self._given(nodeid):
            return Prepared(replace(known, status=Status.NOT_RUN, note="no scenario is about it"))
        offered = self._strategy.searched(control.faults)
        faults = list(self._strategy.user_filter.prune(offered, trace, None))
        if not faults:
            note = why_no_faults(trace, offered, control.outcomes[0].reason)
            return Prepared(replace(known, status=Status.NO_TARGETS, note=note), control)
        if self._strategy.prioritiser is not None:
            faults = list(self._strategy.prioritiser.prioritise(faults, trace))
        return Prepared(known, control, tuple(faults))

    def _worth_control(self, control: ControlRuns) -> bool:
        """Whether the test races, and there is anything to try; it may fail by its race alone."""
        failing = control.status == "failing"
        faults = self._runner.faults_of(control.trace) if failing else control.faults
        offered = self._strategy.searched(faults)
        left_out = bool(self._scenarios) and not self._given(control.nodeid)
        wanted = self._strategy.user_filter.prune(offered, control.trace, None)
        return bool(wanted) and not left_out and control.races

    def _told_of_company(self, nodeid: str, control: ControlRuns) -> str:
        """The note on a test that can't be amplified; on one that fails only by itself, what it needs."""
        seen = self._seen.get(nodeid)
        if control.status != "failing" or seen is None or seen.verdict is not Verdict.PASS:
            return self._controls.told(control)
        names = list(self._seen)
        earlier = names[: names.index(nodeid)]
        needed = needed_test(self._company, nodeid, earlier, self._seen) if self._company else ""
        after = f"passes after {needed}, " if needed else "passes after other tests, "
        return f"depends on earlier tests: {after}fails alone: {control.note}"

    def _explore(
        self,
        known: TestResult,
        control: ControlRuns,
        faults: Sequence[Fault],
        observers: Sequence[Observer],
        until: float | None,
    ) -> TestResult:
        memory = Memory(self._store, self._code, known.nodeid)

        def execute(scenario: Scenario, ticket: Ticket) -> Outcome:
            outcome = control.compared(self._runner.run(known.nodeid, scenario, control, ticket))
            self._store.add_outcome(self._code, known.nodeid, outcome)
            return outcome

        def faults_of(trace: Trace) -> Sequence[Fault]:
            return self._strategy.user_filter.prune(self._runner.faults_of(trace), trace, None)

        witness = Witness(control.trace)
        given = [as_in(one, control.trace) for one in self._given(known.nodeid)]
        searched = search(
            registry.explorer("static", given) if given else self._strategy.explorer,
            self._options(memory, faults, control.trace),
            SearchSpec(control.trace, faults, faults_of, memory, self._settings.limit),
            ended_by(lambda: self._shares.spent, execute),
            slots=self._slots,
            deadline=until,
            observers=(*observers, witness),
        )
        found, left_out = searched.found, self._left_out(control.trace)
        if searched.calls and not self._settings.rounds.several and not self._shares.spent:
            self._look_after(known, control, found.defects, witness)
        defects = tuple(self._keep(known, defect, witness) for defect in found.defects)
        offered = real_faults(faults)
        if found.idle and not known.note:
            left_out = why_no_faults(control.trace, offered)
        return replace(
            known,
            status=searched.status,
            note=told_once(known.note, *searched.remarks, left_out),
            targets=len({fault.target for fault in offered}) + found.orders.messages,
            faults=len(offered) + found.orders.pairs,
            orders=found.orders.if_any,
            passing=found.passing,
            executions=searched.calls + memory.hits,
            unresolved=searched.unresolved,
            defects=defects,
            survived=witness.survived if found.defects else (),
            questions=searched.questions,
            files=witness.files(known.files),
            pruned=found.pruned,
            speculation=searched.tally,
            exchanges=exchanges_of(
                known.nodeid,
                control.trace,
                offered,
                witness.tried(defects, strict=self._settings.strict),
                clean=known.status not in _UNRELIABLE,
            ),
        )

    def _look_after(
        self, known: TestResult, control: ControlRuns, defects: Sequence[Defect], witness: Witness
    ) -> None:
        """Have the outcomes say which defects stay once their faults are gone."""

        def afterwards(scenario: Scenario) -> Outcome:
            return self._runner.run(known.nodeid, scenario, control, None, AFTERMATH)

        for defect in defects:
            outcome = self._outcome_of(known.nodeid, defect, witness)
            if outcome is not None and self._recovery.asks(known, defect, outcome):
                with contextlib.suppress(Cancelled):
                    outcome = replace(outcome, aftermath=self._recovery.told(defect, afterwards))
                    self._store.add_outcome(self._code, known.nodeid, outcome)

    def _left_out(self, trace: Trace) -> str:
        known = "" if self._settings.explorer == "exhaustive" else what_is_known(trace)
        return "; ".join(filter(None, (known, what_was_left_out(trace))))

    def _exchanges(self, result: TestResult) -> tuple[Exchange, ...]:
        """What a test sent that was not searched: all that it offers was left untried."""
        trace = result.control
        offered = self._runner.faults_of(trace) if trace.sends else ()
        in_force = self._strategy.user_filter.prune(real_faults(offered), trace, None)
        clean = result.status not in _UNRELIABLE
        return exchanges_of(result.nodeid, trace, in_force, clean=clean)

    def _given(self, nodeid: str) -> list[Scenario]:
        return [file.scenario for file in self._scenarios if file.nodeid == nodeid]

    def _options(self, memory: Memory, faults: Iterable[Fault], trace: Trace) -> ExploreOptions:
        pages = pages_of(memory.nodeid, faults, trace, self._pages, memory.known)
        return self._strategy.options(self._settings, pages)

    def _keep(self, known: TestResult, defect: Defect, witness: Witness) -> FoundDefect:
        """Write the defect's scenario file, judge it and remember it.

        A scenario that was not reduced to its end holds only what was really done: a fault that
        found no chance in the failing run would leave a replay without an answer.
        """
        nodeid = known.nodeid
        outcome = self._outcome_of(nodeid, defect, witness)
        if not defect.minimal and outcome is not None and not self._scenarios:
            done = applied(outcome, defect.scenario)
            defect = replace(defect, scenario=Scenario.of(done)) if done else defect
        rounds = AFTERMATH if outcome and outcome.aftermath else self._settings.rounds
        file = ScenarioFile(
            nodeid,
            defect.scenario,
            defect.failure,
            "../..",
            self._version,
            rounds,
            controlled=outcome is not None and was_controlled(outcome.trace),
        )
        path = self._store.write_file(f"{SCENARIOS}/{file.name}", to_text(file))
        shown = self._shown(path)
        self._store.add_finding(self._code, nodeid, defect.scenario, defect.failure, shown)
        trace, evidence = (outcome.trace, outcome.evidence) if outcome else (Trace(), NOTHING)
        aftermath = outcome.aftermath if outcome else ""
        found = FoundDefect(defect, shown, trace, evidence=evidence, aftermath=aftermath)
        return judged(known, replace(found, pytest_args=self._pytest_args))

    def _outcome_of(self, nodeid: str, defect: Defect, witness: Witness) -> Outcome | None:
        """The execution that showed the defect: of just its faults, if that one failed."""
        planned = (defect.scenario, witness.run_that_failed_by(defect.scenario))
        outcomes = [self._store.last(self._code, nodeid, scenario) for scenario in planned]
        return next((one for one in outcomes if one and one.verdict is Verdict.FAIL), outcomes[0])
