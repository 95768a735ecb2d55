"""Names of messages that are the same in every run, and the orders in which they are handled."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Concurrent, Injected, Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import (
    Names,
    Schedule,
    again,
    as_ordinary,
    forced,
    is_step,
    named_sends,
    pair_of,
    races,
    step_sort,
    told_order,
    under_control,
    unforced,
    was_controlled,
)

FIRST = Send("t1", "test", "Writer#1", "Write('a')", "", None, type="app:Write")
AGAIN = Send("t2", "test", "Writer#1", "Write('b')", "", None, type="app:Write")
FLUSH = Send("t3", "Closer#1", "Writer#1", "Flush()", "", None, type="app:Flush")
STOP = Send("t4", "test", "Writer#1", "stop", "", None, type="pykka:Stop", internal=True)
TURNS = [Turn("Writer#1", target) for target in ("t1", "t3", "t2", "t4", "unknown")]
TRACE = Trace((FIRST, AGAIN, FLUSH, STOP, *TURNS, Turn("Writer#1", "t1", 1)))
NAMES = [
    "test>Writer#1 app:Write 1",
    "test>Writer#1 app:Write 2",
    "Closer#1>Writer#1 app:Flush 1",
    "test>Writer#1 pykka:Stop 1",
]
SECOND_TIME = again(NAMES[0])


def test_messages_of_one_type_are_counted() -> None:
    names = Names()
    told = [names.name(sender, "b", "x") for sender in ("a", "a", "c")]
    assert told == ["a>b x 1", "a>b x 2", "c>b x 1"]


def test_sends_by_name() -> None:
    assert list(named_sends(TRACE).items()) == list(
        zip((*NAMES, SECOND_TIME), (FIRST, AGAIN, FLUSH, STOP, FIRST), strict=True)
    )


def test_schedule_has_deliveries_of_known_messages() -> None:
    handled = (NAMES[0], NAMES[2], NAMES[1], SECOND_TIME)
    assert Schedule.of(TRACE).receives == (("Writer#1", handled),)


def test_pairs_are_in_the_order_of_handling() -> None:
    assert list(Schedule.of(TRACE).pairs) == [
        (NAMES[0], NAMES[2]),
        (NAMES[0], NAMES[1]),
        (NAMES[0], SECOND_TIME),
        (NAMES[2], NAMES[1]),
        (NAMES[2], SECOND_TIME),
        (NAMES[1], SECOND_TIME),
    ]


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        pytest.param(forced("a 1", "b 2"), ("b 2", "a 1"), id="forced"),
        pytest.param("nothing", None, id="of another kind"),
    ],
)
def test_pair_of_a_detail(detail: str, expected: tuple[str, str] | None) -> None:
    assert pair_of(detail) == expected


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        pytest.param("x 1", "Write('a') after Flush of Closer#1", id="the first of its type"),
        pytest.param("x 2", "Write('a') after Flush no. 2 of Closer#1", id="a later one"),
    ],
)
def test_order_as_it_is_told(detail: str, expected: str) -> None:
    assert told_order(FIRST, FLUSH, detail) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [(step_sort("put", "a b.py:f+3"), True), ("a>b app:Write 1", False)],
)
def test_step_of_a_thread(name: str, expected: bool) -> None:
    assert (is_step(name), " " in name) == (expected, not expected)


DUPLICATE = Fault("t1", "duplicate")
HELD = Fault("t1", "order", detail=forced(NAMES[0], NAMES[2]))
MARK = Injected("order", "order")


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ([DUPLICATE], [DUPLICATE, unforced()]),
        ([DUPLICATE, HELD], [DUPLICATE, HELD]),
        ([unforced()], [unforced()]),
    ],
    ids=["no order", "an order", "nothing held"],
)
def test_a_scenario_is_brought_under_control_once(
    faults: list[Fault], expected: list[Fault]
) -> None:
    assert under_control(Scenario.of(faults)) == Scenario.of(expected)


def test_a_run_under_control_is_told_as_an_ordinary_one() -> None:
    offers = (Offer("duplicate"), Offer("order", HELD.detail))
    offering = Send("t1", "test", "Writer#1", "Write('a')", "", None, offers=offers)
    usual = Send("t1", "test", "Writer#1", "Write('a')", "", None, offers=offers[:1])
    step = Send("s1", "work#1", "Lock#1", "acquire", "", None, channel="step")
    cancelled = Send(
        "s2", "work#1", "loop", "await", "", None, channel="step", offers=(Offer("cancel"),)
    )
    turn = Turn("Writer#1", "t1")
    seen = Trace((offering, turn, MARK, step, Turn("Lock#1", "s1"), cancelled))

    assert as_ordinary(seen) == Trace((usual, turn, MARK, cancelled))


@pytest.mark.parametrize(("events", "expected"), [((FIRST, MARK), True), ((FIRST,), False)])
def test_whether_a_run_was_under_control_is_seen(events: tuple[Send], expected: bool) -> None:
    assert was_controlled(Trace(events)) is expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [((FIRST, AGAIN), False), ((FIRST, FLUSH), True), ((FIRST, Concurrent()), True)],
    ids=["one sender", "two senders", "threads"],
)
def test_what_races(events: tuple[Send, ...], expected: bool) -> None:
    assert races(Trace(events)) is expected
