"""How messages are told apart where their order is what changes, and how a forced order is written.

The usual target of a message hashes all that led to it, so it changes when an earlier order does:
the last of several answers sends the summary, whichever is last. A message is therefore named
by its place in the one order that every framework keeps: the nth of its type from one sender to
one receiver.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import (
    TEST,
    Concurrent,
    Event,
    Injected,
    Reply,
    Send,
    Trace,
    Turn,
)
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import MESSAGE, STEP, TASK, all_kinds, kind_of
from socrates_amplify.model.labels import message_type

_AFTER = " after "
_AS_THEY_ARE = tuple("'\"{[(")
"""How texts and collections begin: messages that have no type of their own to be named by."""

Pair = tuple[str, str]
"""The names of two messages of one receiver, the earlier one first."""


@dataclass(slots=True)
class Names:
    """Gives each message its name; ask in the order in which they are sent."""

    _counts: dict[str, int] = field(default_factory=dict)

    def name(self, sender: str, receiver: str, sort: str) -> str:
        """``Action#1>Writer#1 app:Write 2``."""
        stem = f"{sender}>{receiver} {sort}"
        number = self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem} {number}"


def receiver_of(name: str) -> str:
    """The receiver in the name of a message."""
    return name.partition(" ")[0].partition(">")[2]


NOT_CONTROLLED = "the order was not controlled"
"""How the reason begins why a forced order counts as not applied."""
THREADS = "threads"
"""The receiver of what concerns threads as a whole: that they begin, or go on after a sleep."""
TASKS = "tasks"
"""Whom the tasks of all queues go to: no queue promises in which order workers get them."""
SLEEP = "sleep"
"""What a thread or a task does that sleeps."""


def step_sort(what: str, site: str) -> str:
    """The type of something that a thread does, ``put@shop.py:Shop.run+3``."""
    return f"{what}@{site}".replace(" ", "-")


def is_step(name: str) -> bool:
    """Whether this is the name of something that a thread does."""
    return "@" in name


def is_preempted(pair: Pair) -> bool:
    """Whether a thread is to stand still while another one, which may share nothing with it, goes on."""
    early = receiver_of(pair[0]) == THREADS != receiver_of(pair[1])
    return early or is_then(pair[1])


_AGAIN = "~again"


def again(name: str) -> str:
    """The name of the second delivery of a message."""
    return name + _AGAIN


def is_again(name: str) -> bool:
    """Whether this is the name of a second delivery."""
    return name.endswith(_AGAIN)


_THEN = "~then"


def then(name: str) -> str:
    """The name of all that a thread does after the operation, or the task that it sent, of this name."""
    return name + _THEN


def is_then(name: str) -> bool:
    """Whether this is the name of what follows something."""
    return name.endswith(_THEN)


def without_then(name: str) -> str:
    """The name of what it follows; any other name as it is."""
    return name.removesuffix(_THEN)


def forced(held: str, awaited: str) -> str:
    """The detail of a fault that lets ``held`` be handled only after ``awaited``."""
    return f"{held}{_AFTER}{awaited}"


def pair_of(detail: str) -> Pair | None:
    """The pair that a detail forces, awaited first; None for a detail that forces nothing."""
    held, after, awaited = detail.partition(_AFTER)
    return (awaited, held) if after else None


def order_kind() -> str:
    """The kind whose faults force orders."""
    return next(kind.name for kind in all_kinds() if kind.schedules)


CHANGES = "changes behaviour"
"""The detail by which a message says that its receiver behaves differently from then on."""


def changes_behaviour(trace: Trace) -> frozenset[str]:
    """The names of the messages after which their receiver behaved differently."""
    if not any(offer.detail == CHANGES for send in trace.sends for offer in send.offers):
        return frozenset()
    return frozenset(
        name
        for name, send in named_sends(trace).items()
        if any(offer.detail == CHANGES for offer in send.offers)
    )


ONCE_MORE = "once more"
"""The detail of a second run under control with nothing held back."""
_CHANCE = "by chance"


def by_chance(seed: int, depth: int, messages: int) -> str:
    """The detail of a fault under which chance chooses the order; the same detail, the same order."""
    return f"{_CHANCE} {seed} {depth} {messages}"


def chance_of(detail: str) -> tuple[int, int, int] | None:
    """The seed, the depth and the number of messages in such a detail; None for any other."""
    if not detail.startswith(_CHANCE):
        return None
    seed, depth, messages = map(int, detail.removeprefix(_CHANCE).split())
    return seed, depth, messages


def is_unforced(fault: Fault) -> bool:
    """Whether this asks for a run under control, and is nothing that could break a test."""
    return kind_of(fault.kind).schedules and not fault.detail


