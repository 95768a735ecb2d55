"""Results of a real search in a simulated system."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.actors import Message, Simulation, World
from socrates_amplify.triage.judge import judged

HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[31m&\"'"


def outline(page: str) -> str:
    """A page without its style and its drawings, one element per line."""
    page = re.sub(r"<style>.*?</style>|sha256-[^']*", "", page, flags=re.DOTALL)
    return re.sub(r"<svg.*?</svg>", "<svg/>", page, flags=re.DOTALL).replace("><", ">\n<")


class _Stock:
    """Counts twice what arrives twice."""

    def __init__(self) -> None:
        self.total = 0

    def receive(self, message: Message, sender: str, world: World) -> object:
        if message.type == "CountIn":
            self.total += int(str(message.payload))
            return None
        return self.total


def _script(world: World) -> None:
    world.create("Stock#1", _Stock, persistent=False)
    for quantity in (1, 2, 3):
        world.tell("Stock#1", Message("CountIn", quantity), at_least_once=True)
    world.tell("Stock#1", Message("Note", HOSTILE), at_least_once=True)
    world.check(6, world.ask("Stock#1", Message("OnHand")), "Stock#1", line=17)


@pytest.fixture
def defective() -> TestResult:
    """One test with one defect, found by delta debugging."""
    simulation = Simulation(_script)
    control, executed = simulation.control(), dict[str, Outcome]()

    def execute(scenario: Scenario) -> Outcome:
        return executed.setdefault(scenario.key, simulation.run(scenario))

    faults = simulation.faults_of(control)
    gateway = Gateway(control, faults, execute, faults_of=simulation.faults_of)
    found = DeltaDebuggingExplorer().explore(gateway, ExploreOptions(max_defects=1))
    test = TestResult(
        "tests/test_dock.py::TestDock::test_total[a::b]",
        Status.DEFECTIVE,
        location="tests/test_dock.py:12",
        targets=len(faults),
        faults=len(faults),
        executions=gateway.calls,
        duration=0.5,
        defects=tuple(
            FoundDefect(
                defect, ".socrates/scenarios/3f2a.json", executed[defect.scenario.key].trace
            )
            for defect in found.defects
        ),
        control=control,
        questions=tuple(gateway.questions),
    )
    return replace(test, defects=tuple(judged(test, found) for found in test.defects))


@pytest.fixture
def run(defective: TestResult) -> RunResult:
    """The defective test among others, one of them with a hostile name."""
    return RunResult(
        (
            defective,
            TestResult(f"tests/test_a.py::test_a[{HOSTILE}]", Status.RESILIENT, executions=1),
            TestResult("tests/test_a.py::test_smelly", Status.SMELLY, smells=("SOC101", "SOC103")),
            TestResult(
                "tests/test_a.py::test_pure",
                Status.NO_TARGETS,
                note="nothing that can be faulted was sent",
            ),
            TestResult("tests/test_a.py::test_broken", Status.ERROR, note="it killed its process"),
        ),
        duration=2.0,
    )
