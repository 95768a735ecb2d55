"""Which way to fail is asked first of one test after another."""

from __future__ import annotations

from socrates_amplify.model.events import Send
from socrates_amplify.model.faults import Fault
from socrates_amplify.planning.variety import Variety


def faults(receiver: str = "shop") -> list[Fault]:
    """All that may happen to the one call of a test."""
    return [
        Fault("t1", "connection-error", "test", receiver, "GET /"),
        Fault("t1", "status", "test", receiver, "GET /", "500"),
        Fault("t1", "status", "test", receiver, "GET /", "503"),
    ]


def test_the_next_test_is_asked_something_else_first() -> None:
    variety = Variety()
    first = [variety.order(faults())[0].what for _ in range(3)]
    assert first == ["connection-error", "status 500", "connection-error"]


def test_another_service_is_asked_first_what_was_asked_first_least_often() -> None:
    variety = Variety()
    first = [variety.order(faults(to))[0].what for to in ("shop", "bank", "mail")]
    assert first == ["connection-error", "status 500", "connection-error"]


def test_what_was_asked_at_a_service_comes_after_what_was_not_however_often_that_was() -> None:
    variety = Variety()
    for to in ("shop", "bank", "mail"):
        variety.order(faults(to))
    assert variety.order(faults("bank"))[0].what == "connection-error"


def test_calls_of_one_site_are_asked_by_turns_wherever_they_go() -> None:
    variety = Variety()
    sent = Send("t1", "test", "shop", "GET /", "", None, site="shop.py:Shop.fetch")
    first = [variety.order(faults(to), [sent])[0].what for to in ("shop", "bank")]
    assert first == ["connection-error", "status 500"]


def test_messages_come_before_calls_in_their_order() -> None:
    messages = [Fault("m1", "duplicate"), Fault("m2", "restart")]
    assert Variety().order([*faults(), *messages])[:2] == messages
