"""Why there is nothing to do to a test, in one line that says what could be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, all_kinds
from socrates_amplify.run.unhandled_tasks import why_nothing


def why_no_faults(trace: Trace, offered: Sequence[Fault]) -> str:
    """Why none of the faults that a trace offered is tried."""
    if offered:
        return "every fault is left out by --include, --exclude or critical"
    if not trace.sends:
        return "no message was sent"
    unseen = why_nothing(trace)
    if unseen:
        return unseen
    for kind in all_kinds():
        if kind.untried and any(send.may(kind.name) for send in trace.sends):
            return kind.untried
    if all(_is_own_call(send) for send in trace.sends):
        return "only the test itself makes calls: see test-calls in the guide"
    if all(send.internal or send.channel == CALL for send in trace.sends):
        return "its calls go wrong without faults: that is what the test is about"
    return "no message with a promise to break: see persistent and at-least-once in the guide"


def _is_own_call(send: Send) -> bool:
    """Whether this is a remote call by the test's own code."""
    return send.internal and send.channel == CALL
