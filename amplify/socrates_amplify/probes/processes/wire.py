"""The channel's other end, in a child process of the test: it asks, the test answers.

When the test is gone, every question is answered with None, and the process goes on by itself.
"""

from __future__ import annotations

import socket
from dataclasses import asdict

from socrates_amplify.model.notices import Notice
from socrates_amplify.originals import Files, Process, Threads
from socrates_amplify.probes.processes import lines

DIRECTORY = ""
"""The endpoint that knows which others there are, and to which notices go."""
PATIENCE = 10.0
"""Seconds that a process waits for the test to answer."""


class SocketWire:
    """A ``Wire`` over the channel's socket. Safe to call from any thread, and in forks."""

    def __init__(self, path: str, token: str) -> None:
        self._path = path
        self._token = token
        self._lock = Threads.Lock()
        self._connection: socket.socket | None = None
        self._buffer = lines.Buffer()
        self._pid = 0
        self._gone = False

    def ask(self, endpoint: str, do: str, **details: object) -> object:
        """The answer of one of the test's endpoints; None when the test is gone."""
        with self._lock:
            if self._gone:
                return None
            try:
                connection = self._connected()
                request = {"auth": self._token, "endpoint": endpoint, "do": do, **details}
                lines.send(connection, request)
                return lines.receive(connection, self._buffer)
            except (OSError, EOFError, ValueError):
                # The test has ended before its process: there is nothing more to ask.
                self._gone = True
                if self._connection is not None:
                    self._connection.close()
                return None

    def notice(self, notice: Notice) -> None:
        """Have the test tell the user something."""
        self.ask(DIRECTORY, "notice", **asdict(notice))

    def forked(self) -> None:
        """In a fork: make the lock anew, which another thread of the parent may have held."""
        self._lock = Threads.Lock()

    def _connected(self) -> socket.socket:
        """The connection of this process; a fork makes its own."""
        if self._connection is None or self._pid != Process.getpid():
            self._pid = Process.getpid()
            self._buffer = lines.Buffer()
            self._connection = Files.socket(socket.AF_UNIX)
            self._connection.settimeout(PATIENCE)
            self._connection.connect(self._path)
        return self._connection
