"""The small parts of the model: per cent of coverage, names of faults, details of orders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.model.events import Offer, Send, Trace
from socrates_amplify.model.exchanges import Exchange
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, MESSAGE
from socrates_amplify.model.labels import message_type, named, open_numbers
from socrates_amplify.model.orders import (
    CHANGES,
    by_chance,
    chance_of,
    changes_behaviour,
    is_unforced,
    real_faults,
    step_sort,
)


def test_coverage_in_per_cent() -> None:
    files = (FileCoverage("a.py", 6, 2, (4,)), FileCoverage("b.py", 4, 3))
    coverage = Coverage(files)
    assert (coverage.suite, coverage.amplified) == (50.0, 60.0)


def test_nothing_is_covered_of_nothing() -> None:
    assert (Coverage().suite, Coverage().amplified) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("GET /accounts/17", "GET /accounts/*"),
        ("GET /accounts/17/items", "GET /accounts/*/items"),
        ("GET /a1b2c3d4", "GET /*"),
        ("GET /a1b2c3d", "GET /a1b2c3d"),
        ("GET /abcdefgh", "GET /abcdefgh"),
        ("GET /<id>/x", "GET /*/x"),
        ("17/x", "17/x"),
    ],
)
def test_numbers_in_a_path_are_left_open(path: str, expected: str) -> None:
    assert open_numbers(path) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [("Deposit(id=7)", "Deposit"), ("a: 1", "a"), ("{'a': 1}", "'a'"), ("([", "(["), ("x y", "x")],
)
def test_type_of_a_message(message: str, expected: str) -> None:
    assert message_type(message) == expected


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault("t", "duplicate", message="Deposit(id=7)"), "duplicate of Deposit(id=7)"),
        (Fault("t", "status", message="GET /", detail="503"), "status 503 of GET /"),
        (Fault("t", CIRCUMSTANCE, message="TZ=b instead of a"), "TZ=b instead of a"),
    ],
)
def test_fault_as_it_is_named(fault: Fault, expected: str) -> None:
    assert named(fault) == expected


SEND = Send("t1", "test", "Writer#1", "Write('a')", "", None, type="app:Write")


@pytest.mark.parametrize(
    ("offers", "expected"),
    [
        ((), frozenset()),
        ((Offer("order", "other"),), frozenset()),
        ((Offer("order"), Offer("order", CHANGES)), frozenset({"test>Writer#1 app:Write 1"})),
    ],
)
def test_messages_that_change_behaviour(
    offers: tuple[Offer, ...], expected: frozenset[str]
) -> None:
    other = replace(SEND, target="t2", receiver="Reader#1")
    assert changes_behaviour(Trace((replace(SEND, offers=offers), other))) == expected


@pytest.mark.parametrize(
    ("detail", "expected"),
    [(by_chance(7, 3, 12), (7, 3, 12)), ("once more", None), ("", None)],
)
def test_order_by_chance(detail: str, expected: tuple[int, int, int] | None) -> None:
    assert chance_of(detail) == expected


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault("t", "order"), True),
        (Fault("t", "order", detail="a"), False),
        (Fault("t", "duplicate"), False),
    ],
)
def test_run_under_control_is_no_real_fault(fault: Fault, expected: bool) -> None:
    assert (is_unforced(fault), real_faults([fault])) == (expected, [] if expected else [fault])


def test_step_of_a_thread_is_one_word() -> None:
    assert step_sort("put", "a b.py:f+3") == "put@a-b.py:f+3"


EXCHANGE = Exchange("a.py", "module", "bank", CALL, "GET /", "a.py:f")


@pytest.mark.parametrize(
    ("exchange", "place"),
    [
        (EXCHANGE, ("a.py:f", "bank", "GET /")),
        (replace(EXCHANGE, site=""), ("a.py", "bank", "GET /")),
        (replace(EXCHANGE, channel=MESSAGE), ("bank", "GET /")),
    ],
)
def test_place_of_an_exchange(exchange: Exchange, place: tuple[str, ...]) -> None:
    assert exchange.place == place


def test_edge_of_an_exchange() -> None:
    assert EXCHANGE.edge == ("a.py", "bank", CALL, "GET /", "a.py:f")
