"""How faults and messages are called in reports, and which of two messages go by one name."""

from __future__ import annotations

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CIRCUMSTANCE, kind_of

_NUMBER = later(r"(?<=/)(?:\d+|(?=[^/\s]*\d)[^/\s]{8,}|<\w+>)(?=/|\s|$)")
"""A part of a path that is a number, or long and with digits in it, or was scrubbed."""
_HEAD = later(r"[^\s(\[{:=]+")


def open_numbers(path: str) -> str:
    """``path`` with numbers, and what looks like an id, left open."""
    return _NUMBER.sub("*", path)


def message_type(message: str) -> str:
    """``Deposit`` for ``Deposit(id=7)``: the part of a readable message that names its type."""
    match = _HEAD.search(message)
    return match.group() if match else message


def named(fault: Fault) -> str:
    """``duplicate of Deposit(id=7)``; a circumstance speaks for itself."""
    speaks = CIRCUMSTANCE in kind_of(fault.kind).channels
    return fault.message if speaks else f"{fault.what} of {fault.message}"
