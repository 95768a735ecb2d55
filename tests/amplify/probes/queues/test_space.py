"""Which faults a trace of tasks offers, and which of them could have reached a failure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.model.events import Event, Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.kinds import TASK, all_names
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.probes.queues.space import WAIT, task_faults
from socrates_amplify.probes.space import call_faults, message_faults

OFFERS = ("duplicate", "restart", "delay", "reorder")


def sent(
    target: str, receiver: str = "charge", cause: str | None = None, kinds: Sequence[str] = OFFERS
) -> Send:
    """A message for a task."""
    sender, call = "test" if cause is None else "place", f"call({target})"
    offers = tuple(map(Offer, kinds))
    return Send(target, sender, receiver, call, target, cause, offers=offers, channel=TASK)


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
        sent("b", kinds=("duplicate", "restart")),
    ],
    ids=["caused by the first", "in another queue", "sent when the first was done"],
)
def test_others_may_not(second):
    assert pairs(sent("a"), second, Turn("charge", "a"), Turn("charge", "b"), WAITED) == []


def test_messages_that_nobody_waits_for_stay_in_order():
    assert pairs(sent("a"), sent("b"), Turn("charge", "a"), Turn("charge", "b")) == []


def test_what_was_never_handled_offers_nothing():
    assert task_faults(Trace((sent("a"),)), ["duplicate"]) == []


KINDS = ["duplicate", "restart", "status:500"]


@pytest.mark.parametrize(
    "faults_of",
    [
        lambda trace: call_faults(trace, KINDS, all_names()),
        lambda trace: message_faults(trace, KINDS),
    ],
    ids=["calls", "messages"],
)
def test_tasks_are_nothing_to_other_probes(faults_of):
    assert faults_of(Trace((sent("a"), Turn("charge", "a"), Reply("charge", "a", "1", "1")))) == []


def test_a_kind_of_calls_is_nothing_to_tasks():
    assert task_faults(Trace((sent("a"), Turn("charge", "a"))), ["status:500", "timeout"]) == []


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
