"""The journal of the test's process, its endpoint, and what becomes of it in forks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

from socrates_amplify.probes.base import Wire
from socrates_amplify.probes.http.calls import endpoint as endpoint
from socrates_amplify.probes.http.calls.journal import Attempt, Call, Journal, LocalJournal
from socrates_amplify.probes.http.calls.outgoing import Outgoing
from socrates_amplify.probes.http.calls.remote import ENDPOINT, RemoteJournal
from socrates_amplify.probes.http.hooks import WATCHED
from socrates_amplify.probes.processes.group import ProcessGroup
from socrates_amplify.record.messages import Message


class SharedJournal:
    """A ``Journal`` that is local in the test's own process and remote in each fork of it."""

    name = ENDPOINT
    modules: Sequence[str] = WATCHED

    def __init__(self, local: LocalJournal, group: ProcessGroup) -> None:
        self._now: Journal = local
        self._local = local
        self._group = group
        self.settings = local.settings
        if self.settings.processes:
            group.join(self)

    def close(self) -> None:
        """The run is over."""
        self._group.leave(self)

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """See ``Journal``."""
        return self._now.begin(outgoing, frame)

    def enter(self, token: str) -> Callable[[], None]:
        """See ``Journal``."""
        return self._now.enter(token)

    def handled_by(self, place: str) -> None:
        """See ``Journal``."""
        self._now.handled_by(place)

    def listening(self, port: int, hint: str, shown: str) -> object:
        """See ``Journal``."""
        return self._now.listening(port, hint, shown)

    def escaped(self, error: BaseException) -> None:
        """See ``Journal``."""
        self._now.escaped(error)

    def is_test(self, filename: str) -> bool:
        """See ``Journal``."""
        return self._now.is_test(filename)

    def answer(self, request: Mapping[str, Any]) -> object:
        """See ``Endpoint``."""
        return endpoint.answer(self._local, request, self._group.context_of)

    def token_of(self, sent: Message) -> str:
        """See ``Endpoint``."""
        return sent.token if isinstance(sent, Call) else ""

    def sent_of(self, token: str) -> Message | None:
        """See ``Endpoint``."""
        return self._local.call_of(token)

    def forked(self, wire: Wire) -> None:
        """See ``Endpoint``."""
        self._now = RemoteJournal(wire)
