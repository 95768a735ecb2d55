"""How messages are told apart where their order is what changes, and how a forced order is written.

The usual target of a message hashes all that led to it, so it changes when an earlier order does:
the last of several answers sends the summary, whichever is last. A message is therefore named
by its place in the one order that every framework keeps: the nth of its type from one sender to
one receiver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.labels import message_type

_AFTER = " after "

Pair = tuple[str, str]
"""The names of two messages of one receiver, the earlier one first."""


@dataclass(slots=True)
class Names:
    """Gives each message its name; ask in the order in which they are sent."""

    _counts: Counter[str] = field(default_factory=Counter)

    def name(self, sender: str, receiver: str, sort: str) -> str:
        """``Action#1>Writer#1 app:Write 2``."""
        stem = f"{sender}>{receiver} {sort}"
        self._counts[stem] += 1
        return f"{stem} {self._counts[stem]}"


NOT_CONTROLLED = "the order was not controlled"
"""How the reason begins why a forced order counts as not applied."""
THREADS = "threads"
"""The receiver of what concerns threads as a whole: that they begin, or go on after a sleep."""


def step_sort(what: str, site: str) -> str:
    """The type of something that a thread does, ``put@shop.py:Shop.run+3``."""
    return f"{what}@{site}".replace(" ", "-")


def is_step(name: str) -> bool:
    """Whether this is the name of something that a thread does."""
    return "@" in name


def forced(held: str, awaited: str) -> str:
    """The detail of a fault that lets ``held`` be handled only after ``awaited``."""
    return f"{held}{_AFTER}{awaited}"


def pair_of(detail: str) -> Pair | None:
    """The pair that a detail forces, awaited first; None for a detail that forces nothing."""
    held, after, awaited = detail.partition(_AFTER)
    return (awaited, held) if after else None


def told_order(held: Send, awaited: Send, detail: str) -> str:
    """``Write('a') after Flush of Terminator#1``: a forced order for people."""
    number = detail.rpartition(" ")[2]
    which = "" if number == "1" else f" no. {number}"
    return f"{held.message} after {message_type(awaited.message)}{which} of {awaited.sender}"


def named_sends(trace: Trace) -> dict[str, Send]:
    """The messages of a trace by name."""
    names = Names()
    return {names.name(send.sender, send.receiver, send.type): send for send in trace.sends}


@dataclass(frozen=True, slots=True)
class Schedule:
    """In which order each receiver handled its messages in one run."""

    receives: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, trace: Trace) -> Schedule:
        """The schedule of a trace: first deliveries only, without the framework's own messages."""
        names = {send.target: (name, send) for name, send in named_sends(trace).items()}
        received: dict[str, list[str]] = {}
        for event in trace.events:
            if isinstance(event, Turn) and event.copy == 0 and event.target in names:
                name, send = names[event.target]
                if not send.internal:
                    received.setdefault(event.actor, []).append(name)
        return cls(tuple((receiver, tuple(mail)) for receiver, mail in received.items()))

    @property
    def pairs(self) -> Iterator[Pair]:
        """Every two messages of one receiver in the order in which it handled them."""
        for _, mail in self.receives:
            for position, first in enumerate(mail):
                for second in mail[position + 1 :]:
                    yield first, second
