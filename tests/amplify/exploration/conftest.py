"""Systems to explore: abstract ones that fail by rule, and small simulated trees of counters."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.simulation.actors import Message, Simulation, World

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
Judge = Callable[[frozenset[str]], str]


class RuleProblem(Gateway):
    """Fault ``i`` is the message ``m<i>``; a judge says pass, fail, unresolved or a failing line."""

    def __init__(self, count: int, judge: Judge, actors: int | None = None, budget: int = 10_000):
        self.space = [
            Fault(f"m{i}", "duplicate", "test", f"A{i % (actors or count)}", f"M(id={i})")
            for i in range(count)
        ]
        self._judge = judge
        super().__init__(Trace(), self.space, self._answer, budget=budget)

    def answer(self, scenario: Scenario) -> str:
        """What the rule says, without a question being counted."""
        return self._judge(frozenset(fault.target for fault in scenario.faults))

    def _answer(self, scenario: Scenario) -> Outcome:
        said = self.answer(scenario)
        trace = Trace(tuple(Injected(fault.target, fault.kind) for fault in scenario))
        if said in ("pass", "unresolved"):
            return Outcome(scenario, Verdict(said), trace=trace)
        return Outcome(scenario, Verdict.FAIL, Failure("E", said, said), trace=trace)


def judge_of(conflicts: Iterable[Iterable[str]]) -> Judge:
    """Fails as soon as one of the conflicts is complete: a monotonic system."""
    sets = [frozenset(conflict) for conflict in conflicts]
    return lambda asked: "fail" if any(conflict <= asked for conflict in sets) else "pass"


class Counter:
    """Counts updates once each and passes them on; ``flaws`` say what it does wrong.

    ``D`` counts duplicates, ``R`` forgets its count on restart, ``U`` counts duplicates down,
    ``M`` forgets on restart what it has seen.
    """

    def __init__(self, children: Sequence[str], flaws: str, journal: dict[str, int]) -> None:
        self._children = children
        self._flaws = flaws
        self._journal = journal
        self._seen: set[str] = set() if "M" in flaws else set(journal) - {"count"}
        self._count = 0 if "R" in flaws else journal.get("count", 0)

    def receive(self, message: Message, sender: str, world: World) -> object:
        if message.type == "State":
            return self._count
        key = str(message.key)
        if "U" in self._flaws and key in self._seen:
            self._count -= 1
        elif "D" in self._flaws or key not in self._seen:
            self._count += 1
            for child in self._children:
                world.tell(child, Message("Update", key=world.fresh()), at_least_once=True)
        self._seen.add(key)
        self._journal.update({key: 1, "count": self._count})
        return None


def counters(
    tree: Mapping[str, Sequence[str]],
    flaws: Mapping[str, str],
    kinds: Sequence[str] = ("duplicate", "restart"),
    total_only: bool = False,
) -> Simulation:
    """A test that updates the first actor of the tree and checks all counts, or their sum."""

    def count(world: World) -> dict[str, int]:
        for name, children in tree.items():
            world.create(name, partial(Counter, children, flaws.get(name, ""), {}))
        world.tell(next(iter(tree)), Message("Update", key="first"), at_least_once=True)
        return {name: int(str(world.ask(name, Message("State")))) for name in tree}

    healthy = dict.fromkeys(tree, 0)
    for name in tree:
        healthy[name] += name == next(iter(tree))
        for child in tree[name]:
            healthy[child] += healthy[name]

    def script(world: World) -> None:
        counts = count(world)
        if total_only:
            world.check(sum(healthy.values()), sum(counts.values()))
        for name in () if total_only else tree:
            world.check(healthy[name], counts[name], name)

    return Simulation(script, tuple(kinds))


def problem_of(simulation: Simulation, budget: int | None = None) -> Gateway:
    """The simulation behind a gateway, all faults in trace order except those on questions."""
    control = simulation.control()
    faults = [f for f in simulation.faults_of(control) if not f.message.startswith("State")]
    return Gateway(control, faults, simulation.run, faults_of=simulation.faults_of, budget=budget)


@pytest.fixture(scope="session")
def rule_problem() -> type[RuleProblem]:
    """Makes a problem that fails by a rule."""
    return RuleProblem


@pytest.fixture(scope="session")
def monotonic() -> Callable[[Iterable[Iterable[str]]], Judge]:
    """Makes a rule of conflicts."""
    return judge_of


@pytest.fixture(scope="session")
def counter_system() -> Callable[..., Simulation]:
    """Makes a simulated tree of counters."""
    return counters


@pytest.fixture(scope="session")
def counter_problem() -> Callable[..., Gateway]:
    """Makes a problem of a simulated tree of counters."""
    return lambda *args, budget=None, **options: problem_of(counters(*args, **options), budget)


@pytest.fixture(scope="module")
def benchmark_module() -> Iterator[Callable[[str], ModuleType]]:
    """Loads modules of the benchmarks, which are no part of a distribution."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module
    sys.path.remove(str(BENCHMARKS))
    rooms = {path.stem for path in BENCHMARKS.iterdir()}
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in rooms:
            del sys.modules[name]
