"""The socratic search on remote calls: what it finds, and what that costs."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.naive import NaiveExplorer
from socrates_amplify.exploration.outages import MAX_ROUNDS
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.traces.error_replies import spared
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.services import CallFailedError, Services, leaf

STATUSES = ("404", "500")
ALL = ("connection-error", "timeout", "status 404", "status 500")


def way(network, service, path="/"):
    """How a call ends: its status, or the kind of its failure."""
    try:
        return str(network.call(service, path))
    except CallFailedError as failed:
        return failed.kind


def problem_of(handler, *others, budget=None, **handlers):
    """A test that fails unless the shop answers with 200; ``others`` are leaves."""
    services = {"shop": handler} | dict.fromkeys(others, leaf) | handlers
    statuses = dict.fromkeys(services, STATUSES)
    system = Services(
        services, lambda network: network.check(network.call("shop") == 200, "no shop"), statuses
    )
    return gateway_of(system, budget)


def gateway_of(system, budget=None):
    """The problem that a system is."""
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    return Gateway(control, faults, system.run, faults_of=system.faults_of, budget=budget)


def explore(problem, explorer=SocraticExplorer, **options):
    return explorer().explore(problem, ExploreOptions(**options))


def found_in(problem, **options):
    """Each defect as (service, kind and detail) of its faults, sorted."""
    return sorted(
        sorted((fault.receiver, f"{fault.kind} {fault.detail}".rstrip()) for fault in d.scenario)
        for d in explore(problem, **options).defects
    )


def alone(service, *kinds):
    return sorted([(service, kind)] for kind in kinds)


def test_a_call_that_must_not_fail_is_a_defect_in_each_way():
    problem = problem_of(lambda net: 200 if way(net, "stock") == "200" else 503, "stock")
    assert found_in(problem) == alone("stock", *ALL)


def test_a_call_with_a_fallback_of_its_own_is_resilient():
    def shop(network):
        way(network, "adverts")
        return 200

    assert found_in(problem_of(shop, "adverts")) == []


def test_a_resilient_call_costs_one_question_a_way():
    def shop(network):
        way(network, "adverts")
        return 200

    problem = problem_of(shop, "adverts")
    explore(problem)
    assert problem.calls == len(problem.faults)


def test_a_way_that_nobody_handles_is_found_beside_those_that_are_handled():
    def shop(network):
        return 200 if way(network, "stock") != "404" else 500

    assert found_in(problem_of(shop, "stock")) == alone("stock", "status 404")


def test_two_unhandled_ways_of_one_call_are_two_defects():
    def shop(network):
        return 500 if way(network, "stock") in ("timeout", "404") else 200

    assert found_in(problem_of(shop, "stock")) == alone("stock", "status 404", "timeout")


def retrying(attempts):
    def shop(network):
        return 200 if any(way(network, "stock") == "200" for _ in range(attempts)) else 503

    return shop


@pytest.mark.parametrize("attempts", [2, 3, 4])
def test_all_attempts_failing_is_the_defect_behind_a_retry(attempts):
    pairs = found_in(problem_of(retrying(attempts), "stock"))
    assert pairs == sorted([("stock", kind)] * attempts for kind in ALL)


@pytest.mark.parametrize("attempts", [20, 200])
def test_caller_that_goes_on_trying_is_asked_about_a_service_that_stays_down(attempts):
    problem = problem_of(retrying(attempts), "stock")
    assert found_in(problem) == alone("stock", "down")
    assert problem.calls <= MAX_ROUNDS + 2 * len(ALL) + 1


def test_the_pair_behind_a_retry_costs_three_questions():
    problem = problem_of(retrying(2), "stock")
    explore(problem, max_defects=1)
    assert problem.calls == 3


def test_a_retry_of_some_failures_only_breaks_on_the_others():
    def shop(network):
        first = way(network, "stock")
        again = way(network, "stock") if first == "connection-error" else first
        return 200 if again == "200" else 503

    problem = problem_of(shop, "stock")
    single = [["stock"] for _ in ("timeout", "status 404", "status 500")]
    receivers = [[name for name, _ in defect] for defect in found_in(problem)]
    assert sorted(receivers) == sorted([*single, ["stock", "stock"]])


def both_at_once(network):
    return 200 if "200" in (way(network, "stock"), way(network, "spare")) else 503


def one_after_the_other(network):
    if way(network, "stock") == "200":
        return 200
    return 200 if way(network, "spare") == "200" else 503


@pytest.mark.parametrize("shop", [both_at_once, one_after_the_other])
def test_a_fallback_that_fails_too_is_found_with_what_led_to_it(shop):
    found = found_in(problem_of(shop, "stock", "spare"))
    assert found == sorted([("spare", kind), ("stock", kind)] for kind in ALL)


def test_a_defect_behind_an_early_return_is_found():
    def shop(network):
        if way(network, "login") != "200":
            return 200
        return 200 if way(network, "stock") == "200" else 503

    assert found_in(problem_of(shop, "login", "stock")) == alone("stock", *ALL)


def test_a_defect_that_another_failure_hides_is_found():
    def shop(network):
        login, stock = way(network, "login"), way(network, "stock")
        return 503 if login == "200" and stock != "200" else 200

    assert found_in(problem_of(shop, "login", "stock")) == alone("stock", *ALL)


def test_an_unhandled_way_of_a_second_attempt_is_found():
    def shop(network):
        first = way(network, "stock")
        if first != "connection-error":
            return 200
        return 500 if way(network, "stock") == "404" else 200

    assert found_in(problem_of(shop, "stock")) == [
        [("stock", "connection-error"), ("stock", "status 404")]
    ]


def test_a_defect_in_a_service_behind_a_service_is_found_there_and_at_its_caller():
    def stock(network):
        return 200 if way(network, "prices") == "200" else 503

    problem = problem_of(
        lambda net: 200 if way(net, "stock") == "200" else 503, "prices", stock=stock
    )
    assert {defect[0][0] for defect in found_in(problem)} == {"stock", "prices"}


def test_errors_of_the_server_are_one_way_to_fail():
    def shop(network):
        return 200 if way(network, "stock") == "200" else 503

    system = Services(
        {"shop": shop, "stock": leaf},
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        {"stock": ("500", "502", "503")},
        kinds=("status",),
    )
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    gateway = Gateway(control, faults, system.run, faults_of=system.faults_of)
    assert found_in(gateway) == alone("stock", "status 500")


def server_errors(shop):
    """A test that calls the stock, which may answer with errors of the server."""
    system = Services(
        {"shop": shop, "stock": leaf},
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        {"stock": ("500", "502")},
        kinds=("status",),
    )
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    page = next(fault.key for fault in faults if (fault.receiver, fault.detail) == ("stock", "502"))
    return Gateway(control, faults, system.run, faults_of=system.faults_of), frozenset({page})


def test_a_fault_apart_is_told_whatever_its_family_has_shown():
    problem, page = server_errors(lambda net: 200 if way(net, "stock") == "200" else 503)
    assert found_in(problem, apart=page) == alone("stock", "status 500", "status 502")
    assert problem.calls == 2


def test_a_fault_apart_that_was_survived_with_others_is_not_asked_again():
    problem, page = server_errors(lambda net: 200 if way(net, "stock") else 503)
    assert found_in(problem, apart=page) == []
    assert problem.calls == 2


def test_every_defect_is_minimal():
    problem = problem_of(retrying(3), "stock")
    smaller = [
        problem.consider(Scenario.of(f for f in defect.scenario if f != left_out)).verdict
        for defect in explore(problem).defects
        for left_out in defect.scenario
    ]
    assert Verdict.FAIL not in smaller


def test_calls_that_vanish_are_no_open_question():
    def shop(network):
        if way(network, "login") != "200":
            return 200
        way(network, "stock")
        return 200

    assert explore(problem_of(shop, "login", "stock")).note == ""


def test_no_call_is_asked_to_fail_in_two_ways_at_once():
    problem = problem_of(retrying(2), "stock")
    explore(problem)
    twice = [q for q in problem.questions if len({f.target for f in q.scenario}) < len(q.scenario)]
    assert twice == []


def test_attempts_without_end_end_the_search():
    def shop(network):
        while way(network, "stock") != "200":
            pass
        return 200

    assert found_in(problem_of(shop, "stock", budget=200)) == alone("stock", "down")


def test_call_that_answers_with_an_error_by_itself_is_asked_in_every_other_way():
    """It offers no further error reply, but would once it was struck."""

    def shop(network):
        return 500 if way(network, "stock") == "timeout" else 200

    system = Services(
        {"shop": shop, "stock": lambda network: 404},
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        {"stock": STATUSES},
    )
    control = system.run(Scenario()).trace

    def faults_of(trace):
        return spared(system.faults_of(trace), trace)

    problem = Gateway(control, faults_of(control), system.run, faults_of=faults_of)
    assert ("stock", "timeout") in [one for (one,) in found_in(problem)]


@pytest.mark.parametrize("attempts", [2, 4, 8])
def test_tries_after_tries_need_no_reduction(attempts):
    problem = problem_of(retrying(attempts), "stock")
    (found,) = explore(problem, max_defects=1).defects
    assert (len(found.scenario), problem.calls) == (attempts, attempts + 1)


def test_a_spent_budget_keeps_tries_after_tries():
    found = explore(problem_of(retrying(2), "stock", budget=2))
    assert (found.exhausted, [d.minimal for d in found.defects]) == (False, [True])


def test_a_spent_budget_keeps_what_was_found():
    def shop(network):
        found = [way(network, service) for service in ("stock", "depot")]
        return 200 if "200" in found else 503

    found = explore(problem_of(shop, "stock", "depot", budget=1))
    assert (found.exhausted, [d.minimal for d in found.defects]) == (False, [False])


def test_enough_defects_end_the_search():
    problem = problem_of(lambda net: 200 if way(net, "stock") == "200" else 503, "stock")
    assert len(explore(problem, max_defects=2).defects) == 2


def test_the_same_answers_lead_to_the_same_questions():
    first, second = (problem_of(retrying(3), "stock") for _ in range(2))
    explore(first)
    explore(second)
    assert first.questions == second.questions


@pytest.mark.parametrize("explorer", [DeltaDebuggingExplorer, NaiveExplorer])
def test_other_searches_find_each_way_of_a_call_that_must_not_fail(explorer):
    problem = problem_of(lambda net: 200 if way(net, "stock") == "200" else 503, "stock")
    assert found_in(problem, explorer=explorer) == alone("stock", *ALL)


def test_delta_debugging_looks_behind_calls_that_make_others_vanish():
    def shop(network):
        if way(network, "login") != "200":
            return 200
        return 200 if way(network, "stock") == "200" else 503

    problem = problem_of(shop, "login", "stock")
    assert found_in(problem, explorer=DeltaDebuggingExplorer) == alone("stock", *ALL)


def test_delta_debugging_asks_no_call_to_fail_in_two_ways_at_once():
    problem = problem_of(both_at_once, "stock", "spare")
    explore(problem, explorer=DeltaDebuggingExplorer)
    twice = [q for q in problem.questions if len({f.target for f in q.scenario}) < len(q.scenario)]
    assert twice == []


def test_delta_debugging_finds_faults_that_break_a_test_together():
    problem = problem_of(both_at_once, "stock", "spare")
    found = found_in(problem, explorer=DeltaDebuggingExplorer)
    assert found == sorted([("spare", kind), ("stock", kind)] for kind in ALL)


def test_a_run_without_some_calls_is_told_as_a_pass_for_the_others():
    def shop(network):
        if way(network, "login") != "200":
            return 200
        way(network, "stock")
        return 200

    problem = problem_of(shop, "login", "stock")
    explore(problem)
    assert {question.answer for question in problem.questions} == {
        "pass",
        "pass (1 not made)",
    }


@pytest.mark.parametrize(
    ("kinds", "found"),
    [(("timeout",), []), (("lost-reply",), [[("bank", "lost-reply")]])],
    ids=["the call is lost", "the reply is lost"],
)
def test_a_retry_that_does_it_twice_is_found_where_the_first_one_was_done(kinds, found):
    charged = []

    def bank(network):
        charged.append(30)
        return 200

    def shop(network):
        answers = (way(network, "bank") for _ in range(3))
        return 200 if "200" in answers else 503

    def script(network):
        charged.clear()
        network.call("shop")
        network.check(sum(charged) <= 30, "charged twice")

    system = Services({"shop": shop, "bank": bank}, script, kinds=kinds)
    assert found_in(gateway_of(system)) == found


def test_a_call_that_is_only_made_after_a_fault_is_not_asked_about_without_one():
    def shop(network):
        for service in ("reviews", "reviews", "archive"):
            if way(network, service) == "200":
                return 200
        return 503

    problem = problem_of(shop, "reviews", "archive")
    explore(problem)
    assert [q.hypothesis for q in problem.questions if q.answer == "unresolved"] == []


@pytest.mark.parametrize("budget", range(1, 12))
def test_caller_that_gives_up_by_chance_is_no_defect_of_fewer_faults(budget):
    """It tries up to three times, but only once when two failures are planned for the first time."""
    runs = []

    def shop(network):
        runs.append("run")
        tries = 1 if len(runs) == 3 else 3
        return 200 if "200" in (way(network, "reviews") for _ in range(tries)) else 503

    services = {"shop": shop, "reviews": leaf}
    system = Services(
        services,
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        {"reviews": ("500",)},
        kinds=("status",),
    )
    problem = gateway_of(system, budget)
    found = {defect.scenario.key for defect in explore(problem).defects}
    assert found.isdisjoint(q.scenario.key for q in problem.questions if q.answer == "pass")


@pytest.mark.parametrize("budget", range(1, 20))
def test_no_defect_is_told_again_when_the_budget_ends_its_reduction(budget):
    def shop(network):
        return 200 if "200" in (way(network, "reviews"), way(network, "archive")) else 503

    services = {"shop": shop, "reviews": leaf, "archive": leaf}
    system = Services(
        services,
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        dict.fromkeys(services, ("500", "502", "503")),
        kinds=("status",),
    )
    assert len(explore(gateway_of(system, budget)).defects) <= 1
