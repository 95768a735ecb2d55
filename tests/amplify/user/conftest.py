"""Results of a real search in a simulated system, and whole commands on copies of the examples."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from socrates.cli import main
from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.actors import Message, Simulation, World

HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[31m&\"'"


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
    baseline, executed = simulation.baseline(), dict[str, Outcome]()

    def execute(scenario: Scenario) -> Outcome:
        return executed.setdefault(scenario.key, simulation.run(scenario))

    faults = simulation.faults_of(baseline)
    gateway = Gateway(baseline, faults, execute, faults_of=simulation.faults_of)
    found = DeltaDebuggingExplorer().explore(gateway, ExploreOptions(max_defects=1))
    return TestResult(
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
        baseline=baseline,
        questions=tuple(gateway.questions),
    )


@pytest.fixture
def run(defective: TestResult) -> RunResult:
    """The defective test among others, one of them with a hostile name."""
    return RunResult(
        (
            defective,
            TestResult(f"tests/test_a.py::test_a[{HOSTILE}]", Status.RESILIENT, executions=1),
            TestResult("tests/test_a.py::test_smelly", Status.SMELLY, smells=("SOC101", "SOC103")),
            TestResult("tests/test_a.py::test_pure", Status.NO_TARGETS, note="no message was sent"),
            TestResult("tests/test_a.py::test_broken", Status.ERROR, note="it killed its process"),
        ),
        duration=2.0,
    )


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


class Command(Protocol):
    """Runs ``socrates`` in a folder."""

    def __call__(self, cwd: Path, *args: str) -> Done: ...


@pytest.fixture(scope="session")
def socrates() -> Command:
    """``socrates`` in this process, without a terminal. Tests run in processes of their own."""

    def run(cwd: Path, *args: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(cwd)
            patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
            patch.delenv("FORCE_COLOR", raising=False)
            code = main(args)
        return Done(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def python() -> Command:
    """``python -m`` in a process of its own."""

    def run(cwd: Path, *args: str) -> Done:
        command = [sys.executable, "-m", *args]
        done = subprocess.run(
            command, cwd=cwd, input="", capture_output=True, text=True, timeout=120, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts ``socrates`` in a folder and lets it run; nothing outlives the test."""
    processes: list[subprocess.Popen[str]] = []

    def start(cwd: Path, *args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "socrates", *args]
        pipe = subprocess.PIPE
        processes.append(subprocess.Popen(command, cwd=cwd, stdout=pipe, stderr=pipe, text=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def example() -> Callable[[str, Path], Path]:
    """Copies an example into a folder, without what earlier runs left in it."""
    examples = Path(__file__).parents[3] / "examples"
    ignored = shutil.ignore_patterns(".socrates*", "__pycache__")

    def copy(name: str, folder: Path) -> Path:
        return Path(shutil.copytree(examples / name, folder / name, ignore=ignored))

    return copy


@pytest.fixture(scope="session")
def repair() -> Callable[[Path], None]:
    """Repairs a copy of the defective example."""
    repaired = Path(__file__).parents[3] / "examples/accumulator_repaired/warehouse/stock.py"

    def overwrite(project: Path) -> None:
        shutil.copy(repaired, project / "warehouse" / "stock.py")

    return overwrite


@pytest.fixture(scope="session")
def sarif_schema() -> object:
    """The schema of SARIF 2.1.0."""
    path = Path(__file__).parents[2] / "data" / "sarif-schema-2.1.0.json"
    return json.loads(path.read_text(encoding="utf-8"))
