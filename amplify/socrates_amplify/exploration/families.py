"""Which faults are the same thing done to another message, and how messages are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from socrates_amplify.faults import Fault

Family = tuple[str, str, str]
T = TypeVar("T")

_HEAD = re.compile(r"[^\s(\[{:=]+")


def message_type(message: str) -> str:
    """``Deposit`` for ``Deposit(id=7)``: the part of a readable message that names its type."""
    match = _HEAD.search(message)
    return match.group() if match else message


def family(fault: Fault) -> Family:
    """Faults of one family share kind, receiver and message type: one handler mishandles them all."""
    return (fault.receiver, fault.kind, message_type(fault.message))


def without_families(faults: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """The faults that no found fault stands for."""
    families = {family(fault) for fault in found}
    return [fault for fault in faults if family(fault) not in families]


def unique(items: Iterable[T]) -> list[T]:
    """The items without repetition, in the order of their first occurrence."""
    return list(dict.fromkeys(items))
