"""Which tests ask what becomes of a proxy's page."""

from __future__ import annotations

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.planning.pages import pages_of, share


def trace(**sites: str) -> Trace:
    """Calls from these sites, by their targets."""
    return Trace(
        tuple(
            Send(target, "test", "users", "GET /", "", None, channel=CALL, site=site)
            for target, site in sites.items()
        )
    )


TRACES = {"a": trace(t1="get", t2="get"), "b": trace(t3="get", t4="put"), "c": trace(t5="put")}
STATUSES = [
    Fault(f"t{number}", "status", "test", "users", "GET /", detail)
    for number in range(1, 6)
    for detail in ("500", "502")
]


def test_each_place_is_asked_by_the_first_tests_that_call_there() -> None:
    again = {**TRACES, "d": trace(t6="get", t7="put"), "e": trace(t8="delete")}
    assert share(["a", "b", "c", "d", "e", "f"], again) == {
        "a": {"get"},
        "b": {"get", "put"},
        "c": {"put"},
        "d": set(),
        "e": {"delete"},
    }


def test_one_call_of_a_place_is_asked() -> None:
    shared = {"a": frozenset({"get"}), "b": frozenset({"put"}), "c": frozenset[str]()}
    asked = {name: pages_of(name, STATUSES, TRACES[name], shared) for name in "abc"}
    assert asked == {"a": {"status:t1:502"}, "b": {"status:t4:502"}, "c": set()}


def test_a_test_of_which_nothing_was_known_asks_for_all_its_places() -> None:
    assert pages_of("b", STATUSES, TRACES["b"], None) == {"status:t3:502", "status:t4:502"}


def test_a_run_that_goes_on_asks_what_was_asked_before() -> None:
    asked = next(fault for fault in STATUSES if fault.key == "status:t4:502")
    known = {Scenario.of([asked]).key}
    assert pages_of("b", STATUSES, TRACES["b"], None, known) == {asked.key}
