"""Who sends what to whom, and how much of that was tried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.events import Create, Send, Trace
from socrates_amplify.model.exchanges import (
    Exchange,
    FaultCoverage,
    Tried,
    exchange_to_json,
    exchanges_from_json,
    exchanges_of,
    fault_coverage,
    together,
)
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, TASK

TEST = "tests/test_shop.py::test_buy"
CALL_OUT = Send(
    *("t1", "test", "bank#1", "GET /accounts/17", "d", None),
    channel=CALL,
    type="requests:GET",
    site="shop/bank.py:balance",
)
TOLD = Send(*("t2", "test", "Dock#1", "Arrive(3)", "d", None), type="app:Arrive", site="")
PASSED_ON = Send(*("t3", "Dock#1", "Dock#1/Stock#2", "CountIn(3)", "d", "t2"), type="app:CountIn")
TASKED = Send(
    *("t4", "Dock#1", "mails/welcome", "welcome(1)", "d", "t2"), channel=TASK, type="app:welcome"
)
TRACE = Trace((Create("test", "Dock#1"), CALL_OUT, TOLD, PASSED_ON, TASKED))


def ends(exchange: Exchange) -> tuple[str, ...]:
    return (
        *(exchange.sender_kind, exchange.sender, exchange.receiver_kind, exchange.receiver),
        exchange.what,
    )


@pytest.mark.parametrize(
    ("send", "expected"),
    [
        (CALL_OUT, ("module", "shop/bank.py", "service", "bank", "GET /accounts/*")),
        (TOLD, ("test", "tests/test_shop.py", "actor", "Dock", "Arrive")),
        (PASSED_ON, ("actor", "Dock", "actor", "Stock", "CountIn")),
        (TASKED, ("actor", "Dock", "task", "mails/welcome", "welcome")),
        (
            replace(CALL_OUT, site="tests/helpers.py:ask"),
            ("test", "tests/helpers.py", "service", "bank", "GET /accounts/*"),
        ),
        (
            replace(CALL_OUT, sender="worker", site=""),
            ("service", "worker", "service", "bank", "GET /accounts/*"),
        ),
    ],
)
def test_ends_of_an_exchange(send: Send, expected: tuple[str, ...]) -> None:
    trace = Trace((Create("test", "Dock#1"), send))
    assert [ends(one) for one in exchanges_of(TEST, trace)] == [expected]


def test_what_a_framework_does_for_itself_is_no_exchange() -> None:
    assert exchanges_of(TEST, Trace((replace(TOLD, internal=True),))) == ()


def test_a_call_of_the_test_itself_is_one() -> None:
    own = replace(CALL_OUT, internal=True, site="tests/test_shop.py:test_buy")
    assert len(exchanges_of(TEST, Trace((own,)))) == 1


def test_kinds_of_equal_messages_are_told_once_by_the_worst() -> None:
    twice = Trace((CALL_OUT, replace(CALL_OUT, target="t9", message="GET /accounts/4")))
    faults = [Fault(target, kind) for target in ("t1", "t9") for kind in ("timeout", "slow")]
    states = {"timeout:t9:": Tried.BROKE, "timeout:t1:": Tried.SURVIVED}
    (found,) = exchanges_of(TEST, twice, faults, lambda f: states.get(f.key, Tried.UNTRIED))
    assert found.kinds == {"timeout": Tried.BROKE, "slow": Tried.UNTRIED}


def exchange(what: str = "GET /", site: str = "a.py:f", **kinds: Tried) -> Exchange:
    return Exchange("a.py", "module", "bank", CALL, what, site, kinds=kinds)


def test_tests_together_know_what_each_of_them_knows() -> None:
    failing = replace(exchange(timeout=Tried.UNTRIED), clean=False)
    (found,) = together([failing, exchange(timeout=Tried.SURVIVED, slow=Tried.UNTRIED)])
    assert found == replace(
        exchange(slow=Tried.UNTRIED, timeout=Tried.SURVIVED), tests=2, clean=True
    )


@pytest.mark.parametrize(
    ("exchanges", "expected"),
    [
        ([], FaultCoverage(0, 0, 0)),
        ([exchange(timeout=Tried.SURVIVED, slow=Tried.UNTRIED)], FaultCoverage(1, 2, 1)),
        ([exchange(slow=Tried.UNTRIED), exchange(slow=Tried.BROKE)], FaultCoverage(1, 1, 1)),
        ([exchange(slow=Tried.BROKE), exchange("POST /")], FaultCoverage(1, 1, 1)),
        (
            [exchange(slow=Tried.BROKE), exchange(site="a.py:g", slow=Tried.UNTRIED)],
            FaultCoverage(1, 2, 2),
        ),
    ],
)
def test_coverage(exchanges: list[Exchange], expected: FaultCoverage) -> None:
    assert fault_coverage(exchanges) == expected


def test_a_message_counts_by_its_type_whoever_sends_it() -> None:
    sent = [
        Exchange(name, "actor", "Stock", "message", "CountIn", kinds={"duplicate": state})
        for name, state in (("Dock", Tried.SURVIVED), ("Gate", Tried.UNTRIED))
    ]
    assert fault_coverage(sent) == FaultCoverage(1, 1, 1)


@pytest.mark.parametrize(
    ("tried", "of", "percent"), [(0, 0, 100.0), (2, 3, 66.6), (1999, 2000, 99.9), (3, 3, 100.0)]
)
def test_percentages_are_rounded_down(tried: int, of: int, percent: float) -> None:
    assert FaultCoverage(tried, of, 1).percent == percent


def test_an_exchange_is_written_and_read() -> None:
    told = replace(exchange(slow=Tried.BROKE, timeout=Tried.UNTRIED), clean=False)
    assert exchanges_from_json([exchange_to_json(told)]) == (told,)


@pytest.mark.parametrize(
    "damage",
    [
        {"from": 3},
        {"from_kind": "ghost"},
        {"channel": ["call"]},
        {"kinds": None},
    ],
)
def test_what_is_no_exchange_is_left_out(damage: dict[str, object]) -> None:
    assert exchanges_from_json([{**exchange_to_json(exchange()), **damage}, "x"]) == ()


def test_a_state_that_nobody_knows_is_left_out() -> None:
    (found,) = exchanges_from_json([{**exchange_to_json(exchange()), "kinds": {"slow": "well"}}])
    assert found.kinds == {}
