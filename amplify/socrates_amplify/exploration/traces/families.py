"""Which faults are the same thing done to another message, and how messages are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from socrates_amplify.exploration.traces.alternatives import is_call
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CIRCUMSTANCE, kind_of
from socrates_amplify.model.labels import message_type, open_numbers

Family = tuple[str, str, str]
T = TypeVar("T")


def family(fault: Fault) -> Family:
    """Faults that break the same code: one kind, one receiver, and one type of message.

    Where a kind is done to the receiver rather than to a message, the type does not count. Calls
    have a family for each way to fail; all errors of the server (5xx) are one way.
    """
    kind = kind_of(fault.kind)
    if is_call(fault):
        detail = "5xx" if kind.answers and fault.detail.startswith("5") else fault.detail
        receiver, called = endpoint(fault)
        return (receiver, f"{fault.kind} {detail}".rstrip(), called)
    type_ = "" if kind.of_receiver else message_type(fault.message)
    return (fault.receiver, fault.kind, type_)


def endpoint(fault: Fault) -> tuple[str, str]:
    """What a call calls: the service, and method and path with numbers left open."""
    return (fault.receiver, open_numbers(fault.message))


def without_families(faults: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """The faults that no found fault stands for."""
    families = {family(fault) for fault in found}
    return [fault for fault in faults if family(fault) not in families]


def all_break(faults: Sequence[Fault]) -> str:
    """The hypothesis that these faults together break the test, in words."""
    kinds = unique(fault.kind for fault in faults)
    kind = f"{kinds[0]} " if len(kinds) == 1 else ""
    noun = CIRCUMSTANCE if set(map(_is_circumstance, faults)) == {True} else f"{kind}fault"
    if len(faults) == 1:
        return f"the only {noun} breaks the test"
    return f"all {len(faults)} {noun}s together break the test"


def receivers(faults: Sequence[Fault]) -> str:
    """What faults are grouped by, in words: a circumstance happens to no actor."""
    around = set(map(_is_circumstance, faults))
    if around == {True}:
        return "circumstances"
    return "actors and circumstances" if True in around else "actors"


def _is_circumstance(fault: Fault) -> bool:
    return CIRCUMSTANCE in kind_of(fault.kind).channels


def unique(items: Iterable[T]) -> list[T]:
    """The items without repetition, in the order of their first occurrence."""
    return list(dict.fromkeys(items))
