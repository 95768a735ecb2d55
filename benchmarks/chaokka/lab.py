"""Where analyses are run on generated systems: simulated, or real Pykka through the fork server."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

from chaokka.systems import ACTORS, Spec, simulate
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.exploration import registry
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import Exploration, ExploreOptions
from socrates_amplify.probes.space import message_faults

PROJECT = Path(__file__).parents[1] / "thesis_project"
LIMIT = 60.0
TRAFFIC = ("Update", "Confirm")


@dataclass(frozen=True, slots=True)
class Analysis:
    """An explorer with its pruner and prioritiser, under the thesis' name for it."""

    label: str
    explorer: str
    pruner: str = "none"
    prioritiser: str = "shuffle"
    use_traces: bool = True


RT_N = Analysis("RT-N", "naive")
RT_DD = Analysis("RT-DD", "dd")
RT_DD_O = Analysis("RT-DD-O", "dd", "causality")
SOCRATIC = Analysis("socratic", "socratic")
BLIND = Analysis("socratic, no traces", "socratic", use_traces=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What one analysis of one system came to."""

    spec: Spec
    executions: int
    exploration: Exploration

    @property
    def blamed(self) -> tuple[str, ...]:
        """Receiver and kind of each fault of each defect."""
        return tuple(
            " + ".join(f"{fault.kind} {fault.receiver}" for fault in defect.scenario)
            for defect in self.exploration.defects
        )

    @property
    def timed_out(self) -> bool:
        """Whether the budget ended before a minimal scenario was found."""
        defects = self.exploration.defects
        return not defects or not all(defect.minimal for defect in defects)


class Lab(Protocol):
    """Knows how to run one system once."""

    def control(self, spec: Spec) -> Trace:
        """The trace of the passing run; kept, so that it is run only once."""

    def run(self, spec: Spec, scenario: Scenario) -> Outcome:
        """One execution."""


class SimulatedLab:
    """In memory."""

    def __init__(self) -> None:
        self._baselines: dict[str, Trace] = {}

    def control(self, spec: Spec) -> Trace:
        """The trace of the passing run."""
        if spec.id not in self._baselines:
            self._baselines[spec.id] = simulate(spec).control()
        return self._baselines[spec.id]

    def run(self, spec: Spec, scenario: Scenario) -> Outcome:
        """One simulated run."""
        return simulate(spec).run(scenario)


class PykkaLab:
    """A pytest project with one test a system, run by the fork server."""

    def __init__(self, specs: Sequence[Spec], messages: int = 0) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="thesis-"))
        self._baselines: dict[str, Trace] = {}
        write_project(self._root, specs, messages)
        self.executor = ForkExecutor(Suite(self._root, pytest_args=("-p", "no:cacheprovider")))

    def __enter__(self) -> PykkaLab:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.executor.close()
        shutil.rmtree(self._root, ignore_errors=True)

    def control(self, spec: Spec) -> Trace:
        """The trace of the passing run, which must pass."""
        if spec.id not in self._baselines:
            outcome = self.executor.run(nodeid(spec), Scenario(), LIMIT)
            if outcome.verdict is not Verdict.PASS:
                raise SystemExit(f"the control of {spec.id} did not pass: {outcome.failure}")
            self._baselines[spec.id] = outcome.trace
        return self._baselines[spec.id]

    def run(self, spec: Spec, scenario: Scenario) -> Outcome:
        """One real run."""
        return self.executor.run(nodeid(spec), scenario, LIMIT)


def nodeid(spec: Spec) -> str:
    """The test of this system."""
    test = "test_total" if spec.total_only else "test_every_counter"
    return f"test_generated.py::{test}[{spec.id}]"


def write_project(root: Path, specs: Sequence[Spec], messages: int) -> None:
    """A project that any pytest can run."""
    shutil.copytree(PROJECT, root, dirs_exist_ok=True)
    (root / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    systems: Mapping[str, object] = {
        spec.id: {
            "edges": [spec.edges[number] for number in range(ACTORS)],
            "defects": spec.defects,
            "expected": spec.expected,
        }
        for spec in specs
    }
    plan = json.dumps({"systems": systems, "messages": messages})
    (root / "systems.json").write_text(plan, encoding="utf-8")


def traffic(trace: Trace, kinds: Sequence[str]) -> list[Fault]:
    """The thesis' fault targets: updates and confirmations, not the test's questions."""
    return [f for f in message_faults(trace, kinds) if f.message.startswith(TRAFFIC)]


def analyse(
    lab: Lab,
    spec: Spec,
    analysis: Analysis,
    *,
    seed: int = 0,
    budget: int | None = None,
    max_defects: int | None = 1,
) -> Result:
    """Run one analysis on one system; the control is not counted, everything else is."""
    control = lab.control(spec)
    prioritiser = registry.prioritiser(analysis.prioritiser, seed)
    faults = prioritiser.prioritise(traffic(control, spec.kinds), control)
    gateway = Gateway(
        control,
        faults,
        lambda scenario: lab.run(spec, scenario),
        faults_of=lambda trace: traffic(trace, spec.kinds),
        budget=budget,
    )
    options = ExploreOptions(
        max_defects=max_defects,
        seed=seed,
        pruner=None if analysis.pruner == "none" else registry.pruner(analysis.pruner),
        use_traces=analysis.use_traces,
    )
    found = registry.explorer(analysis.explorer).explore(gateway, options)
    return Result(spec, gateway.calls, found)
