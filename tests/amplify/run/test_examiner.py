"""One test from its control to a status, in a simulated system that runs thousands of times a second."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import all_names
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.planning.time_shares import TimeShares
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.examiner import Examiner
from socrates_amplify.run.strategy import choose
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.simulation.actors import Message, Simulation, World
from socrates_amplify.store.scenario_files import ScenarioFile
from socrates_amplify.store.store import Store


class Counter:
    """Counts what arrives; twice what arrives twice."""

    def __init__(self) -> None:
        self.count = 0

    def receive(self, message: Message, sender: str, world: World) -> object:
        self.count += message.type == "Add"
        return self.count


def script(world: World) -> None:
    world.create("Counter#1", Counter, persistent=False)
    for number in range(4):
        world.tell("Counter#1", Message("Add", number), at_least_once=True)
    world.check(4, world.ask("Counter#1", Message("Count")), "Counter#1")


@dataclasses.dataclass
class SimulatedBench:
    """A runner that runs a simulation and counts its executions."""

    simulation: Simulation = dataclasses.field(default_factory=lambda: Simulation(script))
    status: str = "ok"
    deaf: bool = False
    """Whether no planned fault ever finds its target."""
    executions: int = 0

    def control_runs(
        self, nodeid: str, known: Sequence[Outcome] = (), seen: Outcome | None = None
    ) -> ControlRuns:
        outcome = self.simulation.run(Scenario())
        faults = tuple(self.faults_of(outcome.trace))
        return ControlRuns(
            nodeid,
            self.status,  # type: ignore[arg-type]
            "as told",
            outcome.trace,
            faults,
            outcomes=(outcome,),
        )

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        control: ControlRuns,
        ticket: Ticket | None = None,
    ) -> Outcome:
        self.executions += 1
        if self.deaf:
            return Outcome(scenario, Verdict.UNRESOLVED, reason="nothing found its target")
        return self.simulation.run(scenario)

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        return self.simulation.faults_of(trace)


Examine = Callable[..., TestResult]


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    """Examines one test of a runner with settings."""

    def run(
        runner: SimulatedBench,
        deadline: float | None = None,
        scenarios: Sequence[ScenarioFile] = (),
        **settings: object,
    ) -> TestResult:
        chosen = AmplifySettings().overridden(**settings)
        strategy = choose(chosen, all_names())
        with Store.open(tmp_path) as store:
            shares = TimeShares(deadline)
            examiner = Examiner(
                runner, store, "code", strategy, chosen, shares=shares, scenarios=tuple(scenarios)
            )
            return examiner.examine("test_a.py::test_a")

    return run


def test_a_defect_is_found(examine: Examine) -> None:
    assert examine(SimulatedBench()).status is Status.DEFECTIVE


def test_the_failing_run_comes_with_the_defect(examine: Examine) -> None:
    (found,) = examine(SimulatedBench()).defects

    assert len(found.trace.sends) == 5


def test_every_execution_is_counted(examine: Examine) -> None:
    runner = SimulatedBench()

    assert examine(runner).executions == runner.executions


def test_what_the_store_knows_is_not_executed_again(examine: Examine) -> None:
    examine(SimulatedBench())
    again = SimulatedBench()
    examine(again)

    assert again.executions == 0


@pytest.mark.parametrize("of", ["test_a.py::test_a", "test_a.py::test_b"])
def test_given_scenario_does_not_take_the_place_of_what_a_search_found(
    examine: Examine, tmp_path: Path, of: str
) -> None:
    examine(SimulatedBench())
    examine(SimulatedBench(Simulation(stateless)), scenarios=[ScenarioFile(of, Scenario())])
    with Store.open(tmp_path) as store:
        assert store.statuses("code") == {"test_a.py::test_a": "defective"}


def test_what_the_store_knows_is_still_counted(examine: Examine) -> None:
    assert examine(SimulatedBench()).executions == examine(SimulatedBench()).executions


def stateless(world: World) -> None:
    world.create("Counter#1", Counter)
    world.check(0, world.ask("Counter#1", Message("Count")), "Counter#1")


def test_a_system_that_notices_nothing_is_resilient(examine: Examine) -> None:
    assert examine(SimulatedBench(Simulation(stateless))).status is Status.RESILIENT


def test_faults_that_never_find_a_target_prove_nothing(examine: Examine) -> None:
    assert examine(SimulatedBench(deaf=True)).status is Status.ERROR


def test_unresolved_executions_are_counted(examine: Examine) -> None:
    result = examine(SimulatedBench(deaf=True))

    assert result.unresolved == result.executions


def test_the_budget_is_kept(examine: Examine) -> None:
    runner = SimulatedBench()
    examine(runner, budget=1)

    assert runner.executions == 1


class LateBench(SimulatedBench):
    """A runner that offers a delay for which no run ever gives a chance."""

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        return [*super().faults_of(trace), Fault("too late", "delay", "test", "Counter#1", "Add")]


def test_what_the_budget_cut_short_holds_only_faults_that_were_applied(examine: Examine) -> None:
    (found,) = examine(LateBench(), budget=1, explorer="dd").defects

    assert {fault.kind for fault in found.defect.scenario} == {"duplicate"}


def test_what_the_budget_cut_short_is_not_called_minimal(examine: Examine) -> None:
    (found,) = examine(SimulatedBench(), budget=1).defects

    assert (found.defect.minimal, "budget" in found.defect.note) == (False, True)


def test_when_time_is_over_nothing_is_run(examine: Examine) -> None:
    assert examine(SimulatedBench(), deadline=time.monotonic() - 1).status is Status.NOT_RUN


@pytest.mark.parametrize(
    ("told", "status"),
    [("failing", Status.FAILING), ("flaky", Status.FLAKY), ("not-run", Status.NOT_RUN)],
)
def test_what_the_baseline_says_ends_it(told: str, status: Status, examine: Examine) -> None:
    runner = SimulatedBench(status=told)

    assert (examine(runner).status, runner.executions) == (status, 0)


def test_a_flaky_test_can_be_allowed(examine: Examine) -> None:
    flaky = SimulatedBench(status="flaky")

    assert examine(flaky, allow_flaky=True).status is Status.DEFECTIVE


@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param({"exclude": ("kind=duplicate",)}, id="excluded"),
        pytest.param({"include": ("to=Nobody",)}, id="not included"),
    ],
)
def test_patterns_leave_faults_out(patterns: dict[str, tuple[str, ...]], examine: Examine) -> None:
    assert examine(SimulatedBench(), **patterns).status is Status.NO_TARGETS


def examiner_of(runner: SimulatedBench, store: Store, shares: TimeShares) -> Examiner:
    settings = AmplifySettings()
    return Examiner(runner, store, "code", choose(settings, all_names()), settings, shares=shares)


def test_search_that_goes_on_when_the_time_is_over_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path) as store:
        examiner = examiner_of(SimulatedBench(), store, TimeShares(time.monotonic() + 600))
        prepared = examiner.prepare("test_a.py::test_a")
        first = examiner.search(prepared)
        monkeypatch.setattr(examiner, "_shares", TimeShares(time.monotonic()))
        again = examiner.search(prepared)
        kept = store.statuses("code")
    assert (again, kept) == (first, {"test_a.py::test_a": "defective"})


def test_run_that_goes_on_with_too_little_time_loses_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = examiner_of(SimulatedBench(), store, TimeShares(None)).examine("test_a.py::test_a")
        late = examiner_of(SimulatedBench(), store, TimeShares(time.monotonic()))
        again = late.examine("test_a.py::test_a")
        kept = store.statuses("code")
    assert (again.status, len(again.defects), again.executions, kept) == (
        Status.DEFECTIVE,
        len(first.defects),
        first.executions,
        {"test_a.py::test_a": "defective"},
    )
