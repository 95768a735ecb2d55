"""What happened in one run of a test: a trace of events, comparable between runs.

Addresses are stable names: ``test`` for the test itself, ``Ledger#1`` for the first Ledger that
was created, in creation order under its creator, never a uuid or an ``id()``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from socrates.classes.lazy import dataclass
from socrates_amplify.model.kinds import MESSAGE, Channel

TEST = "test"
"""The address of the test itself."""


@dataclass(frozen=True, slots=True)
class Create:
    """``parent`` made ``child``. Persistent children survive a restart by their own means."""

    parent: str
    child: str
    persistent: bool = False
    type: str = ""
    """``module:Class`` of the child."""
    key: str = ""
    """The child's execution index: the same child has the same one in every run."""
    promise: str = ""
    """The user's patterns, one per line, that say that it is persistent."""


class Offer(NamedTuple):
    """A fault that can happen to a message: its kind, and its detail where there are several."""

    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Send:
    """A message, a task or a remote call on its way; ``channel`` says which.

    ``target`` is the execution index: the same message has the same one in every run. ``cause``
    is the target of the message whose turn sent it, or None when the test did. ``message`` is a
    short readable form; ``digest`` stands for the whole content, free of addresses and clocks.
    """

    target: str
    sender: str
    receiver: str
    message: str
    digest: str
    cause: str | None
    at_least_once: bool = False
    wants_reply: bool = False
    handler: str = ""
    """``file:line`` of the code that will handle it, where that is known."""
    type: str = ""
    """``module:Class`` of the message, or ``module:Class.method`` of a call through a proxy."""
    internal: bool = False
    """The framework's own (a stop, a read of an attribute): traced, never a target."""
    slot: str = ""
    """Its place without its content: how it is found again when a fault changes what it says."""
    promise: str = ""
    """The user's patterns, one per line, that say that it is sent at least once."""
    offers: tuple[Offer, ...] = ()
    """What can happen to it by the word of its probe, beyond what its promises say."""
    channel: Channel = MESSAGE
    because: str = ""
    """Why its queue may deliver it twice, where neither the task nor the user says so."""
    site: str = ""
    """``file:function`` of the code that sent it: production code where there is any on the way."""

    def may(self, kind: str) -> bool:
        """Whether it offers faults of this kind."""
        return any(offer.kind == kind for offer in self.offers)


@dataclass(frozen=True, slots=True)
class Turn:
    """``actor`` handled the message ``target``; ``copy`` counts its deliveries from 0."""

    actor: str
    target: str
    copy: int = 0
    failed: str = ""
    handler: str = ""
    """``file:line`` of the code that handled it, where only the handling shows it."""
    apart: bool = False
    """A worker in another process handled it, so the order of its turns is unknown."""


@dataclass(frozen=True, slots=True)
class Reply:
    """``actor`` answered the message ``target``; ``digest`` stands for the value."""

    actor: str
    target: str
    value: str
    digest: str


@dataclass(frozen=True, slots=True)
class Injected:
    """A fault was applied to ``target``."""

    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class Concurrent:
    """Threads or tasks of the test ran beside each other, so their order could have been another."""


Event = Create | Send | Turn | Reply | Injected | Concurrent


@dataclass(frozen=True, slots=True)
class Trace:
    """All events of one run, in the order in which they were observed."""

    events: tuple[Event, ...] = ()

    @classmethod
    def of(cls, events: Iterable[Event], concurrent: bool) -> Trace:
        """All these events, and where it was so, that threads or tasks ran beside each other."""
        return cls((*events, Concurrent()) if concurrent else tuple(events))

    @property
    def sends(self) -> tuple[Send, ...]:
        """The messages, in the order in which they were sent."""
        return tuple(event for event in self.events if isinstance(event, Send))
