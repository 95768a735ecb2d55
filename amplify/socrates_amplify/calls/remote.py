"""The journal in a service's own process: it asks the test for everything.

The test numbers the calls, names the services and decides about faults; here is no state but the
number of the call that is being handled. When the test is gone, the service goes on by itself.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from dataclasses import asdict
from types import FrameType

from socrates_amplify.calls import lines, naming
from socrates_amplify.calls.journal import Attempt
from socrates_amplify.calls.outgoing import Outgoing
from socrates_amplify.calls.settings import CallSettings
from socrates_amplify.calls.stack import Way
from socrates_amplify.notes import Here

PATIENCE = 10.0
"""Seconds that a service waits for the test to answer."""


class Handled:
    """The call that is being handled, of which only its header is known."""

    __slots__ = ("token",)

    def __init__(self, token: str) -> None:
        self.token = token


class RemoteJournal:
    """A ``Journal`` at the other end of the channel. Safe to call from any thread, and in forks."""

    def __init__(self, path: str, token: str) -> None:
        self._path = path
        self._token = token
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._buffer = lines.Buffer()
        self._pid = 0
        self._name = ""
        self._gone = False
        self.here = Here()
        told = self._ask({"do": "hello"})
        self.settings = CallSettings(**told) if isinstance(told, dict) else CallSettings()

    @property
    def connected(self) -> bool:
        """Whether the test is there to be asked."""
        return not self._gone

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """See ``Journal``."""
        context: object = self.here.context
        answer = self._ask(
            {
                "do": "begin",
                "cause": context.token if isinstance(context, Handled) else "",
                "sender": self._name or naming.process_hint() or "process",
                "outgoing": asdict(outgoing),
                "way": Way(frame).text,
            }
        )
        if not isinstance(answer, list):
            return Attempt(-1, "", "", "", self._tell)
        number, token, kind, detail = answer
        return Attempt(number, token, kind, detail, self._tell)

    def enter(self, token: str) -> Callable[[], None]:
        """See ``Journal``."""
        before = self.here.context
        self._ask({"do": "enter", "token": token})
        self.here.context = Handled(token)  # type: ignore[assignment]

        def leave() -> None:
            self.here.context = before

        return leave

    def handled_by(self, place: str) -> None:
        """See ``Journal``."""
        context: object = self.here.context
        if place and isinstance(context, Handled):
            self._ask({"do": "handled", "token": context.token, "place": place})

    def listening(self, port: int, hint: str) -> None:
        """See ``Journal``."""
        name = self._ask({"do": "listening", "port": port, "hint": hint})
        if isinstance(name, str):
            self._name = name

    def _tell(self, what: str, number: int, *details: object) -> None:
        if number >= 0:
            self._ask({"do": "tell", "what": what, "number": number, "details": details})

    def _ask(self, request: dict[str, object]) -> object:
        """The test's answer, None when there is none any more."""
        with self._lock:
            if self._gone:
                return None
            try:
                connection = self._connected()
                lines.send(connection, {"auth": self._token, **request})
                return lines.receive(connection, self._buffer)
            except (OSError, EOFError, ValueError):
                # The test has ended before its service: nobody wants to know any more.
                self._gone = True
                return None

    def forked(self) -> None:
        """In a fork: whatever another thread was doing, it is not done here."""
        self._lock = threading.Lock()

    def _connected(self) -> socket.socket:
        """The connection of this very process; a fork makes its own."""
        if self._connection is None or self._pid != os.getpid():
            self._pid = os.getpid()
            self._buffer = lines.Buffer()
            self._connection = socket.socket(socket.AF_UNIX)
            self._connection.settimeout(PATIENCE)
            self._connection.connect(self._path)
        return self._connection
