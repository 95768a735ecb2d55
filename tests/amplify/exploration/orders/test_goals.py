"""Which order is asked for next, what counts as seen, and what is told of all pairs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from socrates_amplify.exploration.orders.goals import (
    MAX_TRIES,
    MOST_VAIN,
    Goal,
    Goals,
    hold,
    is_forced,
    kinship_of,
    turning_pairs,
)
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import Names, Schedule, forced, named_sends, order_kind

ORDER = order_kind()


def name(sender: str, sort: str = "app:Text") -> str:
    return Names().name(sender, "Actor#1", sort)


A, B, C = (name(sender) for sender in "abc")


def send(sender: str, sort: str = "app:Text") -> Send:
    return Send(f"t{sender}", sender, "Actor#1", f"{sender}!", "", None, type=sort)


def run(*order: str, sorts: dict[str, str] | None = None) -> Trace:
    """The messages of these senders are handled in this order."""
    sends = [send(sender, (sorts or {}).get(sender, "app:Text")) for sender in sorted(order)]
    return Trace((*sends, *(Turn("Actor#1", f"t{sender}") for sender in order)))


def fault(held: str, awaited: str) -> Fault:
    return Fault("t", ORDER, detail=forced(held, awaited))


def goals(trace: Trace, *faults: Fault, criterion: str = "pr") -> Goals:
    made = Goals(criterion)
    made.learn(trace, faults, ())
    return made


def pair(goal: Goal | None) -> Sequence[str]:
    return () if goal is None else goal.pair


def test_order_that_was_not_seen_is_asked_for() -> None:
    assert pair(goals(run("a", "b"), fault(A, B)).next()) == (B, A)


def test_order_that_was_seen_is_not() -> None:
    assert goals(run("b", "a"), fault(A, B)).next() is None


def test_goal_is_asked_for_so_often_and_no_more() -> None:
    made = goals(run("a", "b"), fault(A, B))
    goal = made.next()
    assert goal is not None
    for parents in ((), (fault(B, C),)):
        made.learn(run("a", "b"), [goal.fault], parents)
        made.count(Goal(goal.fault, goal.pair, parents, 0))
    made.learn(run("a", "b"), [goal.fault], (fault(C, B),))
    assert (MAX_TRIES, made.next()) == (2, None)


def test_same_scenario_is_not_asked_for_twice() -> None:
    made = goals(run("a", "b"), fault(A, B))
    goal = made.next()
    assert goal is not None
    made.count(goal)
    assert (made.next(), goal.scenario in made.asked) == (None, True)


def test_reached_goal_is_seen() -> None:
    made = goals(run("a", "b"), fault(A, B))
    goal = made.next()
    assert goal is not None
    made.reach(goal)
    assert (made.next(), made.coverage.both) == (None, 1)


def test_pairs_like_one_that_breaks_are_not_asked_for() -> None:
    made = goals(run("a", "b", "c"), fault(A, B), fault(A, C))
    assert (made.broke([fault(A, B), Fault("x", "duplicate")]), made.next()) == ([(B, A)], None)


def test_pair_of_other_types_is_asked_for_first() -> None:
    sorts = {"c": "app:Stop"}
    stop = name("c", "app:Stop")
    made = goals(run("a", "b", "c", sorts=sorts), fault(A, B), fault(A, stop))
    assert pair(made.next()) == (stop, A)


def test_kinship_that_was_tried_comes_later() -> None:
    sorts = {"c": "app:Stop", "d": "app:Stop"}
    stop, again = (name(sender, "app:Stop") for sender in "cd")
    made = goals(run("a", "b", "c", "d", sorts=sorts), fault(A, stop), fault(A, again), fault(A, B))
    first = made.next()
    assert first is not None
    made.count(first)
    assert (pair(first), pair(made.next())) == ((stop, A), (B, A))


def test_fewer_parents_come_first() -> None:
    made = Goals("pr")
    made.learn(run("a", "b", "c"), [fault(A, C)], (fault(B, C),))
    made.learn(run("a", "b", "c"), [fault(A, B)], ())
    assert pair(made.next()) == (B, A)


@pytest.mark.parametrize(
    ("order", "tries", "broke", "state"),
    [
        pytest.param("ab", 0, False, (1, 0, 0), id="one order"),
        pytest.param("ab", 1, False, (1, 0, 0), id="asked for once in vain"),
        pytest.param("ab", 2, False, (1, 0, 1), id="asked for twice in vain"),
        pytest.param("ab", 0, True, (1, 1, 0), id="breaks"),
    ],
)
def test_coverage(order: str, tries: int, broke: bool, state: tuple[int, int, int]) -> None:
    made = goals(run(*order), fault(A, B))
    for number in range(tries):
        made.count(Goal(fault(A, B), (B, A), (), number))
    if broke:
        made.broke([fault(A, B)])
    told = made.coverage
    assert (told.pairs, told.both, told.impossible, told.messages) == (*state, 2)


def test_both_orders_are_seen_in_two_runs() -> None:
    made = goals(run("a", "b"), fault(A, B))
    made.learn(run("b", "a"), [fault(B, A)], ())
    assert (made.coverage.both, made.next()) == (1, None)


def test_coverage_names_messages_by_their_sender() -> None:
    [receiver] = goals(run("a", "b"), fault(A, B)).coverage.receivers
    assert (receiver.receiver, receiver.messages) == ("Actor#1", ("a! of a", "b! of b"))


def test_faults_that_force_no_order_are_no_goals() -> None:
    made = goals(run("a", "b"), Fault("t", "duplicate", detail=forced(A, B)), Fault("t", ORDER))
    assert (made.next(), made.free) == (None, set())


def test_distant_pair_is_not_seen_where_neighbours_count() -> None:
    made = goals(run("a", "b", "c"), fault(C, A), criterion="pcr")
    plain = goals(run("a", "b", "c"), fault(C, A))
    assert (pair(made.next()), plain.next()) == ((A, C), None)


def test_messages_are_brought_together_where_neighbours_count() -> None:
    faults = [fault(A, C), fault(A, B), fault(B, C)]
    made = goals(run("a", "b", "c"), *faults, criterion="pcr")
    asked = []
    while (goal := made.next()) is not None:
        asked.append((goal.pair, goal.fault.detail))
        made.count(goal)
    assert ((A, C), forced(A, B)) in asked


def test_only_pairs_that_change_behaviour_where_that_counts() -> None:
    assert goals(run("a", "b"), fault(A, B), criterion="pbr").next() is None


@pytest.mark.parametrize(
    ("changing", "expected"),
    [
        ("", []),
        ("a", ["ab", "ac", "ad"]),
        ("b", ["ab", "bc", "bd"]),
        ("d", ["ad", "bd", "cd"]),
        ("bd", ["ab", "bc", "bd", "cd"]),
    ],
)
def test_pairs_around_a_change(changing: str, expected: list[str]) -> None:
    schedule = Schedule.of(run("a", "b", "c", "d"))
    names = {name(sender): sender for sender in "abcd"}
    found = turning_pairs(schedule, frozenset(name(sender) for sender in changing))
    assert sorted({"".join(sorted(names[one] for one in two)) for two in found}) == expected


def test_kinship_is_the_receiver_and_the_types() -> None:
    assert kinship_of((A, name("b", "app:Stop"))) == ("Actor#1", "app:Text", "app:Stop")


def test_hold_is_a_fault_of_the_held_message() -> None:
    found = hold(ORDER, (B, A), named_sends(run("a", "b")))
    assert found is not None
    assert (found.target, found.sender, found.receiver, found.detail) == (
        "ta",
        "a",
        "Actor#1",
        forced(A, B),
    )


@pytest.mark.parametrize("missing", [(A, C), (C, A)])
def test_hold_of_a_message_that_is_not_there(missing: tuple[str, str]) -> None:
    assert hold(ORDER, missing, named_sends(run("a", "b"))) is None


@pytest.mark.parametrize(("kind", "expected"), [(ORDER, True), ("duplicate", False)])
def test_fault_about_an_order(kind: str, expected: bool) -> None:
    assert is_forced(Fault("t", kind)) is expected


def test_what_threads_can_not_do_is_asked_for_once() -> None:
    goals = Goals("pr")
    held, awaited = "a>Lock#1 acquire@x.py:f+1 1", "b>Lock#1 acquire@x.py:g+1 1"
    fault = Fault("held", "order", detail=forced(held, awaited))
    goals.learn(Trace(), [fault], ())
    goal = goals.next()
    assert goal is not None
    goals.count(goal)
    goals.in_vain(goal)
    goals.learn(Trace(), [fault], (Fault("other", "order", detail="x after y"),))
    assert goals.next() is None


def many(count: int) -> tuple[Trace, list[Fault]]:
    """Messages of one type, and that the last one overtakes each of the others."""
    senders = [f"s{number}" for number in range(count)]
    last = name(senders[-1])
    return run(*senders), [fault(name(sender), last) for sender in senders[:-1]]


def ask_in_vain(made: Goals, *, reached: int = 0) -> int:
    """How often is asked where nothing, or the first few goals alone, can be reached."""
    asked = 0
    while (goal := made.next()) is not None:
        made.count(goal)
        (made.reach if asked < reached else made.in_vain)(goal)
        asked += 1
    return asked


def test_pairs_like_those_that_were_in_vain_are_left_out() -> None:
    trace, faults = many(9)
    assert ask_in_vain(goals(trace, *faults)) == MOST_VAIN


def test_pairs_are_asked_for_where_one_like_them_was_reached() -> None:
    trace, faults = many(9)
    assert ask_in_vain(goals(trace, *faults), reached=1) == 8


def test_what_was_in_vain_is_so_beside_other_faults() -> None:
    trace, faults = many(9)
    before = goals(trace, *faults)
    ask_in_vain(before)
    after = before.beside()
    after.learn(trace, faults, ())
    assert after.next() is None
