"""The orders of one test by themselves, for ``socrates trace --orders``."""

from __future__ import annotations

from dataclasses import replace

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.speculate.foresight import SearchSpec
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.results import FoundDefect, Status, TestResult
from socrates_amplify.model.search import Defect, ExploreOptions
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.search import Memory, search
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.store import Store


def orders_of_test(
    runner: SuiteRunner,
    store: Store,
    code: str,
    nodeid: str,
    control: ControlRuns,
    settings: AmplifySettings,
) -> TestResult:
    """Search for orders that break the test; what the store knows is not run again.

    ``runner`` has no kinds of faults but orders.
    """

    def execute(scenario: Scenario, ticket: Ticket) -> Outcome:
        outcome = control.compared(runner.run(nodeid, scenario, control, ticket))
        store.add_outcome(code, nodeid, outcome)
        return outcome

    def found(defect: Defect) -> FoundDefect:
        outcome = store.last(code, nodeid, defect.scenario)
        return FoundDefect(defect, "", outcome.trace if outcome else Trace())

    faults = runner.faults_of(control.trace)
    memory = Memory(store, code, nodeid)
    spec = SearchSpec(control.trace, faults, runner.faults_of, memory, settings.limit)
    options = ExploreOptions(seed=settings.seed, criterion=settings.criterion)
    searched = search(SocraticExplorer(), options, spec, execute)
    known = TestResult(nodeid, Status.NO_TARGETS, note=searched.found.note, control=control.trace)
    return replace(
        known,
        status=searched.status,
        defects=tuple(map(found, searched.found.defects)),
        orders=searched.found.orders.if_any,
        passing=searched.found.passing,
    )
