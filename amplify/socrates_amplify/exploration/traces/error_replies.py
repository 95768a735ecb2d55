"""Calls that go wrong without any fault: what the test is about, and what is not done to them then.

A call that fails by itself stays as it is. A call that is answered with an error gets no other
error of the same hundred: a 404 is no 403, a 500 no 503. That the service can't be reached
at all is worse than its error, and is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from socrates_amplify.model.events import Injected, Reply, Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, kind_of

_FAILS = "fails"


def spared(faults: Iterable[Fault], trace: Trace) -> list[Fault]:
    """The faults without those that would change what a test about errors is about."""
    wrong = _goes_wrong(trace)
    return [fault for fault in faults if not _is_known(fault, wrong.get(fault.target, ""))]


def what_is_known(trace: Trace) -> str:
    """What goes wrong in a run without faults, and was therefore not done; empty where nothing does."""
    wrong = _goes_wrong(trace)
    sends = [send for send in trace.sends if send.target in wrong]
    if not sends:
        return ""
    first = sends[0]
    more = f" (and {len(sends) - 1} more like it)" if len(sends) > 1 else ""
    if wrong[first.target] == _FAILS:
        return f"{_named(first)} fails without faults{more}: it was left as it is"
    family = f"{wrong[first.target][:1]}xx"
    status = wrong[first.target]
    return f"{_named(first)} answers {status} without faults{more}: no other {family} was tried"


def _goes_wrong(trace: Trace) -> Mapping[str, str]:
    """By target, of calls that no fault has struck: ``fails``, or the status from 400 up."""
    struck = {event.target for event in trace.events if isinstance(event, Injected)}
    answers = {
        event.target: event.value.split(" ", 1)[0]
        for event in trace.events
        if isinstance(event, Reply)
    }
    wrong = {}
    for send in trace.sends:
        if send.channel == CALL and not send.internal and send.target not in struck:
            answer = answers.get(send.target, _FAILS)
            if answer == _FAILS or answer[:1] in ("4", "5"):
                wrong[send.target] = answer
    return wrong


def _is_known(fault: Fault, goes_wrong: str) -> bool:
    kind = kind_of(fault.kind)
    if not goes_wrong or CALL not in kind.channels:
        return False
    return goes_wrong == _FAILS or (kind.answers and fault.detail[:1] == goes_wrong[:1])


def _named(send: Send) -> str:
    return f"{send.message} of {send.receiver}"
