"""From a failing scenario to a minimal one, question by question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.prioritisers import RANKINGS, ActorPrioritiser, ShufflePrioritiser
from socrates_amplify.exploration.shrink.narrowing import Narrowing
from socrates_amplify.exploration.shrink.reducer import _anchor, _representatives
from socrates_amplify.exploration.shrink.reduction import by_receiver, needed_units, one_minimal
from socrates_amplify.exploration.speculate.speculation import _cost, _typical
from socrates_amplify.exploration.traces.families import all_break, endpoint, family, receivers
from socrates_amplify.exploration.traces.verdicts import answer_of, applied, failure_of, vanished
from socrates_amplify.model.events import Create, Injected, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import ExploreOptions


def fault(target: str, receiver: str = "A", kind: str = "duplicate", detail: str = "") -> Fault:
    return Fault(target, kind, "test", receiver, f"M({target})", detail)


F = [fault(f"m{number}") for number in range(8)]


class Asked:
    """Fails where all of ``needed`` are asked for; writes down what is asked."""

    def __init__(self, *needed: int) -> None:
        self._needed = {F[number] for number in needed}
        self.questions: list[tuple[str, str]] = []

    def __call__(self, faults: Sequence[Fault], hypothesis: str) -> bool:
        self.questions.append((" ".join(one.target[1:] for one in faults), hypothesis))
        return self._needed <= set(faults)


UNITS = [[one] for one in F]


def test_one_needed_unit_is_found_by_halves() -> None:
    fails = Asked(2)
    found = needed_units(UNITS, (), fails, "faults")
    assert (found, fails.questions) == (
        [[F[2]]],
        [
            ("0 1 2 3", "4 of 8 faults suffice"),
            ("0 1", "2 of 8 faults suffice"),
            ("0 1 2", "3 of 8 faults suffice"),
            ("2", "1 of 8 faults suffice alone"),
        ],
    )


def test_two_needed_units_are_found_the_last_one_first() -> None:
    assert needed_units(UNITS, (), Asked(1, 6), "faults") == [[F[6]], [F[1]]]


def test_context_is_asked_with_every_unit() -> None:
    fails = Asked(0, 7)
    needed_units(UNITS[:2], [F[7]], fails, "faults")
    assert [asked for asked, _ in fails.questions] == ["0 7"]


def test_first_unit_is_needed_without_another_question() -> None:
    fails = Asked(0)
    assert (needed_units(UNITS[:1], (), fails, "x"), fails.questions) == ([[F[0]]], [])


def test_another_question_may_be_asked_for_what_was_kept() -> None:
    alone = Asked(3)
    needed_units(UNITS, (), Asked(3), "faults", alone)
    assert alone.questions == [("3", "1 of 8 faults suffice alone")]


def test_no_single_fault_of_a_minimal_set_can_be_left_out() -> None:
    fails = Asked(1, 3)
    assert one_minimal(F[:4], fails) == [F[1], F[3]]


def test_single_fault_is_minimal_without_a_question() -> None:
    fails = Asked()
    assert (one_minimal(F[:1], fails), fails.questions) == (F[:1], [])


def test_fault_that_is_not_needed_is_named() -> None:
    fails = Asked(1)
    one_minimal(F[:2], fails)
    assert fails.questions == [("1", "not needed: duplicate of M(m0)")]


def test_units_of_receivers_come_in_the_order_of_their_first_fault() -> None:
    faults = [fault("a", "X"), fault("b", "Y"), fault("c", "X")]
    assert by_receiver(faults) == [[faults[0], faults[2]], [faults[1]]]


def test_anchor_is_the_first_target_with_several_kinds() -> None:
    faults = [fault("a"), fault("b"), fault("c"), fault("b", kind="restart")]
    assert (_anchor(faults), _anchor(faults[:3])) == ("b", "a")


def test_each_family_is_represented_on_the_anchor() -> None:
    faults = [
        fault("a"),
        fault("b"),
        fault("a", kind="restart"),
        fault("b", kind="restart"),
    ]
    assert _representatives(faults, "b") == [faults[0], faults[3]]


def call(target: str, path: str, receiver: str = "prices", kind: str = "timeout") -> Fault:
    return Fault(target, kind, "shop", receiver, f"GET {path}")


def narrowed(
    faults: Sequence[Fault], judge: Callable[[frozenset[str]], bool], **causes: str
) -> tuple[list[str], list[str]]:
    """The calls that are left, and the hypotheses on the way."""
    control = Trace(
        tuple(
            Send(one.target, one.sender, one.receiver, one.message, "", None, channel="call")
            for one in faults
        )
    )

    def run(scenario: Scenario) -> Outcome:
        if judge(frozenset(one.target for one in scenario)):
            return Outcome(scenario, Verdict.FAIL, Failure("E", "", ""))
        return Outcome(scenario, Verdict.PASS)

    gateway = Gateway(control, faults, run)
    narrowing = Narrowing(gateway, ExploreOptions(), faults, Failure("E", "", ""))
    narrowing.causes = causes
    narrowing._search(list(faults))
    return [one.target for one in narrowing.best], [one.hypothesis for one in gateway.questions]


CALLS = [call("a", "/x"), call("b", "/y"), call("c", "/z/1"), call("d", "/z/2")]


def test_last_call_is_asked_first() -> None:
    assert narrowed(CALLS, lambda asked: "d" in asked) == (
        ["d"],
        ["timeout of GET /z/2 is enough"],
    )


def test_all_attempts_are_asked_next() -> None:
    left, asked = narrowed(CALLS, lambda asked: {"c", "d"} <= asked)
    assert (left, asked[1:]) == (["c", "d"], ["all 2 attempts at GET /z/2 must fail"])


def test_calls_of_one_service_are_asked_together() -> None:
    left, asked = narrowed(CALLS, lambda asked: {"b", "d"} <= asked, a="other", b="m", c="m", d="m")
    assert (left, asked[2:3]) == (["b", "c", "d"], ["calls of shop must fail, 3 together"])


def test_endpoints_are_searched_where_no_guess_is_right() -> None:
    left, asked = narrowed(CALLS, lambda asked: {"a", "d"} <= asked)
    assert ("a" in left, "d" in left, any("endpoints suffice" in one for one in asked)) == (
        True,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ([fault("a")], "the only duplicate fault breaks the test"),
        ([fault("a"), fault("b")], "all 2 duplicate faults together break the test"),
        ([fault("a"), fault("b", kind="restart")], "all 2 faults together break the test"),
        ([fault("a", kind="circumstance")], "the only circumstance breaks the test"),
    ],
)
def test_first_hypothesis_in_words(faults: list[Fault], told: str) -> None:
    assert all_break(faults) == told


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (["duplicate"], "actors"),
        (["circumstance"], "circumstances"),
        (["circumstance", "duplicate"], "actors and circumstances"),
    ],
)
def test_what_faults_are_grouped_by(kinds: list[str], told: str) -> None:
    assert receivers([fault("a", kind=kind) for kind in kinds]) == told


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(fault("a"), fault("b"), True, id="messages of a type"),
        pytest.param(fault("a"), fault("a", "B"), False, id="receivers"),
        pytest.param(fault("a"), fault("a", kind="restart"), False, id="kinds"),
        pytest.param(call("a", "/x/1"), call("b", "/x/2"), True, id="numbers in paths"),
        pytest.param(call("a", "/x"), call("b", "/y"), False, id="paths"),
        pytest.param(
            Fault("a", "status", "", "s", "GET /", "500"),
            Fault("b", "status", "", "s", "GET /", "503"),
            True,
            id="errors of the server",
        ),
        pytest.param(
            Fault("a", "status", "", "s", "GET /", "404"),
            Fault("b", "status", "", "s", "GET /", "409"),
            False,
            id="other statuses",
        ),
    ],
)
def test_faults_of_one_family(one: Fault, other: Fault, same: bool) -> None:
    assert (family(one) == family(other)) is same


def test_endpoint_is_service_and_path() -> None:
    assert endpoint(call("a", "/x/7"))[0] == "prices"


def answered(verdict: Verdict, *done: Fault, **given: Any) -> Outcome:
    trace = Trace(tuple(Injected(one.target, one.kind) for one in done))
    return Outcome(Scenario.of(CALLS[:2]), verdict, trace=trace, **given)


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (answered(Verdict.PASS), "pass"),
        (answered(Verdict.FAIL), "fail"),
        (answered(Verdict.UNRESOLVED, CALLS[0]), "pass (1 not made)"),
        (answered(Verdict.UNRESOLVED), "unresolved"),
        (answered(Verdict.UNRESOLVED, *CALLS[:2]), "unresolved"),
        (answered(Verdict.UNRESOLVED, CALLS[0], status="skipped"), "unresolved"),
        (answered(Verdict.UNRESOLVED, CALLS[0], failure=Failure("E", "", "")), "unresolved"),
    ],
)
def test_answer_in_words(outcome: Outcome, told: str) -> None:
    assert answer_of(outcome) == told


def test_calls_that_were_not_made_vanished() -> None:
    outcome = answered(Verdict.PASS, CALLS[0])
    assert (applied(outcome, CALLS[:2]), vanished(outcome, [*CALLS[:2], F[0]])) == (
        [CALLS[0]],
        [CALLS[1]],
    )


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome(Scenario(), Verdict.PASS, Failure("E", "", "")), None),
        (Outcome(Scenario(), Verdict.UNRESOLVED, Failure("E", "", "")), None),
        (Outcome(Scenario(), Verdict.FAIL, Failure("E", "", "")), Failure("E", "", "")),
        (Outcome(Scenario(), Verdict.FAIL, reason="why"), Failure("unknown", "why", "")),
    ],
)
def test_failure_of_an_outcome(outcome: Outcome, expected: Failure | None) -> None:
    assert failure_of(outcome) == expected


def took(size: int, seconds: float) -> Outcome:
    return Outcome(Scenario.of(F[:size]), Verdict.PASS, duration=seconds)


@pytest.mark.parametrize(("size", "expected"), [(1, 5.0), (2, 5.0), (4, 1.0), (8, 1.0)])
def test_execution_costs_what_the_most_similar_one_cost(size: int, expected: float) -> None:
    executed = [took(1, 5.0), took(4, 1.0), took(4, 2.0)]
    assert _cost(Scenario.of(F[:size]), executed) == expected


def test_first_execution_costs_nothing_that_is_known() -> None:
    assert _cost(Scenario(), []) == 0.0


def test_typical_execution_is_the_mean() -> None:
    assert _typical([took(1, 1.0), took(2, 4.0)]) == 2.5


TRACE = Trace(
    (
        Create("test", "B"),
        Create("test", "A"),
        Send("1", "test", "A", "", "", None),
        Turn("A", "1"),
        Send("2", "A", "B", "", "", "1"),
        Turn("B", "2"),
        Send("3", "test", "B", "", "", None),
        Turn("B", "3"),
    )
)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [
        ("registration-time", {"B": 0, "A": 1}),
        ("message-time", {"A": 3, "B": 5}),
        ("fan-in", {"A": 1, "B": 2}),
        ("fan-out", {"A": 1, "B": 0, "test": 2}),
        ("fan-in-out", {"A": 1.0, "B": 2 / (2**31 - 1)}),
    ],
)
def test_ranking_of_actors(name: str, ranks: dict[str, float]) -> None:
    assert RANKINGS[name](TRACE) == ranks


@pytest.mark.parametrize(("descending", "expected"), [(False, "abx"), (True, "xba")])
def test_actor_without_a_rank_is_last_or_first(descending: bool, expected: str) -> None:
    faults = [fault("x", "X"), fault("b", "B"), fault("a", "A")]
    prioritiser = ActorPrioritiser("n", RANKINGS["fan-in"], descending=descending)
    assert "".join(one.target for one in prioritiser.prioritise(faults, TRACE)) == expected


def test_shuffled_faults_do_not_depend_on_their_order() -> None:
    orders = [ShufflePrioritiser(3).prioritise(faults, TRACE) for faults in (F, F[::-1])]
    other = ShufflePrioritiser(4).prioritise(F, TRACE)
    assert (orders[0] == orders[1], sorted(orders[0]) == sorted(F), orders[0] == other) == (
        True,
        True,
        False,
    )
