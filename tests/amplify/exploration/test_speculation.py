"""Speculation changes how long a search takes, and nothing else."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.naive import NaiveExplorer
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.speculate.foresight import Foresight, SearchSpec
from socrates_amplify.exploration.speculate.speculation import Speculator
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import (
    Exploration,
    ExploreOptions,
    Explorer,
    Problem,
    Question,
    Tally,
)
from socrates_amplify.simulation.actors import Simulation
from socrates_amplify.simulation.workers import SimulatedJob, SimulatedWorkers

EXPLORERS = [
    SocraticExplorer(),
    DeltaDebuggingExplorer(),
    NaiveExplorer(),
    ExhaustiveExplorer(),
]
explorers = pytest.mark.parametrize("explorer", EXPLORERS, ids=lambda explorer: explorer.name)


@dataclass(frozen=True)
class Ended:
    """A search that came to its end."""

    found: Exploration
    questions: Sequence[Question]
    calls: int
    tally: Tally
    pool: SimulatedWorkers
    answers: Sequence[Outcome]


@dataclass(frozen=True)
class System:
    """What is searched, whatever it is made of."""

    control: Trace
    faults: Sequence[Fault]
    run: Callable[[Scenario], Outcome]
    faults_of: Callable[[Trace], Sequence[Fault]] = lambda trace: ()

    @classmethod
    def of(cls, simulation: Simulation) -> System:
        control = simulation.control()
        faults = simulation.faults_of(control)
        return cls(control, faults, simulation.run, simulation.faults_of)

    def search(
        self,
        explorer: Explorer,
        workers: int,
        timing: int | None = None,
        budget: int | None = 60,
        options: ExploreOptions | None = None,
        look_takes: float = 0.0,
    ) -> Ended:
        """Search with so many workers; ``timing`` seeds how long executions take.

        One look at the clock is ``look_takes`` seconds after the one before.
        """
        options = options or ExploreOptions()
        clock = random.Random(timing)
        pool = SimulatedWorkers(
            workers, self.run, lambda scenario: 1.0 if timing is None else clock.uniform(0.1, 5.0)
        )
        spec = SearchSpec(self.control, self.faults, self.faults_of, None, budget)
        ticks = itertools.count(0.0, look_takes)
        speculator = Speculator(pool, Foresight(explorer, options, spec, lambda: next(ticks)))
        answers: list[Outcome] = []

        def run(scenario: Scenario) -> Outcome:
            answers.append(speculator.run(scenario))
            return answers[-1]

        gateway = Gateway(self.control, self.faults, run, faults_of=self.faults_of, budget=budget)
        found = explorer.explore(gateway, options)
        speculator.close()
        return Ended(found, gateway.questions, gateway.calls, speculator.tally, pool, answers)


tables = st.lists(
    st.sampled_from(["pass", "pass", "fail", "fail at another line", "unresolved"]),
    min_size=64,
    max_size=64,
)


@pytest.fixture(scope="session")
def ruled(rule_problem) -> Callable[[Sequence[str]], System]:
    """A system of six faults in which every scenario has an answer of its own."""

    def make(table: Sequence[str]) -> System:
        def judge(asked: frozenset[str]) -> str:
            return table[sum(1 << int(target[1:]) for target in asked)] if asked else "pass"

        problem = rule_problem(6, judge, actors=3)
        return System(problem.control, problem.faults, problem._answer)

    return make


@st.composite
def counters(draw) -> tuple[dict[str, list[str]], dict[str, str]]:
    """A tree of actors, some of which count, forget or miscount under faults."""
    size = draw(st.integers(2, 6))
    tree: dict[str, list[str]] = {f"N{number}": [] for number in range(size)}
    for number in range(1, size):
        tree[f"N{draw(st.integers(0, number - 1))}"].append(f"N{number}")
    return tree, draw(st.dictionaries(st.sampled_from(sorted(tree)), st.sampled_from("DRUM")))


def seen(ended: Ended) -> tuple[Exploration, Sequence[Question], int]:
    """All that an explorer and its report can tell of a search."""
    return ended.found, ended.questions, ended.calls


@explorers
@given(table=tables, workers=st.integers(2, 9), timing=st.integers(), budget=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_any_system_gives_the_same_result(explorer, table, workers, timing, budget, ruled) -> None:
    system = ruled(table)
    alone = system.search(explorer, 1, budget=budget)
    assert seen(system.search(explorer, workers, timing, budget)) == seen(alone)


@explorers
@given(drawn=counters(), workers=st.integers(2, 9), timing=st.integers())
@settings(max_examples=15, deadline=None)
def test_actors_with_traces_give_the_same_result(
    explorer, drawn, workers, timing, counter_system
) -> None:
    system = System.of(counter_system(*drawn))
    alone = system.search(explorer, 1, budget=20)
    assert seen(system.search(explorer, workers, timing, budget=20)) == seen(alone)


@explorers
@given(table=tables, workers=st.integers(1, 9), timing=st.integers())
@settings(max_examples=15, deadline=None)
def test_no_more_run_at_once_than_there_are_workers(
    explorer, table, workers, timing, ruled
) -> None:
    assert ruled(table).search(explorer, workers, timing).pool.most <= workers


@given(table=tables, workers=st.integers(2, 9), timing=st.integers())
@settings(max_examples=20, deadline=None)
def test_in_the_end_nothing_runs(table, workers, timing, ruled) -> None:
    assert ruled(table).search(SocraticExplorer(), workers, timing).pool.under_way == []


@given(table=tables, workers=st.integers(1, 9), timing=st.integers())
@settings(max_examples=20, deadline=None)
def test_what_was_not_made_ahead_was_made_when_asked(table, workers, timing, ruled) -> None:
    ended = ruled(table).search(SocraticExplorer(), workers, timing)
    assert ended.calls <= ended.tally.finished


@explorers
def test_one_worker_makes_nothing_ahead(explorer, ruled) -> None:
    ended = ruled(["fail"] * 64).search(explorer, 1)
    assert ended.tally == Tally(ended.calls, ended.calls, 0, 0)


def test_answers_that_contradict_a_guess_cancel_what_runs(counter_system) -> None:
    tree = {"N0": [f"N{number}" for number in range(1, 9)], **{f"N{n}": [] for n in range(1, 9)}}
    system = System.of(counter_system(tree, {"N5": "D"}))
    ended = system.search(DeltaDebuggingExplorer(), 6, timing=1)
    assert ended.tally.cancelled > 0


def test_every_question_has_an_execution_of_its_own(ruled) -> None:
    """A hang is no final answer: asked again, it is executed again, ahead or not."""
    system = ruled(["fail"] * 64)
    count = iter(range(10_000))

    def run(scenario: Scenario) -> Outcome:
        return replace(system.run(scenario), reason=str(next(count)), final=False)

    ended = replace(system, run=run).search(SocraticExplorer(), 4, timing=2)
    reasons = [outcome.reason for outcome in ended.answers]
    assert len(set(reasons)) == len(reasons) == ended.calls


@pytest.mark.parametrize(("workers", "share"), [(2, 0.6), (4, 0.4), (8, 0.25)])
def test_a_resilient_test_is_searched_faster(workers, share, counter_system) -> None:
    tree = {"N0": [f"N{number}" for number in range(1, 9)], **{f"N{n}": [] for n in range(1, 9)}}
    system = System.of(counter_system(tree, {}))
    alone, together = (system.search(SocraticExplorer(), n) for n in (1, workers))
    assert together.pool.clock <= share * alone.pool.clock


class Moody:
    """Asks something else each time it is run."""

    name = "moody"
    runs = 0

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        type(self).runs += 1
        for number in range(2, 6):
            start = (self.runs + number) % 6
            problem.consider(Scenario.of(problem.faults[start : start + number]))
        return Exploration()


def test_an_explorer_that_does_not_repeat_itself_is_left_alone(ruled) -> None:
    assert ruled(["pass"] * 64).search(Moody(), 4).tally.reused == 0


class Clumsy:
    """Fails unless all single faults pass."""

    name = "clumsy"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        for fault in problem.faults:
            if problem.consider(Scenario.of([fault])).verdict is not Verdict.PASS:
                raise ValueError("not prepared for this")
        return Exploration()


def test_an_explorer_that_fails_only_on_a_guess_goes_on(ruled) -> None:
    assert ruled(["pass"] * 64).search(Clumsy(), 4).calls == 6


class Counting(NaiveExplorer):
    """Knows how often it was run."""

    runs = 0

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        type(self).runs += 1
        return super().explore(problem, options)


def test_one_run_ahead_finds_many_questions(counter_system) -> None:
    """Each run starts from the beginning, so a run for every question would take too long."""
    tree = {"N0": [f"N{number}" for number in range(1, 9)], **{f"N{n}": [] for n in range(1, 9)}}
    ended = System.of(counter_system(tree, {})).search(Counting(), 8)
    assert Counting.runs <= ended.calls


def test_too_much_to_remember_ends_looking_ahead(ruled, monkeypatch) -> None:
    monkeypatch.setattr("socrates_amplify.exploration.speculate.speculation.MOST_EVENTS", 2)
    ended = ruled(["pass"] * 64).search(NaiveExplorer(), 2)
    assert ended.tally.reused < ended.calls // 2


@pytest.mark.parametrize(("look_takes", "reused"), [(0.2, 4), (0.3, 3)])
def test_looking_ahead_has_to_be_worth_it(look_takes, reused, ruled) -> None:
    """What the first look ahead has found is used, whatever it took."""
    ended = ruled(["pass"] * 64).search(NaiveExplorer(), 4, look_takes=look_takes)
    assert ended.tally.reused == reused


FLAWS = {"a chain": ({"N0": ["N1"], "N1": ["N2"], "N2": []}, {"N1": "D"}),
         "a star": ({"N0": ["N1", "N2", "N3"], "N1": [], "N2": [], "N3": []}, {"N2": "R"}),
         "no defect": ({"N0": ["N1"], "N1": []}, {})}  # fmt: skip


@explorers
def test_what_is_executed_when(explorer, counter_system, kept) -> None:
    """Each start and each cancellation in virtual time, as the files in ``data`` have them."""
    lines = []
    for name, (tree, flaws) in FLAWS.items():
        for workers, timing in ((3, None), (4, 7)):
            system = System.of(counter_system(tree, flaws))
            order = {fault: number for number, fault in enumerate(system.faults)}
            with pytest.MonkeyPatch.context() as patch:
                log = logged(patch, order)
                ended = system.search(explorer, workers, timing, budget=25)
            lines.append(f"## {name}, {workers} workers, {ended.tally}")
            for _, at_once in itertools.groupby(log, lambda line: line.split()[:2]):
                told_at_once = list(at_once)
                # Which of several is cancelled first is nobody's business.
                lines += sorted(told_at_once) if "cancel" in told_at_once[0] else told_at_once
    told = "\n".join([*lines, ""])
    assert told == kept(f"ahead, {explorer.name}.txt", told)


def logged(patch: pytest.MonkeyPatch, order: dict[Fault, int]) -> list[str]:
    """What simulated workers do from now on; faults are told by their numbers."""
    log: list[str] = []
    start, cancel = SimulatedWorkers.start, SimulatedJob.cancel

    def tell(word: str, scenario: Scenario, clock: float) -> None:
        faults = " ".join(str(order.get(fault, fault.receiver)) for fault in scenario)
        log.append(f"{clock:.1f} {word} {faults}")

    def starts(workers: SimulatedWorkers, scenario: Scenario) -> SimulatedJob:
        tell("start", scenario, workers.clock)
        return start(workers, scenario)

    def cancels(job: SimulatedJob) -> None:
        tell("cancel", job.scenario, job.workers.clock)
        cancel(job)

    patch.setattr(SimulatedWorkers, "start", starts)
    patch.setattr(SimulatedJob, "cancel", cancels)
    return log