def unforced() -> Fault:
    """The fault that asks for a run under control in which nothing is held back."""
    kind = order_kind()
    return Fault(kind, kind, message="one thread at a time, nothing held back")


def has_orders(scenario: Scenario) -> bool:
    """Whether runs of this scenario are under control."""
    return any(kind_of(fault.kind).schedules for fault in scenario.faults)


def under_control(scenario: Scenario) -> Scenario:
    """The same faults in a run under control."""
    return scenario if has_orders(scenario) else Scenario.of((*scenario.faults, unforced()))


def was_controlled(trace: Trace) -> bool:
    """Whether a run was under control from its beginning to its end, with nothing held back."""
    mark = unforced()
    return Injected(mark.target, mark.kind) in trace.events


def as_ordinary(trace: Trace) -> Trace:
    """What an ordinary run would have shown of a run under control: no orders, no steps of threads.

    That it was under control can still be seen.
    """
    kind = order_kind()
    steps = {
        send.target
        for send in trace.sends
        if send.channel == STEP and all(offer.kind == kind for offer in send.offers)
    }
    events: list[Event] = []
    for event in trace.events:
        if isinstance(event, Send | Turn | Reply) and event.target in steps:
            continue
        if isinstance(event, Send) and event.may(kind):
            others = tuple(offer for offer in event.offers if offer.kind != kind)
            events.append(replace(event, offers=others))
        else:
            events.append(event)
    return Trace(tuple(events))


def races(trace: Trace) -> bool:
    """Whether threads or tasks ran beside each other, or an actor heard of two senders."""
    senders: dict[str, str] = {}
    for event in trace.events:
        if isinstance(event, Concurrent):
            return True
        if isinstance(event, Send) and event.channel == MESSAGE and has_place(event):
            if senders.setdefault(event.receiver, event.sender) != event.sender:
                return True
    return False


def real_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Those that could break a test, without what only asks for a run under control."""
    return [fault for fault in faults if not is_unforced(fault)]


def told_order(held: Send, awaited: Send, detail: str) -> str:
    """``Write('a') after Flush of Terminator#1``: a forced order for people."""
    number = detail.rpartition(" ")[2].removesuffix(_AGAIN)
    which = "" if number == "1" else f" no. {number}"
    first, _, second = detail.partition(_AFTER)
    if without_then(first) == second:
        return f"what {held.sender} does next after {held.message}"
    follows = "what follows " if is_then(first) else ""
    late, once_more = (" once more" if is_again(name) else "" for name in (first, second))
    message = awaited.message
    told = message if message[:1] in _AS_THEY_ARE else message_type(message)
    return f"{follows}{held.message}{late} after {told}{which}{once_more} of {awaited.sender}"


def named_sends(trace: Trace) -> dict[str, Send]:
    """The messages of a trace by name, second deliveries behind all others."""
    names = Names()
    found = {names.name(send.sender, send.receiver, send.type): send for send in trace.sends}
    copied = {event.target for event in trace.events if isinstance(event, Turn) and event.copy}
    if copied:
        found |= {again(name): send for name, send in found.items() if send.target in copied}
    return found


def has_place(send: Send) -> bool:
    """Whether the order of this message counts.

    Where an actor reads an attribute of another one, or stops it, it does; where the test does so, it looks
    at the end of its story.
    """
    return not send.internal or (send.channel == MESSAGE and send.sender != TEST)


@dataclass(frozen=True, slots=True)
class Schedule:
    """In which order each receiver handled its messages in one run."""

    receives: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, trace: Trace) -> Schedule:
        """The schedule of a trace, without the framework's own messages."""
        names = {
            send.target: (name, send)
            for name, send in named_sends(trace).items()
            if not is_again(name)
        }
        received: dict[str, list[str]] = {}
        for event in trace.events:
            if isinstance(event, Turn) and event.target in names:
                name, send = names[event.target]
                if has_place(send):
                    receiver = TASKS if send.channel == TASK else event.actor
                    received.setdefault(receiver, []).append(again(name) if event.copy else name)
        return cls(tuple((receiver, tuple(mail)) for receiver, mail in received.items()))

    @property
    def sequences(self) -> Iterator[tuple[str, ...]]:
        """The messages of each receiver, in their order."""
        return (mail for _, mail in self.receives)

    @property
    def neighbours(self) -> Iterator[Pair]:
        """Every two messages that a receiver handled one right after the other."""
        return (pair for mail in self.sequences for pair in itertools.pairwise(mail))

    @property
    def pairs(self) -> Iterator[Pair]:
        """Every two messages of one receiver in the order in which it handled them."""
        for _, mail in self.receives:
            for position, first in enumerate(mail):
                for second in mail[position + 1 :]:
                    yield first, second
