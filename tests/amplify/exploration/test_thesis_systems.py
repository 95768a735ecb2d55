"""The generated systems that the benchmark runs are the thesis' kind of systems."""

from __future__ import annotations

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict


@pytest.fixture(scope="module")
def systems(benchmark_module):
    """The benchmark's module."""
    return benchmark_module("chaokka.systems")


@pytest.mark.parametrize("updates", [129, 513, 1004])
def test_a_topology_sends_exactly_the_wanted_updates(systems, updates):
    assert sum(systems.paths(systems.topology(updates, seed=1))) == updates


def test_every_actor_is_reached(systems):
    assert min(systems.paths(systems.topology(129, seed=1))) >= 1


def test_updates_run_only_to_higher_numbers(systems):
    edges = systems.topology(204, seed=1)
    assert all(actor < child for actor, children in edges.items() for child in children)


def test_there_are_thirty_systems(systems):
    specs = systems.thesis_specs()
    assert (len(specs), len({spec.id for spec in specs})) == (30, 30)


def test_the_baseline_passes_and_offers_the_thesis_number_of_faults(systems):
    spec = systems.thesis_specs()[0]
    simulation = systems.simulate(spec)
    faults = simulation.faults_of(simulation.control())
    assert (simulation.run(Scenario()).verdict, len(faults)) == (Verdict.PASS, 129)


@pytest.mark.parametrize("number", [0, 9], ids=["duplicate", "restart"])
def test_only_faults_on_the_seeded_actor_break_the_test(systems, number):
    spec = systems.thesis_specs()[number]
    simulation = systems.simulate(spec)
    faults = [f for f in simulation.faults_of(simulation.control()) if f.message[0] in "UC"]
    broken = {f.receiver for f in faults if simulation.run(Scenario.of([f])).failure}
    assert broken == {"Node#6"}
