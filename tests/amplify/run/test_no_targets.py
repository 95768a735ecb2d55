"""What is said about tests to which nothing can be done."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel
from socrates_amplify.run.no_targets import why_no_faults


def sent(channel: Channel, *offers: str, internal: bool = False) -> Send:
    """A message of the test."""
    return Send(
        target="t1",
        sender="test",
        receiver="charge",
        message="charge(7)",
        digest="d",
        cause=None,
        at_least_once=False,
        wants_reply=False,
        handler="",
        type="",
        internal=internal,
        slot="s",
        promise="",
        offers=tuple(map(Offer, offers)),
        channel=channel,
    )


@pytest.mark.parametrize(
    ("events", "said"),
    [
        pytest.param((), "no message was sent", id="silent"),
        pytest.param((sent(TASK, "lose"), Turn("charge", "t1")), "--faults lose", id="early"),
        pytest.param((sent(TASK, "lose"),), "no worker was seen", id="unseen"),
        pytest.param((sent(CALL, internal=True),), "test-calls", id="own calls"),
        pytest.param((sent(CALL, "connection-error"),), "go wrong without faults", id="failing"),
        pytest.param((sent(MESSAGE),), "at-least-once", id="actor"),
    ],
)
def test_the_reason_says_what_could_be_done(events: tuple[Send | Turn, ...], said: str) -> None:
    assert said in why_no_faults(Trace(events), ())


def test_faults_that_are_left_out_are_told_as_such() -> None:
    assert "--exclude or critical" in why_no_faults(Trace(), (Fault("t1", "duplicate"),))
