"""The exhaustive search: as many executions as published, in an order that keeps its promises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.services import CallFailedError, Services, leaf

NAMES = [
    *(f"cinema-{number}" for number in range(1, 9)),
    "audible",
    "expedia",
    "mailchimp",
    "netflix",
    "netflix with bugs",
]


@pytest.fixture(scope="module")
def published(benchmark_module):
    """The benchmark's module."""
    return benchmark_module("outages.systems")


def gateway_of(system, budget=None):
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    return Gateway(control, faults, system.run, faults_of=system.faults_of, budget=budget)


def explore(system, budget=None, **options):
    gateway = gateway_of(system, budget)
    found = ExhaustiveExplorer().explore(gateway, ExploreOptions(**options))
    return gateway, found


def scenarios(gateway):
    return [frozenset(fault.key for fault in q.scenario.faults) for q in gateway.questions]


def ways(defect):
    return [(fault.receiver, fault.kind, fault.detail) for fault in defect.scenario]


def fetching(network):
    """Survives one failed attempt, whatever the way, and answers 503 after the second."""
    for _ in range(2):
        try:
            if network.call("store") == 200:
                return 200
        except CallFailedError:
            pass
    return 503


@pytest.fixture
def retrying():
    """A test that fails when both attempts of its service do."""

    def script(network):
        network.check(network.call("shop") == 200, "no shop")

    return Services({"shop": fetching, "store": leaf}, script, {"store": ("404", "500")})


@pytest.mark.parametrize("name", NAMES)
def test_as_many_executions_are_generated_as_published(published, name):
    gateway, _ = explore(published.SYSTEMS[name], reduction=False)
    assert gateway.calls == published.TABLE_1[name][0]


@pytest.mark.parametrize("name", NAMES)
def test_as_many_executions_are_left_after_reduction_as_published(published, name):
    gateway, _ = explore(published.SYSTEMS[name])
    assert gateway.calls == published.TABLE_1[name][1]


def test_no_scenario_is_asked_twice(published):
    gateway, _ = explore(published.SYSTEMS["mailchimp"], reduction=False)
    asked = scenarios(gateway)
    assert len(set(asked)) == len(asked)


def test_smaller_scenarios_come_before_those_that_contain_them(published):
    gateway, _ = explore(published.SYSTEMS["mailchimp"], reduction=False)
    asked = scenarios(gateway)
    late = [(a, b) for n, a in enumerate(asked) for b in asked[n + 1 :] if b < a]
    assert late == []


def test_no_call_fails_in_two_ways_at_once(published):
    gateway, _ = explore(published.SYSTEMS["cinema-3"], reduction=False)
    twice = [q for q in gateway.questions if len({f.target for f in q.scenario}) < len(q.scenario)]
    assert twice == []


def test_the_same_answers_lead_to_the_same_questions(published):
    first, _ = explore(published.SYSTEMS["audible"])
    second, _ = explore(published.SYSTEMS["audible"])
    assert scenarios(first) == scenarios(second)


def test_scenarios_have_at_most_as_many_faults_as_wanted(published):
    gateway, _ = explore(published.SYSTEMS["netflix"], max_faults=2)
    assert max(len(q.scenario) for q in gateway.questions) == 2


def test_with_one_fault_at_most_each_way_of_each_call_is_asked_once(published):
    system = published.SYSTEMS["audible"]
    gateway, _ = explore(system, max_faults=1, reduction=False)
    assert gateway.calls == 1 + len(gateway.faults)


def test_the_note_says_how_much_was_implied(published):
    _, found = explore(published.SYSTEMS["cinema-2"])
    assert found.note == "1 scenario left out, implied by others"


def test_both_attempts_failing_is_the_defect(retrying):
    _, found = explore(retrying)
    assert {len(defect.scenario) for defect in found.defects} == {2}


def test_defects_of_a_retry_are_minimal(retrying):
    _, found = explore(retrying)
    assert all(defect.minimal for defect in found.defects)


def test_each_way_to_fail_is_a_defect_of_its_own(retrying):
    _, found = explore(retrying)
    kinds = {ways(defect)[0][1:] for defect in found.defects if len(set(ways(defect))) == 1}
    assert kinds == {
        ("connection-error", ""),
        ("timeout", ""),
        ("status", "404"),
        ("status", "500"),
    }


def test_nothing_is_inferred_of_lost_replies_since_they_leave_something_behind(published):
    system = replace(published.SYSTEMS["cinema-3"], kinds=("lost-reply",))
    reduced, all_of_them = explore(system)[0], explore(system, reduction=False)[0]
    assert reduced.calls == all_of_them.calls


def test_enough_defects_end_the_search(retrying):
    _, found = explore(retrying, max_defects=1)
    assert len(found.defects) == 1


def test_a_spent_budget_is_told(retrying):
    gateway, found = explore(retrying, budget=5)
    assert (gateway.calls, found.exhausted, found.note) == (
        5,
        False,
        "the budget of 5 executions is spent",
    )


def test_a_test_that_no_longer_passes_without_faults_is_no_sign_of_resilience(retrying):
    def script(network):
        network.check(False, "broken")

    broken = Services(retrying.services, script)
    control = retrying.run(Scenario()).trace
    gateway = Gateway(control, retrying.faults_of(control), broken.run)
    found = ExhaustiveExplorer().explore(gateway, ExploreOptions())
    assert found.note == "1 without an answer"


def test_one_message_can_suffer_two_kinds_at_once(counter_problem):
    problem = counter_problem({"a": []}, {})
    ExhaustiveExplorer().explore(problem, ExploreOptions())
    assert scenarios(problem).count(frozenset(fault.key for fault in problem.faults)) == 1
