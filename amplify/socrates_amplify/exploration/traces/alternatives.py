"""Faults that exclude each other: one call fails in one way only.

A message can be delivered twice *and* its receiver restart; a call that was refused can't also
time out. Every module that combines faults uses these functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from socrates_amplify.model.events import Reply
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import all_kinds, is_call_kind

_STATUS = re.compile(r"\d{3}\b")

Way = tuple[str, str]
"""How a call ended: kind and detail, as in a fault."""


def is_call(fault: Fault) -> bool:
    """Whether the fault is one of several ways in which a call can end."""
    return is_call_kind(fault.kind)


def way_of(fault: Fault) -> Way:
    """How a call ends that suffers this fault."""
    return (fault.kind, fault.detail)


def answered(reply: Reply) -> Way:
    """How a call ended by itself: its status, or the kind of its exception."""
    match = _STATUS.match(reply.value)
    if match is None:
        return (reply.value, "")
    return (next(kind.name for kind in all_kinds() if kind.answers), match.group())


def compatible(faults: Iterable[Fault]) -> list[Fault]:
    """The faults with at most one way for each call to fail: the first one that comes."""
    taken: set[str] = set()
    kept: list[Fault] = []
    for fault in faults:
        if is_call(fault):
            if fault.target in taken:
                continue
            taken.add(fault.target)
        kept.append(fault)
    return kept


def layers(faults: Sequence[Fault]) -> list[list[Fault]]:
    """The faults in as few compatible sets as can be: the first way of each call, the second, ..."""
    sets: list[list[Fault]] = []
    left = list(faults)
    while left:
        layer = compatible(left)
        sets.append(layer)
        gone = set(layer)
        left = [fault for fault in left if fault not in gone]
    return sets
