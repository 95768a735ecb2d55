"""What client and server hooks write down, wherever they run.

``Journal`` is the side that hooks see. In the test's own process it is a ``LocalJournal``; a
service in a process of its own has one that speaks to the test's through a private channel.
"""

from __future__ import annotations

import functools
import os
import secrets
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Protocol

from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL
from socrates_amplify.originals import Threads
from socrates_amplify.probes.http.calls.outgoing import Outgoing
from socrates_amplify.probes.http.calls.service_names import Services
from socrates_amplify.probes.http.calls.settings import APPLIED, DOWN, REFUSED, CallSettings
from socrates_amplify.probes.http.calls.stack import Way
from socrates_amplify.record.index import line_of
from socrates_amplify.record.messages import (
    Actor,
    Context,
    Described,
    LazyReply,
    Message,
    ReplyRead,
)
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.record.whose import is_test

HEADER = "Socrates-Call"
"""Carries the number of the causing call from client to service."""

_SHOWN = 180
"""Bytes of an answer that are looked at: few enough to be read after the run."""


class Attempt:
    """One attempt at a call, in the hands of the client that makes it.

    ``kind`` and ``detail`` are the fault that must happen to it now, empty for none. Whoever holds
    it says ``injected`` or ``lost`` when that was done, and ``replied`` or ``failed`` when the call
    is over.
    """

    __slots__ = ("_tell", "detail", "kind", "number", "token")

    def __init__(
        self, number: int, token: str, kind: str, detail: str, tell: Callable[..., None]
    ) -> None:
        self.number = number
        self.token = token
        self.kind = kind
        self.detail = detail
        self._tell = tell

    def injected(self) -> None:
        """The fault was applied."""
        self._tell("injected", self.number)

    def lost(self) -> None:
        """The service has done what it was asked, and its reply was kept from the caller."""
        self._tell("lost", self.number)

    def replied(self, status: int, body: bytes | None = None) -> None:
        """The service answered; ``body`` is None where nobody has read it yet."""
        self._tell("replied", self.number, status, body[: _SHOWN + 1] if body else b"")

    def failed(self) -> None:
        """The call ended with an exception that nobody injected."""
        self._tell("failed", self.number)


class Journal(Protocol):
    """Where hooks write."""

    settings: CallSettings

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """A call is about to be made by the code at ``frame``."""

    def enter(self, token: str) -> Callable[[], None]:
        """A service begins to handle the call with this header; call the result at its end."""

    def handled_by(self, place: str) -> None:
        """The code at ``place`` (``file:line``, or empty) handles the call that was entered."""

    def listening(self, port: int, hint: str, shown: str) -> object:
        """A service of this process listens; it is known by ``hint``, and called ``shown``."""

    def escaped(self, error: BaseException) -> None:
        """``error`` left a request handler of this process, for a 500."""

    def is_test(self, filename: str) -> bool:
        """Whether code of this file is the test's, whose calls are not faulted."""


class Call(Message):
    """The note of a remote call; its place is the whole way to it."""

    __slots__ = ("consumption", "entered", "number", "own", "token", "way")
    number: int
    token: str
    stays = True

    def __init__(
        self, outgoing: Outgoing, actor: Actor, context: Context, way: Way | str, own: bool
    ) -> None:
        self.payload = outgoing
        self.actor = actor
        self.context = context
        self.wants_reply = True
        self.way = way
        self.own = own
        self.entered = False
        self.consumption: ReplyRead | None = None

    @property
    def site(self) -> str:
        """The way through the code."""
        return self.way if isinstance(self.way, str) else self.way.text

    @property
    def senders(self) -> Sequence[CodeType]:
        """See ``Message``."""
        return () if isinstance(self.way, str) else [code for code, _ in self.way.sites]

    @property
    def askers(self) -> Sequence[tuple[CodeType, int]]:
        """See ``Message``."""
        if isinstance(self.way, str):
            return ()
        return [(code, line_of(code, lasti)) for code, lasti in self.way.asking]


