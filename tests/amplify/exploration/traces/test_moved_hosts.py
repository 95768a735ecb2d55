"""A planned call whose host is another one in every run is found; two services are never one."""

from __future__ import annotations

from socrates_amplify.exploration.traces.moved_hosts import as_in, hosts_instead, moved
from socrates_amplify.model.events import TEST, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.record.index import Indexer, Known, Stamp

ROOT = Stamp("", "", TEST)
HOOK = "POST /hook"


def call(host: str, message: str = HOOK, sender: str = "shop") -> Send:
    """A call of a run, with a target that its host is part of."""
    return Send(f"t-{host}-{message}", sender, host, message, "", None, slot="s", channel=CALL)


def fault(host: str, message: str = HOOK) -> Fault:
    """A fault of a call."""
    return Fault(f"t-{host}-{message}", "timeout", "shop", host, message, "", "s")


def moved_in(faults: list[Fault], *calls: Send) -> dict[str, str]:
    """Which hosts of planned calls have moved, by the host that they had."""
    hosts = moved(Scenario.of(faults), Trace(calls))
    return {one.receiver: one.message for one in faults if one.target in hosts}


def test_a_call_that_went_to_another_host_has_moved() -> None:
    assert moved_in([fault("a")], call("b")) == {"a": HOOK}


def test_numbers_in_its_path_may_differ_too() -> None:
    assert moved_in([fault("a", "GET /7")], call("b", "GET /8")) == {"a": "GET /7"}


def test_a_host_that_is_called_has_not_moved() -> None:
    assert moved_in([fault("a")], call("a", "GET /"), call("b")) == {}


def test_several_hosts_instead_of_one_are_services_to_be_told_apart() -> None:
    assert moved_in([fault("a")], call("b"), call("c")) == {}


def test_one_host_instead_of_several_is_none_of_them_for_sure() -> None:
    assert moved_in([fault("a"), fault("b")], call("c")) == {}


def test_a_planned_host_is_no_other_host() -> None:
    assert moved_in([fault("a"), fault("b")], call("b")) == {}


def test_another_sender_makes_another_call() -> None:
    assert moved_in([fault("a")], call("b", sender="desk")) == {}


def test_the_hosts_instead_are_named() -> None:
    faults = Scenario.of([fault("a")])
    assert list(hosts_instead(faults, Trace((call("c"), call("b")))).values()) == [("b", "c")]


def test_where_the_hosts_of_a_run_stay_a_fault_means_its_only_such_call() -> None:
    faults = Scenario.of([fault("a")])
    [one] = as_in(faults, Trace((call("b"), call("b", "GET /"))))
    assert (one.target, one.receiver) == (call("b").target, "b")


def test_of_two_such_calls_it_means_neither() -> None:
    faults = Scenario.of([fault("a")])
    assert as_in(faults, Trace((call("b"), call("b")))) == faults


def told(known: Known, *calls: tuple[str, str]) -> list[tuple[str, str]]:
    """Targets and slots of calls, each to a host and at a place."""
    indexer = Indexer(known)
    return [
        indexer.message(ROOT, f"{TEST}>{host}|requests:POST|{place}", "5", HOOK, host)
        for host, place in calls
    ]


def planned(host: str, place: str, open_host: bool = True) -> tuple[Known, str]:
    """What is known of a call that is planned, and its target."""
    [(target, slot)] = told(Known(), (host, place))
    return Known({target: slot}, {}, {target: HOOK}, {target: host} if open_host else {}), target


def test_a_moved_call_is_found_by_its_call_site() -> None:
    known, target = planned("a", "fire")
    assert [one for one, _ in told(known, ("b", "elsewhere"), ("b", "fire"))][1:] == [target]


def test_a_moved_call_is_found_once() -> None:
    known, target = planned("a", "fire")
    assert [one == target for one, _ in told(known, ("b", "fire"), ("c", "fire"))] == [True, False]


def test_the_known_host_goes_first_where_no_run_has_shown_that_it_moves() -> None:
    known, target = planned("a", "fire", open_host=False)
    assert [one == target for one, _ in told(known, ("b", "fire"), ("a", "fire"))] == [False, True]
