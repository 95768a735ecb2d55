"""Turns what happens in one run into a trace with stable addresses and target indices.

Two stages, so that tracing costs little while the test runs. Probes append small notes to a log,
one append each, which is atomic. Notes are *resolved* into indices and events in log order:
after the run, or at once when faults are planned and each message must be told from the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType

from socrates_amplify.events import TEST, Create, Event, Injected, Reply, Send, Trace, Turn
from socrates_amplify.faults import Fault, Scenario
from socrates_amplify.freezing import NO, frozen
from socrates_amplify.identity import canonical, digest, short
from socrates_amplify.indexing import Indexer, Known, Stamp, site_of


@dataclass(frozen=True, slots=True)
class Described:
    """What a probe says about a message: its type, its readable form and its promises.

    ``content`` is what is digested: the payload without the framework's wrapping.
    """

    type: str
    content: object
    label: str | None = None
    at_least_once: bool = False
    internal: bool = False
    handler: str = ""


class Actor:
    """One actor (or worker, or service) of the run. Also the context of its ``on_start``."""

    __slots__ = ("address", "context", "key", "kind", "persistent")

    def __init__(self, kind: type, context: Context, persistent: bool) -> None:
        self.kind = kind
        self.context = context
        self.persistent = persistent
        self.key = ""
        self.address = ""


class Sent:
    """One message on its way; while its turn runs it is the context of what that turn sends."""

    __slots__ = (
        "actor",
        "code",
        "content",
        "context",
        "describe",
        "faults",
        "lasti",
        "message",
        "slot",
        "target",
        "wants_reply",
    )

    def __init__(
        self,
        message: object,
        actor: Actor,
        context: Context,
        code: CodeType,
        lasti: int,
        describe: Callable[[Sent], Described],
        wants_reply: bool = False,
    ) -> None:
        self.message = message
        self.content = message
        self.actor = actor
        self.context = context
        self.code = code
        self.lasti = lasti
        self.describe = describe
        self.wants_reply = wants_reply
        self.faults: tuple[Fault, ...] = ()
        self.target = ""
        self.slot = ""


class Phase:
    """A context beside the first turn of a message: a further delivery, or a restart after it."""

    __slots__ = ("actor", "name", "sent")

    def __init__(self, sent: Sent, name: str) -> None:
        self.sent = sent
        self.actor = sent.actor
        self.name = name


Context = Sent | Phase | Actor | None
"""Whose code is running: a turn, a copy of one, an ``on_start``; None is the test."""


class Handled:
    """A turn in the log; ``failed`` is filled in when the handler raises."""

    __slots__ = ("copy", "failed", "sent")

    def __init__(self, sent: Sent, copy: int) -> None:
        self.sent = sent
        self.copy = copy
        self.failed = ""


class _Answer:
    __slots__ = ("sent", "value")

    def __init__(self, sent: Sent, value: object) -> None:
        self.sent = sent
        self.value = value


class _Hit:
    __slots__ = ("kind", "sent")

    def __init__(self, sent: Sent, kind: str) -> None:
        self.sent = sent
        self.kind = kind


class Consumption:
    """The test took a reply: whose, where in the test's file, and what it said."""

    __slots__ = ("code", "lasti", "line", "pending", "recorder", "sent", "value")

    def __init__(self, recorder: Recorder, sent: Sent, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code.co_filename != recorder.test_file:
            frame = frame.f_back
        self.recorder = recorder
        self.sent = sent
        self.code = frame.f_code if frame else None
        self.line = frame.f_lineno if frame else 0
        self.lasti = frame.f_lasti if frame else 0
        self.value: object = None
        self.pending = True

    def __enter__(self) -> Consumption:
        self.recorder.consumptions.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.pending = False


class Here(threading.local):
    """What the current thread is doing."""

    context: Context = None
    rebuilding: object = None
    births: tuple[tuple[tuple[object, ...], dict[str, object]], ...] = ()


class Recorder:
    """The log of one run. Safe to call from any thread.

    With a scenario, each ``Sent`` has its target and its ``faults`` when ``sent`` returns.
    Without one that is put off until ``trace``.
    """

    def __init__(
        self, scenario: Scenario | None = None, known: Known | None = None, root: str = ""
    ) -> None:
        self.scenario = scenario or Scenario()
        self.here = Here()
        self.root = root
        self.eager = bool(self.scenario.faults)
        self._finders: tuple[Callable[[object], Actor | None], ...] = ()
        self.missed: dict[str, str] = {}
        self.test_file = ""
        self.consumptions: list[Consumption] = []
        self._plan: dict[str, list[Fault]] = {}
        for fault in self.scenario:
            self._plan.setdefault(fault.target, []).append(fault)
        self._applied: set[str] = set()
        self._indexer = Indexer((known or Known()).including(self.scenario))
        self._log: list[Actor | Sent | Handled | _Answer | _Hit] = []
        self._events: list[Event] = []
        self._turns: list[tuple[int, Handled]] = []
        self._cursor = 0
        self._lock = threading.RLock()
        self.note = self._log.append
        """Append a note that needs no answer: the cheapest thing a probe can do."""

    def created(self, actor: Actor) -> None:
        """An actor was made; call it before anybody can send to it."""
        self.note(actor)
        if self.eager:
            self._advance()

    def sent(self, sent: Sent) -> None:
        """A message is about to be put in an inbox."""
        if not self.eager:
            content = frozen(sent.message)
            if content is not NO:
                sent.content = content
                self.note(sent)
                return
        with self._lock:
            self.note(sent)
            self._advance()

    def replied(self, sent: Sent, value: object) -> None:
        """The first turn of ``sent`` answered with ``value``."""
        self.note(_Answer(sent, value))
        if self.eager or frozen(value) is not value:
            self._advance()

    def injected(self, sent: Sent, fault: Fault) -> None:
        """``fault`` was applied to ``sent``."""
        self._applied.add(fault.key)
        self.note(_Hit(sent, fault.kind))

    def could_not(self, fault: Fault, reason: str) -> None:
        """The target of ``fault`` came by, but the fault could not be applied."""
        self.missed[fault.key] = reason

    @property
    def unapplied(self) -> list[tuple[Fault, str]]:
        """The planned faults that never happened, each with the reason."""
        return [
            (fault, self.missed.get(fault.key, "its message never came"))
            for fault in self.scenario
            if fault.key not in self._applied
        ]

    def consuming(self, sent: Sent, frame: FrameType) -> Consumption:
        """Around the wait of the test's own code for the reply to ``sent``."""
        return Consumption(self, sent, frame)

    def trace(self) -> Trace:
        """All events up to now."""
        with self._lock:
            self._advance()
            for position, turn in self._turns:
                if turn.failed:
                    self._events[position] = Turn(
                        turn.sent.actor.address, turn.sent.target, turn.copy, turn.failed
                    )
            return Trace(tuple(self._events))

    def name_of(self, value: object) -> str | None:
        """The address of a live reference or proxy, for people."""
        actor = self._actor_of(value)
        return actor.address if actor else None

    def find_actor(self, find: Callable[[object], Actor | None]) -> None:
        """Teach the recorder which values stand for actors."""
        self._finders = (*self._finders, find)

    def _actor_of(self, value: object) -> Actor | None:
        for find in self._finders:
            actor = find(value)
            if actor is not None:
                return actor
        return None

    def _key_of(self, value: object) -> str | None:
        actor = self._actor_of(value)
        return (actor.key or actor.kind.__qualname__) if actor else None

    def _advance(self) -> None:
        """Resolve what the log holds beyond the cursor, in order."""
        with self._lock:
            while self._cursor < len(self._log):
                entry = self._log[self._cursor]
                self._cursor += 1
                if type(entry) is Sent:
                    self._resolve_send(entry)
                elif type(entry) is Handled:
                    self._turns.append((len(self._events), entry))
                    sent = entry.sent
                    self._events.append(Turn(sent.actor.address, sent.target, entry.copy))
                elif type(entry) is _Answer:
                    self._resolve_answer(entry)
                elif type(entry) is _Hit:
                    self._events.append(Injected(entry.sent.target, entry.kind))
                elif type(entry) is Actor:
                    self._resolve_actor(entry)

    def _resolve_actor(self, actor: Actor) -> None:
        parent = address_of(actor.context)
        kind = f"{actor.kind.__module__}:{actor.kind.__qualname__}"
        actor.key, actor.address = self._indexer.actor(
            stamp_of(actor.context), parent, kind, actor.kind.__name__
        )
        self._events.append(Create(parent, actor.address, actor.persistent, kind, actor.key))

    def _resolve_send(self, sent: Sent) -> None:
        about = sent.describe(sent)
        content = digest(canonical(about.content, self._key_of), 8)
        cause = stamp_of(sent.context)
        place = f"{cause.actor}>{sent.actor.key}|{about.type}|{site_of(sent.code, sent.lasti)}"
        sent.target, sent.slot = self._indexer.message(cause, place, content)
        sent.faults = tuple(self._plan.get(sent.target, ()))
        self._events.append(
            Send(
                target=sent.target,
                sender=address_of(sent.context),
                receiver=sent.actor.address,
                message=about.label or short(about.content, self.name_of),
                digest=content,
                cause=cause_of(sent.context),
                at_least_once=about.at_least_once,
                wants_reply=sent.wants_reply,
                handler=about.handler,
                type=about.type,
                internal=about.internal,
                slot=sent.slot,
            )
        )
        sent.content = None

    def _resolve_answer(self, answer: _Answer) -> None:
        sent, value = answer.sent, answer.value
        self._events.append(
            Reply(
                sent.actor.address,
                sent.target,
                short(value, self.name_of),
                digest(canonical(value, self._key_of), 8),
            )
        )
        answer.value = None


def address_of(context: Context) -> str:
    """Who runs in this context."""
    if context is None:
        return TEST
    return context.address if isinstance(context, Actor) else context.actor.address


def cause_of(context: Context) -> str | None:
    """The target of the message that led to this context, None for the test."""
    while isinstance(context, Actor):
        context = context.context
    if context is None:
        return None
    return context.target if isinstance(context, Sent) else context.sent.target


def stamp_of(context: Context) -> Stamp:
    """The index that what this context sends is counted under."""
    if context is None:
        return Stamp(TEST, TEST, TEST)
    if isinstance(context, Actor):
        return Stamp(context.key, context.key, context.key)
    if isinstance(context, Sent):
        return Stamp(context.target, context.slot, context.actor.key)
    sent, name = context.sent, context.name
    return Stamp(f"{sent.target}+{name}", f"{sent.slot}+{name}", sent.actor.key)
