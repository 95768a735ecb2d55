"""What probes hand to the recorder while a test runs: actors, messages, contexts, replies that were read.

The objects are light, because there is one per message of a run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from types import CodeType, FrameType

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Offer
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import MESSAGE, Channel
from socrates_amplify.record.index import Stamp, site_of
from socrates_amplify.record.snapshot import snapshot


@dataclass(frozen=True, slots=True)
class Described:
    """What a probe says about a message: its type, its readable form and its promises.

    ``content`` is what is digested: the payload without the framework's wrapping. A probe that
    knows a shorter way to the ``digest`` gives that.
    """

    type: str
    content: object
    label: str | None = None
    at_least_once: bool = False
    internal: bool = False
    handler: str = ""
    promise: str = ""
    """The user's patterns, one per line, that made it ``at_least_once``."""
    offers: tuple[Offer, ...] = ()
    """What can happen to it; see ``Send.offers``. Made once for many messages: it is quicker."""
    digest: str = ""
    channel: Channel = MESSAGE
    because: str = ""
    """See ``Send.because``."""


class LazyReply:
    """A reply whose text is computed only when the trace is made."""

    __slots__ = ()

    def text(self) -> str:
        """What people read; the same whenever it is asked for."""
        raise NotImplementedError


class Actor:
    """One actor (or worker, or service) of the run. Also the context of its ``on_start``."""

    __slots__ = ("address", "context", "describe", "key", "kind", "persistent", "promise")

    def __init__(
        self,
        kind: type,
        context: Context,
        persistent: bool,
        describe: Callable[[Message, object], Described],
        promise: str = "",
    ) -> None:
        self.describe = describe
        self.promise = promise
        self.kind = kind
        self.context = context
        self.persistent = persistent
        self.key = ""
        self.address = ""


class Message:
    """One message on its way; while its turn runs it is the context of what that turn sends.

    ``payload`` is what the sender gave. ``target``, ``slot``, ``sort`` and ``faults`` are there once
    it is resolved.
    """

    __slots__ = (
        "actor",
        "code",
        "content",
        "context",
        "faults",
        "lasti",
        "payload",
        "slot",
        "sort",
        "target",
        "wants_reply",
    )
    content: object
    faults: tuple[Fault, ...]
    slot: str
    sort: str
    """The type that its probe says it has."""
    target: str
    from_code = True
    """Whether ``code`` and ``lasti`` alone say where it was sent: a subclass may know better."""
    stays = False
    """Whether its reply may stay in the memory of the code under test, for later calls to read."""

    def __init__(
        self,
        payload: object,
        actor: Actor,
        context: Context,
        code: CodeType,
        lasti: int,
        wants_reply: bool,
    ) -> None:
        self.payload = payload
        self.actor = actor
        self.context = context
        self.code = code
        self.lasti = lasti
        self.wants_reply = wants_reply

    @property
    def askers(self) -> Sequence[tuple[CodeType, int]]:
        """The code that asked for it, the innermost first, each with its line; nothing where the stack tells."""
        return ()

    def __init_subclass__(cls) -> None:
        cls.from_code = cls.site is Message.site and cls.senders is Message.senders

    @property
    def site(self) -> str:
        """Where in the code it was sent."""
        return site_of(self.code, self.lasti)

    @property
    def senders(self) -> Sequence[CodeType]:
        """The code that sent it, the innermost first; nothing where another process did."""
        return (self.code,)


class Phase:
    """A context beside the first turn of a message: a further delivery, or a restart after it."""

    __slots__ = ("actor", "name", "sent")

    def __init__(self, sent: Message, name: str) -> None:
        self.sent = sent
        self.actor = sent.actor
        self.name = name


Context = Message | Phase | Actor | None
"""The code that is running: a turn, a repeated turn, an actor's ``on_start``; None for the test."""


class ReplyRead:
    """One reply that the test read: of which message, its value, and the place in the test's file.

    ``lines`` are those of the test's file on the stack, innermost first; ``place`` tells one call
    in a line from another.
    """

    __slots__ = ("lines", "pending", "place", "sent", "value")

    def __init__(self, test_file: str, sent: Message, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code.co_filename != test_file:
            frame = frame.f_back
        lines, place = [], []
        while frame is not None and frame.f_code.co_filename == test_file:
            lines.append(frame.f_lineno)
            place.append(frame.f_lasti)
            frame = frame.f_back
        self.sent = sent
        self.lines = tuple(lines)
        self.place = (*lines, *place)
        self.value: object = None
        self.pending = True

    def __enter__(self) -> ReplyRead:
        return self

    def __exit__(self, *_: object) -> None:
        self.pending = False

    def keep(self, value: object) -> None:
        """Remember a reply if it is small; the trace must not keep big ones alive."""
        if snapshot(value) is value:
            self.value = value


CONTEXT: ContextVar[Context] = ContextVar("socrates_context", default=None)
"""What ``CurrentContext.context`` tells, for code that every message goes through."""


class CurrentContext(threading.local):
    """What the current thread, or the current asyncio task, is handling."""

    @property
    def context(self) -> Context:
        """What is being handled here. Asyncio tasks inherit it; probes hand it to threads."""
        return CONTEXT.get()

    @context.setter
    def context(self, context: Context) -> None:
        CONTEXT.set(context)

    rebuilding: object = None
    births: tuple[tuple[tuple[object, ...], dict[str, object]], ...] = ()


def address_of(context: Context) -> str:
    """The address of the actor whose code runs in this context."""
    if context is None:
        return TEST
    return context.address if isinstance(context, Actor) else context.actor.address


def cause_of(context: Context) -> str | None:
    """The target of the message that led to this context, None for the test."""
    while isinstance(context, Actor):
        context = context.context
    if context is None:
        return None
    return context.target if isinstance(context, Message) else context.sent.target


def stamp_of(context: Context) -> Stamp:
    """The index that what this context sends is counted under."""
    if context is None:
        return Stamp(TEST, TEST, TEST)
    if isinstance(context, Actor):
        return Stamp(context.key, context.key, context.key)
    if isinstance(context, Message):
        return Stamp(context.target, context.slot, context.actor.key)
    sent, name = context.sent, context.name
    return Stamp(f"{sent.target}+{name}", f"{sent.slot}+{name}", sent.actor.key)


_stamp = partial(tuple.__new__, Stamp)
"""Makes one without the call of a Python function: most messages are sent because of another one."""


def origin_of(context: Context) -> tuple[Stamp, str, str | None]:
    """The stamp, the address and the cause at once: a message that is resolved needs all three."""
    if isinstance(context, Message):
        actor, target = context.actor, context.target
        return _stamp((target, context.slot, actor.key)), actor.address, target
    return stamp_of(context), address_of(context), cause_of(context)
