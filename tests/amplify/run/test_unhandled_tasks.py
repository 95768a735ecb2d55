"""What is said about tasks that no worker was seen to handle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.events import Offer, Send, Trace, Turn
from socrates_amplify.model.kinds import TASK
from socrates_amplify.probes.queues.tasks import UNSEEN
from socrates_amplify.run.unhandled_tasks import what_was_left_out, why_nothing


def sent(task: str, *, promised: bool = True) -> Send:
    """A message for a task."""
    return Send(task, "test", task, f"{task}()", "", None, at_least_once=promised, channel=TASK)


def test_a_task_that_nobody_handled_is_named_with_what_to_do():
    assert why_nothing(Trace((sent("pay"),))) == (
        "no worker was seen to handle pay: "
        "run its worker in the test, or let the test start it as a Python process"
    )


def test_a_task_that_a_worker_handles_in_a_way_of_its_own_is_told_as_such():
    trace = Trace((replace(sent("pay"), offers=(Offer(UNSEEN),)),))
    assert why_nothing(trace) == (
        "the worker handles pay in a way of its own, which can't be faulted"
    )


def test_several_tasks_are_counted():
    trace = Trace((sent("pay"), sent("pay"), sent("ship"), sent("mail")))
    assert why_nothing(trace).startswith("no worker was seen to handle pay and 2 more: ")


@pytest.mark.parametrize("say", [why_nothing, what_was_left_out])
def test_nothing_is_said_where_all_were_handled(say):
    assert say(Trace((sent("pay"), Turn("pay", "pay")))) == ""


def test_a_task_beside_others_is_said_to_be_left_out():
    trace = Trace((sent("pay"), Turn("pay", "pay"), sent("ship")))
    assert what_was_left_out(trace) == (
        "nothing was done to ship, which no worker was seen to handle"
    )


def test_a_task_without_a_promise_is_not_missed():
    assert what_was_left_out(Trace((sent("mail", promised=False),))) == ""
