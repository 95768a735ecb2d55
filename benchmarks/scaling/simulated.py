"""Speculation on simulated workers: virtual time, the thesis' systems, one worker to 64."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chaokka.lab import simulate
from chaokka.systems import Spec

from socrates_amplify.exploration import registry
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.speculate.foresight import Foresight, SearchSpec
from socrates_amplify.exploration.speculate.speculation import Speculator
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import ExploreOptions, Tally
from socrates_amplify.simulation.workers import SimulatedWorkers

PAPER_FIGURE_3 = {
    "paper, least of three cases": ((1, 1.0), (6, 4 / 16)),
    "paper, most of three cases": ((1, 1.0), (6, 16 / 37)),
}
"""Zhou et al. 2019, section 6.1: 16 to 37 minutes with one cluster, 4 to 16 with six. The points
between are only in the picture, so a straight line stands for them."""

PAPER_TABLE_4 = {"created": 84, "finished": 51, "cancelled": 21, "removed": 12, "reused": 19}
"""Their fault case F4 on four clusters."""


@dataclass(frozen=True)
class Simulated:
    """One search in virtual time."""

    clock: float
    calls: int
    tally: Tally
    found: object


SEARCHES: Mapping[str, tuple[str, int | None]] = {
    "dd, to the first defect": ("dd", 1),
    "naive, to the end": ("naive", None),
    "socratic, to the end": ("socratic", None),
}
"""Explorers, and after how many defects they stop. The paper's searches are like the first; to
its first defect the socratic one needs two or three executions, which leaves nothing to foresee."""


def search(spec: Spec, name: str, workers: int) -> Simulated:
    """Each scenario takes between a half and one and a half units of time."""
    explorer, defects = SEARCHES[name]
    simulation = simulate(spec)
    control = simulation.control()
    faults = simulation.faults_of(control)
    options = ExploreOptions(max_defects=defects)
    pool = SimulatedWorkers(workers, simulation.run, _takes)
    spec = SearchSpec(control, faults, simulation.faults_of, None, None)
    chosen = registry.explorer(explorer)
    # In virtual time nobody waits for a look ahead.
    foresight = Foresight(chosen, options, spec, clock=lambda: 0.0)
    speculator = Speculator(pool, foresight)
    gateway = Gateway(control, faults, speculator.run, faults_of=simulation.faults_of, budget=None)
    found = chosen.explore(gateway, options)
    speculator.close()
    return Simulated(pool.clock, gateway.calls, speculator.tally, found)


def curve(
    specs: Sequence[Spec], name: str, workers: Sequence[int]
) -> Iterator[tuple[int, float, Sequence[Simulated]]]:
    """For each number of workers: the mean share of the time that one takes, and the searches."""
    alone = [search(spec, name, 1) for spec in specs]
    for number in workers:
        these = alone if number == 1 else [search(spec, name, number) for spec in specs]
        for one, many in zip(alone, these, strict=True):
            if one.found != many.found:
                raise AssertionError(f"{name}, with {number} workers: something else was found")
        shares = [many.clock / one.clock for one, many in zip(alone, these, strict=True)]
        yield number, sum(shares) / len(shares), these


def _takes(scenario: Scenario) -> float:
    return random.Random(scenario.key).uniform(0.5, 1.5)
