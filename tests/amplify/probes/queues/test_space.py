"""Which faults a trace of tasks offers, and which of them could have reached a failure."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.model.events import Event, Send, Trace, Turn
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.probes.queues.space import WAIT, task_faults
from socrates_amplify.probes.space import call_faults, message_faults

OFFERS = "duplicate,restart,delay,reorder"


def sent(target: str, receiver: str = "charge", cause: str | None = None, **more: str) -> Send:
    """A message for a task."""
    sender = "test" if cause is None else "place"
    offers = more.pop("offers", OFFERS)
    return Send(target, sender, receiver, f"call({target})", target, cause, offers=offers, **more)


WAITED = Send("wait", "test", "default", "wait", "", None, type=WAIT, internal=True)


def pairs(*events: Event) -> list[tuple[str, str]]:
    """Which message may be handled after which."""
    return [(fault.target, fault.detail) for fault in task_faults(Trace(events), ["reorder"])]


def test_messages_in_a_row_may_change_places():
    assert pairs(sent("a"), sent("b"), Turn("charge", "a"), Turn("charge", "b"), WAITED) == [
        ("a", "b")
    ]


def test_the_order_in_which_they_were_handled_does_not_count():
    assert pairs(sent("a"), sent("b"), Turn("charge", "b"), Turn("charge", "a"), WAITED) == [
        ("a", "b")
    ]


@pytest.mark.parametrize(
    "second",
    [
        sent("b", cause="a"),
        sent("b", receiver="mails/welcome"),
        sent("b", offers="duplicate,restart"),
    ],
    ids=["caused by the first", "in another queue", "sent when the first was done"],
)
def test_others_may_not(second):
    assert pairs(sent("a"), second, Turn("charge", "a"), Turn("charge", "b"), WAITED) == []


def test_messages_that_nobody_waits_for_stay_in_order():
    assert pairs(sent("a"), sent("b"), Turn("charge", "a"), Turn("charge", "b")) == []


def test_what_was_never_handled_offers_nothing():
    assert task_faults(Trace((sent("a"),)), ["duplicate"]) == []


@pytest.mark.parametrize("faults_of", [call_faults, message_faults])
def test_tasks_are_nothing_to_other_probes(faults_of):
    trace = Trace((sent("a"), Turn("charge", "a")))
    assert faults_of(trace, ["duplicate", "restart", "status:500"]) == []


@pytest.fixture
def trace() -> Trace:
    """The test charges, asks for the total, and then charges again."""
    return Trace(
        (
            sent("early"),
            Turn("charge", "early"),
            sent("total", receiver="total"),
            Turn("total", "total"),
            sent("late"),
            Turn("charge", "late"),
        )
    )


def test_causality_keeps_tasks_that_could_have_changed_what_another_one_read(trace):
    failure = Failure("AssertionError", "assert 20 == 10", "test_a.py:1", actor="total")
    kept = CausalityPruner().prune(task_faults(trace, ["duplicate"]), trace, failure)
    assert [fault.target for fault in kept] == ["early", "total"]
