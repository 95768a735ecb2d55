"""Which runs may have orders, which of them a run under control offers, and the settings about them."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.events import Concurrent, Event, Offer, Send, Trace
from socrates_amplify.model.kinds import CALL, MESSAGE
from socrates_amplify.model.orders import Names, forced
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe

ORDER = "order"


def sent(
    sender: str,
    receiver: str = "A#1",
    *offers: Offer,
    channel: str = MESSAGE,
    internal: bool = False,
    promised: bool = False,
) -> Send:
    return Send(
        f"{sender} to {receiver}",
        sender,
        receiver,
        "M()",
        "",
        None,
        type="app:M",
        offers=offers,
        channel=channel,
        internal=internal,
        at_least_once=promised,
    )


@pytest.mark.parametrize(
    ("events", "may"),
    [
        pytest.param([], False, id="nothing"),
        pytest.param([sent("x")], False, id="one message"),
        pytest.param([sent("x"), sent("x")], False, id="one sender"),
        pytest.param([sent("x"), sent("y")], True, id="two senders"),
        pytest.param([sent("x"), sent("y", "B#1")], False, id="two receivers"),
        pytest.param([sent("x"), sent("test", internal=True)], False, id="the test reads"),
        pytest.param([sent("x"), sent("y", internal=True)], True, id="an actor reads"),
        pytest.param([sent("x"), sent("y", channel=CALL)], False, id="one is a call"),
        pytest.param(
            [sent("x", promised=True), sent("x")], True, id="may come twice, then another"
        ),
        pytest.param([sent("x"), sent("x", promised=True)], False, id="the last may come twice"),
        pytest.param([Concurrent()], True, id="threads"),
    ],
)
def test_run_that_may_have_orders_is_run_under_control(events: list[Event], may: bool) -> None:
    found = OrdersProbe().faults_of(Trace(tuple(events)), [ORDER])
    assert found == ([UNFORCED] if may else [])


def test_no_order_is_offered_to_who_asks_for_other_faults() -> None:
    assert OrdersProbe().faults_of(Trace((sent("x"), sent("y"))), ["duplicate"]) == []


def name(sender: str) -> str:
    return Names().name(sender, "A#1", "app:M")


XY = Offer(ORDER, forced(name("y"), name("x")))
YX = Offer(ORDER, forced(name("x"), name("y")))


def offered(*sends: Send) -> list[tuple[str, str]]:
    faults = OrdersProbe().faults_of(Trace(sends), [ORDER])
    return [(fault.target, fault.detail) for fault in faults]


def test_order_is_a_fault_of_the_message_that_is_held() -> None:
    assert offered(sent("x", "A#1", YX), sent("y", "A#1", XY)) == [
        ("x to A#1", YX.detail),
        ("y to A#1", XY.detail),
    ]


def test_order_is_told_once_though_both_messages_offer_it() -> None:
    assert offered(sent("x", "A#1", XY), sent("y", "A#1", XY)) == [("y to A#1", XY.detail)]


def test_offer_of_another_kind_is_no_order() -> None:
    sends = (sent("x", "A#1", YX), sent("y", "A#1", Offer("duplicate", XY.detail)))
    assert offered(*sends) == [("x to A#1", YX.detail)]


def test_order_with_what_an_actor_reads_counts() -> None:
    y = sent("y", "A#1", XY, internal=True)
    assert offered(sent("x", "A#1", XY), y) == [("y to A#1", XY.detail)]


def test_order_with_a_message_that_is_not_there_is_none() -> None:
    assert offered(sent("y", "A#1", XY)) == []


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (
            {"deliver": "promised"},
            r"unknown key 'deliver'; use delivery or tried",
        ),
        ({"delivery": "fast"}, "delivery is 'fast'; use promised or in-process"),
        ({"tried": "some"}, "tried is 'some'; use promised or all"),
    ],
)
def test_wrong_setting_is_named_with_the_way_out(config: dict[str, object], told: str) -> None:
    with pytest.raises(SocratesError, match=rf"^\[tool\.socrates\.amplify\.orders\]: {told}$"):
        OrdersProbe().prepare("/p", config)


def test_right_settings_are_taken() -> None:
    probe = OrdersProbe()
    probe.prepare("/p", {"delivery": "in-process", "tried": "all"})
    assert probe.available()
