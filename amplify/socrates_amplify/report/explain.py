"""One sentence per fault of a defect: what it changed that it should not have changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from socrates_amplify.model.events import Reply, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import chance_of
from socrates_amplify.model.results import FoundDefect, TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.report.words import shorten


def explain(fault: Fault, control: Trace, failing: Trace, looked_at: str = "") -> str:
    """What the fault changed, from a comparison of the failing trace with the passing one.

    The receiver's first new crash, else its first different answer, else that of ``looked_at``,
    the actor that the failing assertion reads. Where the traces show none of these, the sentence
    of the fault's kind about what a resilient system does.
    """
    if chance_of(fault.detail) is not None:
        return "chance chose among the orders that no promise excludes"
    usual_crashes = set(_crashes(fault.receiver, control))
    crash = next((c for c in _crashes(fault.receiver, failing) if c not in usual_crashes), None)
    if crash is not None:
        return f"{fault.receiver} then fails: {shorten(crash[1])}"
    for actor in dict.fromkeys((fault.receiver, looked_at)):
        before = {reply.target: reply for reply in _replies(actor, control)}
        for reply in _replies(actor, failing):
            usual = before.get(reply.target)
            if usual is not None and usual.digest != reply.digest:
                said, expected = shorten(reply.value), shorten(usual.value)
                return f"{actor} then answers {said} instead of {expected}"
    sends = (*control.sends, *failing.sends)
    channel = next((send.channel for send in sends if send.target == fault.target), None)
    return kind_of(fault.kind).why(channel)


def explanations(test: TestResult, found: FoundDefect) -> list[tuple[Fault, str]]:
    """Each fault of a defect, in the order in which they happened, with its explanation."""
    if found.told:
        return [(told.fault, told.why) for told in found.told]
    actor = found.defect.failure.actor
    if found.aftermath or found.defect.failure.type == NOT_RECOVERED:
        told = "what it left behind stays: the test then fails without any fault"
        return [(fault, told) for fault in found.faults]
    reasons = {send.target: send.because for send in test.control.sends if send.because}
    return [
        (fault, _with_reason(explain(fault, test.control, found.trace, actor), fault, reasons))
        for fault in found.faults
    ]


def _with_reason(told: str, fault: Fault, reasons: Mapping[str, str]) -> str:
    """The explanation, and why the fault can happen where nobody promises that it may."""
    reason = reasons.get(fault.target, "") if kind_of(fault.kind).redelivers else ""
    return f"{told}: {reason}" if reason else told


def handler_of(fault: Fault, test: TestResult, found: FoundDefect) -> str:
    """``file:line`` of the code that handles the faulted message, where a trace knows it."""
    known = (told.handler for told in found.told if told.fault == fault)
    sends = (send for trace in (test.control, found.trace) for send in trace.sends)
    traced = (send.handler for send in sends if send.target == fault.target and send.handler)
    return next(itertools.chain(known, traced), "")


def _replies(actor: str, trace: Trace) -> Iterator[Reply]:
    return (event for event in trace.events if isinstance(event, Reply) and event.actor == actor)


def _crashes(actor: str, trace: Trace) -> Iterator[tuple[str, str]]:
    """The targets of the messages that an actor failed on, each with the exception."""
    return (
        (event.target, event.failed)
        for event in trace.events
        if isinstance(event, Turn) and event.actor == actor and event.failed
    )
