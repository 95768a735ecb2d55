"""The processes of one run: the test's own, its forks, and those that it starts.

They share one channel. A probe that follows its framework into them joins with an endpoint, which
answers what other processes ask it, and which is told when it finds itself in a fork.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from socrates_amplify.model.notices import Notice
from socrates_amplify.probes.base import Wire
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import channel, lines, role
from socrates_amplify.probes.processes.handled import Handled, parts_of, token_of
from socrates_amplify.probes.processes.starting import patch_processes
from socrates_amplify.probes.processes.wire import DIRECTORY, SocketWire
from socrates_amplify.record.messages import Context, Message, Phase
from socrates_amplify.record.recorder import Recorder


class Endpoint(Protocol):
    """One probe's side of the channel, in the test's process."""

    name: str
    """The name of the probe: started processes have the probe of that name installed."""
    modules: Sequence[str]
    """A started process connects when it imports one of these, and not before."""

    def answer(self, request: Mapping[str, Any]) -> object:
        """The reply to one request of the same probe in another process."""

    def token_of(self, sent: Message) -> str:
        """The token by which other processes name a message; empty for one of another endpoint."""

    def sent_of(self, token: str) -> Message | None:
        """The message that a token stands for, if it is one of this endpoint."""

    def forked(self, wire: Wire) -> None:
        """Called in a fork of the test: from now on, ask the test by this wire."""


class ProcessGroup:
    """All processes of one run. In a fork of the test it asks the test by a wire."""

    def __init__(self, recorder: Recorder) -> None:
        self._here = recorder.here
        self._tmp = recorder.tmp
        # Not the recorder itself: it would never be freed, because it is the key of this value.
        self._notices = recorder.notices
        self._endpoints: dict[str, Endpoint] = {}
        self._patches = Patches()
        self._channel: channel.Channel | None = None
        self._wire: SocketWire | None = None
        self._token = ""

    @classmethod
    def of(cls, recorder: Recorder) -> ProcessGroup:
        """The group of the run that this recorder records."""
        group = _groups.get(recorder)
        if group is None:
            group = _groups[recorder] = cls(recorder)
        return group

    def join(self, endpoint: Endpoint) -> bool:
        """Serve this endpoint, too; False where there can be no channel."""
        if not channel.possible(self._tmp):
            return False
        if not self._endpoints:
            _forks.begin(self)
            patch_processes(self._patches, self.variables)
        self._endpoints[endpoint.name] = endpoint
        return True

    def leave(self, endpoint: Endpoint) -> None:
        """Serve this endpoint no longer; when the last one leaves, all patches are taken back."""
        if self._endpoints.pop(endpoint.name, None) is None or self._endpoints:
            return
        _forks.end(self)
        self._patches.undo()
        if self._channel is not None and self._wire is None:
            self._channel.close()

    def variables(self) -> Mapping[str, str]:
        """The variables a process needs to connect; opens the channel when the first one starts."""
        if self._wire is not None:
            return {}
        opened = self._open()
        opened.start()
        watched = (module for one in self._endpoints.values() for module in one.modules)
        return {
            lines.CHANNEL: opened.path,
            lines.TOKEN: opened.token,
            lines.MODULES: ",".join(watched),
        }

    def context_of(self, token: str) -> Context:
        """The message or call that a token of another process names; None for an unknown token."""
        message, phase = parts_of(token)
        for endpoint in tuple(self._endpoints.values()):
            sent = endpoint.sent_of(message)
            if sent is not None:
                return Phase(sent, phase) if phase else sent
        return None

    def before_fork(self) -> None:
        """Open the channel, stop its thread, and note the token of what is being handled."""
        if self._wire is None:
            self._open().pause()
            self._token = self._name(self._here.context)

    def after_fork_in_parent(self) -> None:
        """Serve again, the fork too."""
        if self._wire is None and self._channel is not None:
            self._channel.start()

    def after_fork_in_child(self) -> None:
        """Ask the test from now on."""
        if self._wire is not None:
            self._wire.forked()
        elif self._channel is not None:
            self._wire = SocketWire(self._channel.path, self._channel.token)
            self._channel.abandon()
            self._notices.relay = self._wire.notice
            role.child = True
            if self._token:
                self._here.context = Handled(self._token)  # type: ignore[assignment]
            for endpoint in self._endpoints.values():
                endpoint.forked(self._wire)

    def _name(self, context: Context) -> str:
        sent = context.sent if isinstance(context, Phase) else context
        if isinstance(sent, Message):
            named = any(endpoint.token_of(sent) for endpoint in self._endpoints.values())
            return token_of(context) if named else ""
        return ""

    def _answer(self, request: Mapping[str, Any]) -> object:
        if request["endpoint"] == DIRECTORY and request["do"] == "notice":
            self._notices.add(Notice(request["message"], request["plugin"], request["location"]))
            return None
        if request["endpoint"] == DIRECTORY:
            return list(self._endpoints)
        endpoint = self._endpoints.get(request["endpoint"])
        if endpoint is None:
            return None
        try:
            return endpoint.answer(request)
        except Exception as error:
            # The process gets no answer and goes on by itself, from here on without faults.
            self._notices.unanswered(endpoint.name, error)
            raise

    def _open(self) -> channel.Channel:
        if self._channel is None:
            self._channel = channel.Channel(self._answer, self._tmp)
        return self._channel


_groups: WeakKeyDictionary[Recorder, ProcessGroup] = WeakKeyDictionary()


class _Forks:
    """Tells the group of the current run of every fork. Registered once: it can't be undone."""

    def __init__(self) -> None:
        self._group: ProcessGroup | None = None
        self._registered = False

    def begin(self, group: ProcessGroup) -> None:
        """Tell this group, and no other."""
        self._group = group
        if not self._registered:
            self._registered = True
            os.register_at_fork(
                before=self._before,
                after_in_parent=self._after_in_parent,
                after_in_child=self._after_in_child,
            )

    def end(self, group: ProcessGroup) -> None:
        """Tell this group no longer."""
        if self._group is group:
            self._group = None

    def _before(self) -> None:
        if self._group is not None:
            self._group.before_fork()

    def _after_in_parent(self) -> None:
        if self._group is not None:
            self._group.after_fork_in_parent()

    def _after_in_child(self) -> None:
        if self._group is not None:
            self._group.after_fork_in_child()


_forks = _Forks()
