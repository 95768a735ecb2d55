"""What is not done to calls that go wrong without any fault."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.traces.error_replies import spared, what_is_known
from socrates_amplify.model.events import Event, Injected, Reply, Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, MESSAGE, Channel

ALL = (
    *(Fault("t1", kind) for kind in ("connection-error", "timeout", "lost-reply")),
    *(Fault("t1", "status", detail=status) for status in ("404", "500", "503")),
)


def sent(channel: Channel = CALL) -> Send:
    """The one message of the test."""
    return Send(
        "t1", "test", "reviews", "GET /reviews/7", "d", None, False, True, "", "", channel=channel
    )


def answered(value: str) -> Reply:
    """What the service answers."""
    return Reply("reviews", "t1", value, "d")


@pytest.mark.parametrize(
    ("events", "left"),
    [
        pytest.param((answered("200 5 stars"),), ALL, id="answered well"),
        pytest.param((), (), id="fails by itself"),
        pytest.param((answered("404 gone"),), (*ALL[:3], *ALL[4:]), id="answered with 404"),
        pytest.param((answered("500"),), ALL[:4], id="answered with 500"),
        pytest.param((Injected("t1", "timeout"),), ALL, id="struck by a fault"),
    ],
)
def test_a_call_that_goes_wrong_gets_no_fault_of_its_own_family(
    events: tuple[Event, ...], left: tuple[Fault, ...]
) -> None:
    assert spared(ALL, Trace((sent(), *events))) == list(left)


def test_messages_of_actors_are_never_spared() -> None:
    again = Fault("t1", "duplicate")
    assert spared([again], Trace((sent(MESSAGE),))) == [again]


@pytest.mark.parametrize(
    ("events", "said"),
    [
        pytest.param((answered("200 5 stars"),), "", id="answered well"),
        pytest.param((), "GET /reviews/7 of reviews fails without faults", id="fails"),
        pytest.param((answered("404 gone"),), "no other 4xx was tried", id="answered with 404"),
    ],
)
def test_what_was_spared_is_said_with_its_reason(events: tuple[Event, ...], said: str) -> None:
    told = what_is_known(Trace((sent(), *events)))
    assert said in told if said else not told
