"""What the searches of remote calls promise, on systems that nobody thought of."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.traces.families import family
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.services import CallFailedError, Services, leaf

WAYS = ("connection-error", "timeout", "404", "500", "503")
LEAVES = ("prices", "stock", "adverts")
SEARCHES = [SocraticExplorer, ExhaustiveExplorer, DeltaDebuggingExplorer]


@dataclass(frozen=True)
class Step:
    """One thing that a service does: a call, what it bears, how often, and what instead."""

    service: str
    bears: frozenset[str]
    attempts: int
    fallback: str | None
    optional: bool


STEPS = st.builds(
    Step,
    st.sampled_from(LEAVES),
    st.frozensets(st.sampled_from(WAYS), min_size=2),
    st.integers(1, 2),
    st.none() | st.sampled_from(LEAVES),
    st.booleans(),
)


def way(network, service, path):
    try:
        return str(network.call(service, path))
    except CallFailedError as failed:
        return failed.kind


def handler_of(steps):
    """A service that takes these steps; the path of a call names its place."""

    def handle(network):
        for number, step in zip("abcdef", steps, strict=False):
            ends = [way(network, step.service, f"/{number}")]
            while ends[-1] in step.bears and len(ends) < step.attempts:
                ends.append(way(network, step.service, f"/{number}"))
            if ends[-1] == "200":
                continue
            if ends[-1] not in step.bears:
                return 500
            spare = step.fallback
            if spare and way(network, spare, f"/{number}/spare") == "200":
                continue
            if not step.optional:
                return 503
        return 200

    return handle


def problem_of(front, back):
    """A test of a shop in front of a warehouse, both made of steps."""

    def shop(network):
        status = handler_of(front)(network)
        return status if status != 200 or way(network, "warehouse", "/") != "404" else 404

    services = dict.fromkeys(LEAVES, leaf) | {"shop": shop, "warehouse": handler_of(back)}
    system = Services(
        services,
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        dict.fromkeys(services, ("404", "500", "503")),
    )
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    return system, Gateway(control, faults, system.run, faults_of=system.faults_of, budget=3000)


def breaks(system, faults):
    return system.run(Scenario.of(faults)).verdict is Verdict.FAIL


def alone(system, gateway):
    """The families of faults that break the test alone."""
    return {family(fault) for fault in gateway.faults if breaks(system, [fault])}


SYSTEMS = {"front": st.lists(STEPS, max_size=3), "back": st.lists(STEPS, max_size=2)}


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(**SYSTEMS)
def test_every_reported_scenario_breaks_the_test(search, front, back):
    system, gateway = problem_of(front, back)
    found = search().explore(gateway, ExploreOptions(max_faults=2)).defects
    assert all(breaks(system, defect.scenario) for defect in found)


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(**SYSTEMS)
def test_no_fault_can_be_left_out_of_what_is_called_minimal(search, front, back):
    system, gateway = problem_of(front, back)
    needless = [
        left_out
        for defect in search().explore(gateway, ExploreOptions(max_faults=2)).defects
        if defect.minimal
        for left_out in defect.scenario
        if breaks(system, defect.scenario.faults - {left_out})
    ]
    assert needless == []


@pytest.mark.parametrize("search", [SocraticExplorer, ExhaustiveExplorer])
@settings(max_examples=12, deadline=None, derandomize=True)
@given(**SYSTEMS)
def test_each_fault_that_breaks_the_test_alone_is_found(search, front, back):
    system, gateway = problem_of(front, back)
    found = search().explore(gateway, ExploreOptions(reduction=False, max_faults=2)).defects
    single = {
        family(fault) for defect in found for fault in defect.scenario if len(defect.scenario) == 1
    }
    assert single == alone(system, gateway)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(**SYSTEMS)
def test_what_the_default_search_calls_resilient_survives_every_outage_of_one_way(front, back):
    system, gateway = problem_of(front, back)
    if SocraticExplorer().explore(gateway, ExploreOptions()).defects:
        return
    everything = system.faults_of(gateway.control)
    outages = [
        [f for f in everything if (f.kind, f.detail) == (g.kind, g.detail)] for g in everything
    ]
    assert not any(breaks(system, outage) for outage in outages)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(**SYSTEMS)
def test_reduction_leaves_no_failure_out(front, back):
    _, full = problem_of(front, back)
    _, reduced = problem_of(front, back)
    all_found = ExhaustiveExplorer().explore(full, ExploreOptions(reduction=False, max_faults=2))
    found = ExhaustiveExplorer().explore(reduced, ExploreOptions(max_faults=2))
    assert bool(found.defects) == bool(all_found.defects)
