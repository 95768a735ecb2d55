"""What is said about tests to which nothing can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from socrates_amplify.model.events import Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import Status
from socrates_amplify.run.no_targets import settle, why_no_faults
from socrates_amplify.store.store import Store


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
        pytest.param((), "nothing that can be faulted was sent", id="silent"),
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


@dataclass(frozen=True)
class Offering:
    """Offers the same faults for every trace."""

    faults: Sequence[Fault] = ()

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        return self.faults


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        yield opened


SEEN = {
    "silent": Outcome(Scenario(), Verdict.PASS, status="passed"),
    "skipped": Outcome(Scenario(), Verdict.PASS, reason="Skipped: no time", status="skipped"),
    "loud": Outcome(Scenario(), Verdict.PASS, status="passed", trace=Trace((sent(TASK),))),
    "red": Outcome(Scenario(), Verdict.FAIL, status="failed"),
    "cut": Outcome(Scenario(), Verdict.PASS, status="passed", final=False),
}
PLACES = {name: f"{name}.py:1" for name in SEEN}


def test_only_tests_that_sent_nothing_are_settled_by_the_traced_pass(store: Store) -> None:
    settled = settle(SEEN, PLACES, Offering(), store, "code")

    assert {name: (one.status, one.note) for name, one in settled.items()} == {
        "silent": (Status.NO_TARGETS, "nothing that can be faulted was sent"),
        "skipped": (Status.NOT_RUN, "Skipped: no time"),
    }


def test_what_is_settled_is_in_the_store(store: Store) -> None:
    settle(SEEN, PLACES, Offering(), store, "code")

    assert store.statuses("code") == {"silent": "no-targets", "skipped": "not-run"}


def test_where_faults_need_no_message_nothing_is_settled(store: Store) -> None:
    offering = Offering((Fault("TZ", "circumstance"),))

    assert settle(SEEN, PLACES, offering, store, "code") == {}
