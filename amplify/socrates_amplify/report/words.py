"""Words and names as people read them: on one line, without control characters, counted."""

from __future__ import annotations

import re

_MAX = 60
_LEAST = 24
"""So much is left of the first of two messages."""
_AFTER = " after "
_PLACED = re.compile(r"(.*)( at \S+:\d+)$", re.DOTALL)


def printable(text: str) -> str:
    """``text`` with control characters escaped, so that a name can't control the terminal."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def shorten(text: str, limit: int = _MAX) -> str:
    """``text`` on one line of at most ``limit`` characters; an ellipsis ends one that was cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def shorten_order(text: str, limit: int = _MAX) -> str:
    """The same for ``X after Y of Z``: X is cut first, since what it comes after says what is wrong.

    Of ``X at file.py:7`` the place stays whole: half of it leads nowhere.
    """
    held, after, awaited = text.rpartition(_AFTER)
    if len(text) <= limit or not held:
        return shorten(text, limit)
    placed = _PLACED.match(held)
    what, place = placed.groups() if placed else (held, "")
    room = max(limit - len(place + after + awaited), _LEAST)
    return f"{shorten(what, room)}{place}{after}{shorten(awaited)}"


def counted(number: int, noun: str) -> str:
    """``1 fault``, ``2 faults``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
