"""Which faults are the same thing done to another message, and how messages are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from socrates_amplify.exploration.alternatives import is_call
from socrates_amplify.faults import Fault

Family = tuple[str, str, str]
T = TypeVar("T")

_HEAD = re.compile(r"[^\s(\[{:=]+")
_NUMBERED = re.compile(r"[^/\s]*\d[^/\s]*")


def message_type(message: str) -> str:
    """``Deposit`` for ``Deposit(id=7)``: the part of a readable message that names its type."""
    match = _HEAD.search(message)
    return match.group() if match else message


def family(fault: Fault) -> Family:
    """Faults that break the same code: one kind, one receiver, and one type of message.

    A restart is done to the receiver rather than to a message, so its type does not count. For a
    call, method and path are the type, with numbers and the like in the path left open, and each
    way to fail is a kind of its own.
    """
    if is_call(fault):
        kind = f"{fault.kind} {fault.detail}" if fault.detail else fault.kind
        return (fault.receiver, kind, _NUMBERED.sub("*", fault.message))
    type_ = "" if fault.kind == "restart" else message_type(fault.message)
    return (fault.receiver, fault.kind, type_)


def without_families(faults: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """The faults that no found fault stands for."""
    families = {family(fault) for fault in found}
    return [fault for fault in faults if family(fault) not in families]


def unique(items: Iterable[T]) -> list[T]:
    """The items without repetition, in the order of their first occurrence."""
    return list(dict.fromkeys(items))
