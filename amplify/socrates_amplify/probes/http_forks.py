"""The journal of the test's process, and what becomes of it in forks and in started processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import FrameType

from socrates_amplify.calls import channel, desk, lines, naming
from socrates_amplify.calls.journal import Attempt, Call, Journal, LocalJournal
from socrates_amplify.calls.outgoing import Outgoing
from socrates_amplify.calls.remote import Handled, RemoteJournal
from socrates_amplify.notes import Here


class Family:
    """A ``Journal`` that is local in the test's own process and remote in each fork of it."""

    def __init__(self, local: LocalJournal, here: Here, tmp: str = "") -> None:
        self._now: Journal = local
        self._local = local
        self._here = here
        self._tmp = tmp
        self._channel: channel.Channel | None = None
        self.settings = local.settings
        self.watches_processes = self.settings.processes and channel.possible(tmp)
        if self.watches_processes:
            _forks.begin(self)

    def variables(self) -> Mapping[str, str]:
        """What a process needs to connect; the channel is opened when the first one starts."""
        if self._forked:
            return {}
        opened = self._open()
        opened.start()
        return {lines.CHANNEL: opened.path, lines.TOKEN: opened.token}

    def close(self) -> None:
        """The run is over."""
        _forks.end(self)
        if self._channel is not None and not self._forked:
            self._channel.close()

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """See ``Journal``."""
        return self._now.begin(outgoing, frame)

    def enter(self, token: str) -> Callable[[], None]:
        """See ``Journal``."""
        return self._now.enter(token)

    def handled_by(self, place: str) -> None:
        """See ``Journal``."""
        self._now.handled_by(place)

    def listening(self, port: int, hint: str) -> object:
        """See ``Journal``."""
        return self._now.listening(port, hint)

    @property
    def _forked(self) -> bool:
        return self._now is not self._local

    def before_fork(self) -> None:
        """Have the socket there, and no thread of ours."""
        if not self._forked:
            self._open().pause()

    def after_fork_in_parent(self) -> None:
        """Go on serving, the fork too."""
        if not self._forked and self._channel is not None:
            self._channel.start()

    def after_fork_in_child(self) -> None:
        """From now on, ask the parent."""
        if self._forked or self._channel is None:
            return
        path, token = self._channel.path, self._channel.token
        self._channel.abandon()
        naming.child = True
        remote = RemoteJournal(path, token)
        context = self._here.context
        if isinstance(context, Call):
            self._here.context = Handled(context.token)  # type: ignore[assignment]
        self._now = remote

    def _open(self) -> channel.Channel:
        if self._channel is None:
            self._channel = channel.Channel(
                lambda request: desk.answer(self._local, request), self._tmp
            )
        return self._channel


class _Forks:
    """Hears of every fork of this process; such a thing can't be taken back, so there is one."""

    def __init__(self) -> None:
        self._family: Family | None = None
        self._registered = False

    def begin(self, family: Family) -> None:
        """Tell this one, and no other."""
        self._family = family
        if not self._registered:
            self._registered = True
            os.register_at_fork(
                before=self._before,
                after_in_parent=self._after_in_parent,
                after_in_child=self._after_in_child,
            )

    def end(self, family: Family) -> None:
        """Tell nobody."""
        if self._family is family:
            self._family = None

    def _before(self) -> None:
        if self._family is not None:
            self._family.before_fork()

    def _after_in_parent(self) -> None:
        if self._family is not None:
            self._family.after_fork_in_parent()

    def _after_in_child(self) -> None:
        if self._family is not None:
            self._family.after_fork_in_child()


_forks = _Forks()