class LocalJournal:
    """The journal of the test's own process: it has the recorder. Safe to call from any thread."""

    def __init__(self, recorder: Recorder, settings: CallSettings) -> None:
        self.settings = settings
        self.services = Services(settings.services, self._describe)
        self._recorder = recorder
        self._token = secrets.token_hex(4)
        self._calls: list[Call] = []
        self._own: dict[str, bool] = {}
        self._down: dict[str, Fault] = {}
        self._offers = functools.lru_cache(maxsize=256)(settings.offers)
        self._lock = Threads.RLock()
        self._tellers: dict[str, Callable[..., None]] = {
            "injected": self._injected,
            "lost": self._lost,
            "replied": self._replied,
            "failed": self._failed,
        }

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """See ``Journal``."""
        context = self._recorder.here.context
        way = Way(frame)
        own = self._is_of_test(way, handling=context is not None)
        call = self._note(outgoing, context, way, own)
        if context is None:
            call.consumption = self._recorder.reading_reply(call, frame)
        return self._attempt(call)

    def begin_for(self, context: Context, sender: str, outgoing: Outgoing, way: str) -> Attempt:
        """A call of another process: of what it is handling, else of ``sender`` by itself."""
        context = context or self.services.called(sender)
        return self._attempt(self._note(outgoing, context, way, own=False))

    def tell(self, what: str, number: int, *details: object) -> None:
        """What became of a call."""
        self._tellers[what](self._calls[number], *details)

    def enter(self, token: str) -> Callable[[], None]:
        """See ``Journal``."""
        here = self._recorder.here
        before = here.context
        call = self.call_of(token)
        if call is not None:
            self.entered(call)
            here.context = call

        def leave() -> None:
            here.context = before

        return leave

    def call_of(self, token: str) -> Call | None:
        """The call that a header speaks of; None for a header that is not of this run."""
        run, _, number = token.partition("-")
        if run != self._token or not number.isdecimal() or int(number) >= len(self._calls):
            return None
        return self._calls[int(number)]

    def entered(self, call: Call) -> None:
        """A service handles the call."""
        with self._lock:
            if not call.entered:
                call.entered = True
                self._recorder.turn(call)

    def handled_by(self, place: str) -> None:
        """See ``Journal``."""
        call = self._recorder.here.context
        if isinstance(call, Call):
            self.placed(call, place)

    def placed(self, call: Call, place: str) -> None:
        """The code at ``place`` handles the call."""
        if place:
            self._recorder.handled_by(call, self._relative(place))

    def listening(self, port: int, hint: str, shown: str) -> str:
        """See ``Journal``; the name that it has from now on."""
        with self._lock:
            return self.services.listening(port, hint, shown)

    def escaped(self, error: BaseException) -> None:
        """See ``Journal``."""
        self._recorder.escaped(error)

    def _note(self, outgoing: Outgoing, context: Context, way: Way | str, own: bool) -> Call:
        with self._lock:
            actor = self.services.at(outgoing.server, outgoing.application)
            call = Call(outgoing, actor, context, way, own)
            call.number = len(self._calls)
            call.token = f"{self._token}-{call.number}"
            self._calls.append(call)
            self._recorder.sent(call)
        return call

    def _attempt(self, call: Call) -> Attempt:
        if not self._recorder.eager:
            return Attempt(call.number, call.token, "", "", self.tell)
        faults = self._faults_of(call)
        for other in faults[1:]:
            self._recorder.not_applied(other, "another fault hit the same call")
        kind, detail = (faults[0].kind, faults[0].detail) if faults else ("", "")
        if kind == DOWN:
            self._down[call.actor.address] = faults[0]
            kind = REFUSED
        return Attempt(call.number, call.token, kind, detail, self.tell)

    def _faults_of(self, call: Call) -> Sequence[Fault]:
        """The faults of a call; of one to a service that is down by now, what brought it down."""
        known = [fault for fault in call.faults if fault.kind in APPLIED]
        lasting = None if call.own else self._down.get(call.actor.address)
        if not known and lasting is not None:
            return [lasting]
        return sorted(known, key=lambda fault: APPLIED.index(fault.kind))

    def _describe(self, sent: Message, content: object) -> Described:
        assert isinstance(content, Outgoing)
        own = isinstance(sent, Call) and sent.own
        return Described(
            type=f"{content.library}:{content.method}",
            content=None,
            label=self.settings.mask(content.label),
            internal=own,
            offers=() if own else self._offers(content.timeout),
            digest=content.digest,
            channel=CALL,
        )

    def _injected(self, call: Call) -> None:
        self._recorder.injected(call, self._faults_of(call)[0])
        self._over(call)

    def _lost(self, call: Call) -> None:
        self.entered(call)
        self._injected(call)

    def _replied(self, call: Call, status: object, body: bytes | str) -> None:
        if not call.entered:
            self.entered(call)
        self._recorder.replied(call, _Answer(status, body, self.settings.mask))
        self._over(call)

    def _failed(self, call: Call) -> None:
        # Whether anybody handled it is not known, and whoever did has not failed.
        self._over(call)

    def _over(self, call: Call) -> None:
        if call.consumption is not None:
            call.consumption.pending = False

    def is_test(self, filename: str) -> bool:
        """See ``Journal``."""
        if self.settings.test_calls:
            return False
        known = self._own.get(filename)
        if known is None:
            recorder = self._recorder
            known = self._own[filename] = is_test(filename, recorder.test_file, recorder.root)
        return known

    def _is_of_test(self, way: Way, handling: bool) -> bool:
        """Whether the test makes a call, by itself or by a library that no production code asked.

        Who has asked a library that runs in a thread of its own, or while it is ``handling`` a request, is not known.
        """
        if self.settings.test_calls or not way.sites:
            return False
        codes = [code for code, _ in way.asking]
        asks = "test" if self.is_test(way.filename) else self._recorder.roles.who_asks(codes)
        known = not handling and (way.asked or Threads.current() is Threads.main())
        return asks == "test" or (asks == "library" and known)

    def _relative(self, handler: str) -> str:
        root = self._recorder.root + os.sep
        return (handler[len(root) :] if handler.startswith(root) else handler).replace(os.sep, "/")


class _Answer(LazyReply):
    """The answer of a service: its status and the beginning of its body."""

    __slots__ = ("_body", "_mask", "_status")

    def __init__(self, status: object, body: bytes | str, mask: Callable[[str], str]) -> None:
        self._status = status
        self._body = body
        self._mask = mask

    def text(self) -> str:
        """Masked, and without quotes."""
        body = self._body if isinstance(self._body, str) else shown(self._body)
        return self._mask(f"{self._status} {body}".strip())


@functools.lru_cache(maxsize=256)
def shown(body: bytes) -> str:
    """The beginning of a body as people read it."""
    text = " ".join(body[:_SHOWN].decode(errors="replace").split())
    return text if len(body) <= _SHOWN else f"{text}..."
