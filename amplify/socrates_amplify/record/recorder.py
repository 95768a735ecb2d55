"""Turns what happens in one run into a trace with stable addresses and target indices.

Two stages, so that tracing costs little while the test runs. Probes append small notes to a log,
one append each, which is atomic. Notes are *resolved* into indices and events in log order:
after the run, or at once when faults are planned and each message must be told from the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import CodeType, FrameType

from socrates.classes.quick import quickly
from socrates_amplify.faults import run_started, was_applied
from socrates_amplify.model.events import Create, Event, Injected, Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, kind_of
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.originals import Threads
from socrates_amplify.record.evidence import links_of
from socrates_amplify.record.fault_evidence import FaultEvidence
from socrates_amplify.record.index import Indexer, Known
from socrates_amplify.record.log import Answer, Hit, Redelivery
from socrates_amplify.record.messages import (
    Actor,
    CurrentContext,
    LazyReply,
    Message,
    ReplyRead,
    address_of,
    origin_of,
    stamp_of,
)
from socrates_amplify.record.notices import Notices
from socrates_amplify.record.sayings import Sayings
from socrates_amplify.record.snapshot import UNSAFE, snapshot
from socrates_amplify.record.whose import Roles, packages_in

_send, _turn, _reply = quickly(Send), quickly(Turn), quickly(Reply)


class Recorder(FaultEvidence):
    """The log of one run. Safe to call from any thread.

    With a scenario, each ``Message`` has its target and its ``faults`` when ``sent`` returns.
    Without one that is put off until ``trace``.
    """

    def __init__(
        self, scenario: Scenario | None = None, known: Known | None = None, root: str = ""
    ) -> None:
        super().__init__()
        self.scenario = scenario or Scenario()
        self.notices = Notices()
        self.here = CurrentContext()
        self.root = root
        self.eager = bool(self.scenario.faults)
        self.only_orders = all(kind_of(fault.kind).schedules for fault in self.scenario)
        """Whether no fault is planned for a message: a probe may then put off to resolve its messages."""
        self._finders: tuple[Callable[[object], Actor | None], ...] = ()
        self.missed: dict[str, str] = {}
        self.void = ""
        """Why a failure of this run says nothing of its faults; empty where it does."""
        self.unjudged: dict[str, str] = {}
        """By the type of a failure: why a test that ends so says nothing of its faults."""
        self.over = False
        """Whether the test's own code has come to its end; its fixtures may not have."""
        self.at_end: Callable[[], None] = lambda: None
        """What is called when the test's own code has come to its end."""
        self.concurrent = self.controlled = False
        """Whether threads or tasks ran beside each other; whether one at a time, as a scenario wants."""
        self._late: list[tuple[Message, Fault]] = []
        self.test_file = ""
        self._roles: Roles | None = None
        if root:
            packages_in(root)  # read now: inside of a test, files may be watched
        self.tmp = ""
        """Where a probe may keep files that are removed after the run; empty for no such place."""
        self.reply_reads: list[ReplyRead] = []
        self._plan: dict[str, list[Fault]] = {}
        for fault in self.scenario:
            self._plan.setdefault(fault.target, []).append(fault)
        self._applied: set[str] = set()
        self.true_error: Callable[[BaseException], BaseException] = lambda error: error
        """The exception behind one that a test framework made of it."""
        run_started()
        self._indexer = Indexer((known or Known()).including(self.scenario))
        self._log: list[Actor | Message | Redelivery | Answer | Hit] = []
        self._events: list[Event] = []
        self._failed: dict[tuple[str, int], str] = {}
        self._handlers: dict[str, str] = {}
        self._apart: set[str] = set()
        self._late_offers: dict[str, tuple[Offer, ...]] = {}
        self._say = Sayings(self.name_of, self._key_of)
        self._sites: dict[tuple[int, ...], tuple[Sequence[CodeType], str]] = {}
        self._places: dict[tuple[int, int], tuple[str, str]] = {}
        self._cursor = 0
        self._lock = Threads.RLock()
        self.turn = self._log.append
        """Log that a message starts being handled. Bound to ``list.append`` for speed; a message is logged
        twice, when it is sent and here."""

    def end_of_test(self) -> None:
        """The test's own code has come to its end."""
        if not self.over:
            self.over = True
            self.at_end()

    def created(self, actor: Actor) -> None:
        """Log that an actor was made. Call it before the actor can receive a message."""
        self._log.append(actor)
        if self.eager:
            self.advance()

    def sent(self, sent: Message) -> None:
        """Log that a message is about to be put in an inbox."""
        if not self.eager:
            sent.content = content = snapshot(sent.payload)
            if content is not UNSAFE:
                self._log.append(sent)
                return
        sent.content = sent.payload
        with self._lock:
            self._log.append(sent)
            self._resolve()

    def redelivered(self, sent: Message, copy: int) -> None:
        """Log that a message is handled once more."""
        self._log.append(Redelivery(sent, copy))

    def failed(self, sent: Message, copy: int, error: BaseException | str) -> None:
        """Log that a turn ended with an exception, or with one of which only the name is known."""
        with self._lock:
            self.advance()
            name = error if isinstance(error, str) else type(error).__name__
            self._failed[sent.target, copy] = name

    def handled_by(self, sent: Message, handler: str) -> None:
        """The code at ``handler`` (``file:line``) handles ``sent``: only the turn shows it."""
        with self._lock:
            self.advance()
            self._handlers[sent.target] = handler

    def handled_elsewhere(self, sent: Message) -> None:
        """Log that another process handles ``sent``: the order of its turns is unknown here."""
        with self._lock:
            self.advance()
            self._apart.add(sent.target)

    def replied(self, sent: Message, value: object) -> None:
        """The first turn of ``sent`` answered with ``value``."""
        self._log.append(Answer(sent, value))
        if self.eager or not (isinstance(value, LazyReply) or snapshot(value) is value):
            self.advance()

    def injected(self, sent: Message, fault: Fault) -> None:
        """``fault`` was applied to ``sent``."""
        self._applied.add(fault.key)
        was_applied(fault)
        self.struck(fault, sys._getframe(1), self.roles, sent.askers)
        self._log.append(Hit(sent, fault.kind))

    def escaped(self, error: BaseException) -> None:
        """``error`` left a request handler; before any fault that is what the test is about."""
        if self.injections:
            self.escapes.append(links_of(error, self.roles)[0])

    @property
    def roles(self) -> Roles:
        """Whose code is whose, for this test."""
        if self._roles is None:
            self._roles = Roles(self.root, self.test_file)
        return self._roles

    def injected_apart(self, sent: Message, fault: Fault) -> None:
        """Another process applied ``fault``. When the test is over by then, it could not see the fault."""
        if self.over:
            self._late.append((sent, fault))
        else:
            self.injected(sent, fault)

    def count_late(self) -> None:
        """Count the faults that were applied after the test: a fixture may have seen them."""
        for sent, fault in self._late:
            self.injected(sent, fault)
        self._late.clear()

    def applied_throughout(self, fault: Fault) -> None:
        """Log a fault that is there during the whole run and concerns no single message."""
        self._applied.add(fault.key)
        was_applied(fault)
        self.append([Injected(fault.target, fault.kind)])

    def withdrawn(self, fault: Fault, reason: str) -> None:
        """What was taken for applied was not, by what is known now."""
        self._applied.discard(fault.key)
        self.missed[fault.key] = reason

    def offer_late(self, offers: Mapping[str, tuple[Offer, ...]]) -> None:
        """By target: what messages offer as only the whole run could show."""
        self._late_offers.update(offers)

    def append(self, events: Iterable[Event]) -> None:
        """Add what was seen of the whole run behind all that was logged."""
        with self._lock:
            self.advance()
            self._events.extend(events)

    def not_applied(self, fault: Fault, reason: str) -> None:
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

    def reading_reply(self, sent: Message, frame: FrameType) -> ReplyRead:
        """Around the wait of the test's own code for the reply to ``sent``."""
        consumption = ReplyRead(self.test_file, sent, frame)
        self.reply_reads.append(consumption)
        return consumption

    def trace(self) -> Trace:
        """All events up to now."""
        with self._lock:
            self.advance()
            ends = self._failed or self._handlers or self._apart
            offers = self._late_offers
            events: Iterable[Event] = self._events
            if ends or offers:
                events = [
                    self._with_its_end(one)
                    if ends or (type(one) is Send and one.target in offers)
                    else one
                    for one in events
                ]
            return Trace.of(events, self.concurrent)

    def forget(self) -> None:
        """Forget all events up to now, when they belong to a test that is over.

        What is under way goes on; what it says from now on is told of the next test.
        """
        with self._lock:
            self.advance()
            del self._log[: self._cursor]
            self._cursor = 0
            self._events.clear()
            self.reply_reads.clear()
            self._say.forget()
            self.concurrent = False

    def _with_its_end(self, event: Event) -> Event:
        if isinstance(event, Send) and event.target in self._late_offers:
            return replace(event, offers=event.offers + self._late_offers[event.target])
        if not isinstance(event, Turn) or not (self._failed or self._handlers or self._apart):
            return event
        failed = self._failed.get((event.target, event.copy), "")
        handler = self._handlers.get(event.target, "")
        apart = event.target in self._apart
        return _turn(event.actor, event.target, event.copy, failed, handler, apart)

    def name_of(self, value: object) -> str | None:
        """The address of a live reference or proxy, for people."""
        actor = self._actor_of(value)
        return actor.address if actor else None

    def find_actor(self, find: Callable[[object], Actor | None]) -> None:
        """Add a function that finds the actor that a value stands for."""
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

    def advance(self) -> None:
        """Resolve what the log holds beyond the cursor, in order."""
        with self._lock:
            self._resolve()

    def _resolve(self) -> None:
        log, events = self._log, self._events
        while (cursor := self._cursor) < len(log):
            entry = log[cursor]
            self._cursor = cursor + 1
            if isinstance(entry, Message):
                # The second time that a message stands in the log is its turn.
                target = getattr(entry, "target", None)
                if target is None:
                    self._resolve_send(entry)
                else:
                    events.append(_turn(entry.actor.address, target))
            elif type(entry) is Redelivery:
                sent = entry.sent
                events.append(_turn(sent.actor.address, sent.target, entry.copy))
            elif type(entry) is Answer:
                self._resolve_answer(entry)
            elif type(entry) is Hit:
                events.append(Injected(entry.sent.target, entry.kind))
            elif type(entry) is Actor:
                self._resolve_actor(entry)

    def _resolve_actor(self, actor: Actor) -> None:
        parent = address_of(actor.context)
        kind = f"{actor.kind.__module__}:{actor.kind.__qualname__}"
        actor.key, actor.address = self._indexer.actor(
            stamp_of(actor.context), parent, kind, actor.kind.__name__
        )
        self._events.append(
            Create(parent, actor.address, actor.persistent, kind, actor.key, actor.promise)
        )

    def _resolve_send(self, sent: Message) -> None:
        actor, context = sent.actor, sent.context
        about = actor.describe(sent, sent.content)
        if about.label is None and not about.digest:
            label, content = self._say.message(about.content)
        else:
            label = without_secrets(about.label or "")
            content = about.digest or self._say.digest(about.content)
        cause, sender, led_by = origin_of(context)
        site, sent_by = self._place(sent)
        place = f"{cause.actor}>{actor.key}|{about.type}|{site}"
        called = label if sent.stays else ""
        target, slot = self._indexer.message(cause, place, content, called, actor.key)
        sent.faults = tuple(self._plan.get(target, ())) if self._plan else ()
        sent.target, sent.slot, sent.sort = target, slot, about.type
        sent.content = None
        self._events.append(
            _send(  # by position: names take three times as long
                target,
                sender,
                actor.address,
                label,
                content,
                led_by,
                about.at_least_once,
                sent.wants_reply,
                about.handler,
                about.type,
                about.internal,
                slot,
                about.promise,
                about.offers,
                about.channel,
                about.because,
                "" if about.internal and about.channel != CALL else sent_by,
            )
        )

    def _place(self, sent: Message) -> tuple[str, str]:
        """Its call site, and the code that sent it; the same few functions send most messages."""
        if not sent.from_code:
            return sent.site, self._sent_by(sent.senders)
        key = id(sent.code), sent.lasti
        known = self._places.get(key)
        if known is None:
            # Of the code ``_sent_by`` sees to it that its id stays its own.
            known = self._places[key] = sent.site, self._sent_by(sent.senders)
        return known

    def _sent_by(self, senders: Sequence[CodeType]) -> str:
        key = tuple(map(id, senders))
        known = self._sites.get(key)
        if known is None:
            # The code objects are kept with it, so that ids stay theirs.
            known = self._sites[key] = (senders, self.roles.sender_among(senders))
        return known[1]

    def _resolve_answer(self, answer: Answer) -> None:
        sent, value = answer.sent, answer.value
        if isinstance(value, LazyReply):
            shown, content = self._say.text(value.text())
        else:
            shown, content = self._say.value(value)
        self._events.append(_reply(sent.actor.address, sent.target, shown, content))
        answer.value = None
