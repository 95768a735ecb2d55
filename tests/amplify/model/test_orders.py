"""Names of messages that are the same in every run, and the orders in which they are handled."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.orders import (
    Names,
    Schedule,
    again,
    forced,
    is_step,
    named_sends,
    pair_of,
    step_sort,
    told_order,
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
