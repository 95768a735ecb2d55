"""Tasks that were sent, but that no worker was seen to handle: nothing can be done to them.

Their worker runs where Socrates can't look (a container, another environment, a process that
the test did not start), or there is none. A test must not be called resilient for their sake.
"""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.kinds import TASK
from socrates_amplify.probes.queues.tasks import UNSEEN

_WHAT_TO_DO = "run its worker in the test, or let the test start it as a Python process"


def why_nothing(trace: Trace) -> str:
    """Why there was nothing to do to the tasks of this trace; empty when all were handled."""
    unseen = _unseen(trace)
    if not unseen:
        return ""
    if all(send.may(UNSEEN) for send in unseen):
        return f"the worker handles {_named(unseen)} in a way of its own, which can't be faulted"
    return f"no worker was seen to handle {_named(unseen)}: {_WHAT_TO_DO}"


def what_was_left_out(trace: Trace) -> str:
    """Which tasks with a promise nothing was done to; empty when there were none."""
    unseen = [send for send in _unseen(trace) if send.at_least_once]
    if not unseen:
        return ""
    return f"nothing was done to {_named(unseen)}, which no worker was seen to handle"


def _unseen(trace: Trace) -> list[Send]:
    handled = {event.target for event in trace.events if isinstance(event, Turn)}
    return [send for send in trace.sends if send.channel == TASK and send.target not in handled]


def _named(sends: Sequence[Send]) -> str:
    names = list(dict.fromkeys(send.receiver for send in sends))
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
