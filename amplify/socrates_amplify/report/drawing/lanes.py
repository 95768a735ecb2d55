"""A run as lanes: what each actor handled and each thread did, in its order.

The messages and operations whose order breaks a test have letters, the same in the passing run and
in the failing one: ``A`` before ``B`` in the one, ``B`` before ``A`` in the other.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import (
    THREADS,
    again,
    has_place,
    is_again,
    is_step,
    named_sends,
    pair_of,
)
from socrates_amplify.model.results import FoundDefect


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened in one lane: a message was handled there, or a thread did something.

    ``sent`` is the number of events before its message was sent, ``done`` that before it was handled.
    """

    lane: str
    sender: str
    name: str
    label: str
    sent: int
    done: int
    mark: str = ""
    failed: str = ""


def pairs_of(found: FoundDefect) -> list[tuple[str, str]]:
    """The pairs whose order a defect forces: what has to come late, and after what."""
    orders = (fault for fault in found.faults if kind_of(fault.kind).schedules)
    pairs = (pair_of(fault.detail) for fault in orders)
    return [(held, awaited) for awaited, held in filter(None, pairs)]


def marks_of(found: FoundDefect) -> dict[str, str]:
    """A letter for each message of the pairs whose order a defect forces."""
    names = dict.fromkeys(name for pair in pairs_of(found) for name in pair)
    return dict(zip(names, string.ascii_uppercase, strict=False))


def moments_of(trace: Trace, marks: Mapping[str, str]) -> list[Moment]:
    """What happened, in its order.

    Traces have the operations of threads behind all messages, so only one of both is told where
    ``marks`` are about one of both.
    """
    sorts = {is_step(name) for name in marks}
    return [one for one in _all(trace, marks) if not sorts or is_step(one.name) in sorts]


def _all(trace: Trace, marks: Mapping[str, str]) -> Iterator[Moment]:
    known = {
        send.target: (name, send)
        for name, send in named_sends(trace).items()
        if not is_again(name) and has_place(send)
    }
    sent: dict[str, int] = {}
    for place, event in enumerate(trace.events):
        if isinstance(event, Send):
            sent[event.target] = place
        elif isinstance(event, Turn) and event.target in known:
            name, send = known[event.target]
            label = send.message
            if event.copy:
                name, label = again(name), f"{label} once more"
            lane = event.actor
            if is_step(name):
                lane = send.sender
                label += "" if event.actor == THREADS else f" on {event.actor}"
            mark, since = marks.get(name, ""), sent.get(event.target, place)
            yield Moment(lane, send.sender, name, label, since, place, mark, event.failed)


def lanes_of(*runs: Sequence[Moment]) -> list[str]:
    """The lanes of these runs, in the order in which something happens in them."""
    return list(dict.fromkeys(one.lane for moments in runs for one in moments))
