"""Which two messages of a receiver could have come in the other order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from socrates_amplify.model.orders import CHANGES, forced
from socrates_amplify.probes.orders.receives import Mail, Receives
from socrates_amplify.probes.orders.strands import Moment
from socrates_amplify.record.messages import Message

HERE, THERE = Moment(1, 5, {}), Moment(2, 5, {})
KNOWS, WAITED = Moment(2, 5, {1: 5}), Moment(2, 5, {1: 5}, {1: 5})


def mail(name: str, sent: Moment, **more: bool) -> Mail:
    return Mail(None, name, sent, more.pop("from_test", False), 0, **more)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(mail("a", HERE), mail("b", THERE), False, id="two senders"),
        pytest.param(mail("a", HERE), mail("b", HERE), True, id="one sender"),
        pytest.param(mail("a", HERE), mail("", THERE), True, id="of the framework"),
        pytest.param(mail("a", HERE), mail("b", KNOWS), False, id="one knows of the other"),
        pytest.param(mail("a", HERE), mail("b", WAITED), True, id="one waited for the other"),
        pytest.param(mail("a", HERE), mail("b", KNOWS, causal=True), True, id="causal"),
        pytest.param(mail("a", HERE), mail("b", THERE, causal=True), False, id="causal, unknown"),
        pytest.param(mail("a", HERE), mail("b", KNOWS, from_test=True), True, id="of the test"),
        pytest.param(mail("a", HERE, from_test=True), mail("b", KNOWS), True, id="after the test"),
        pytest.param(mail("a", HERE), mail("b", HERE, copy=True), False, id="second delivery"),
        pytest.param(mail("a", HERE, copy=True), mail("b", HERE), False, id="after a second one"),
        pytest.param(mail("a", HERE, copy=True), mail("", HERE), True, id="end after a second one"),
    ],
)
def test_message_keeps_behind_another(first: Mail, second: Mail, expected: bool) -> None:
    assert second.keeps_behind(first) is expected


def test_chain_of_a_message() -> None:
    assert mail("a>b app:Go 1", HERE).chain == "a>b"


def message(target: str) -> Message:
    return cast("Message", SimpleNamespace(target=target))


def received(*mails: Mail, changing: str = "") -> dict[str, list[str]]:
    """What is offered of messages that one receiver has handled in this order."""
    receives = Receives()
    receives.changing.extend(map(message, changing.split()))
    handled = receives.of_receiver()
    for number, one in enumerate(mails, 1):
        handled.append((one, message(f"t{one.name}"), Moment(9, number, {})))
    return {target: [one.detail for one in found] for target, found in receives.offers().items()}


def test_later_message_may_come_first() -> None:
    assert received(mail("a", HERE), mail("b", THERE)) == {"ta": [forced("a", "b")]}


def test_messages_of_one_sender_offer_nothing() -> None:
    assert received(mail("a", HERE), mail("b", HERE)) == {}


def test_message_that_needs_the_other_handled_comes_after_it() -> None:
    assert received(mail("a", HERE), mail("b", Moment(2, 1, {9: 1}))) == {}


def test_only_so_many_later_messages_are_compared() -> None:
    others = [mail(f"b{number}", Moment(number + 20, 1, {})) for number in range(45)]
    assert len(received(mail("a", HERE), *others)["ta"]) == 40


def test_change_of_behaviour_is_offered() -> None:
    assert received(mail("a", HERE), mail("b", HERE), changing="ta") == {"ta": [CHANGES]}


def test_second_delivery_changes_nothing_anew() -> None:
    assert received(mail("a", HERE, copy=True), changing="ta") == {}


def test_offers_of_two_deliveries_are_together() -> None:
    told = received(mail("a", HERE), mail("a", HERE, copy=True), mail("b", THERE))
    assert told == {"ta": [forced("a", "a"), forced("a", "b"), forced("a", "b")]}


def test_receivers_are_apart() -> None:
    receives = Receives()
    for number, inbox in enumerate(("one", "two")):
        one: Any = mail(inbox, Moment(number + 1, 1, {}))
        receives.of_receiver().append((one, message(inbox), Moment(9, 1, {})))
    assert receives.offers() == {}
