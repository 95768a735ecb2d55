"""The private channel between a test and the processes that it starts, on the test's side.

A Unix socket in a folder that only its owner can read; a process that connects must know the token.
One thread serves all. It is stopped around a fork, because only a process with one thread forks
safely.
"""

from __future__ import annotations

import hmac
import os
import secrets
import selectors
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from socrates_amplify.originals import Files, Threads
from socrates_amplify.probes.processes import lines

_LONGEST = 80
"""Bytes that the temporary folder's path may have: a Unix socket's path has at most about 100."""

Answer = Callable[[Mapping[str, object]], object]


def possible(within: str = "") -> bool:
    """Whether there can be a channel here: Unix sockets, and a folder with a short enough name."""
    folder = within or tempfile.gettempdir()
    return hasattr(socket, "AF_UNIX") and len(os.fsencode(folder)) <= _LONGEST


class Channel:
    """Serves processes until it is closed. ``answer`` turns each request into its reply.

    Its socket lies ``within`` a folder that the executor removes, if there is one.
    """

    def __init__(self, answer: Answer, within: str = "") -> None:
        self._answer = answer
        self.token = secrets.token_hex(16)
        self._folder = Path(Files.temporary_folder(prefix="socrates-", dir=within or None))
        self.path = str(self._folder / "channel")
        self._socket = Files.socket(socket.AF_UNIX)
        self._socket.bind(self.path)
        self._socket.listen(64)
        self._wake, self._woken = Files.socketpair()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ, None)
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve, from now on, in a thread."""
        if self._thread is None:
            self._thread = Threads.Thread(target=self._serve, name="socrates-channel", daemon=True)
            self._thread.start()

    def pause(self) -> None:
        """Stop serving for now; processes that connect or ask wait."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._wake.send(b"x")
            thread.join()

    def close(self) -> None:
        """End for good and leave nothing behind."""
        self.pause()
        self.abandon()
        shutil.rmtree(self._folder, ignore_errors=True)

    def abandon(self) -> None:
        """In a fork: close what belongs to the parent, whose channel goes on."""
        for key in list((self._selector.get_map() or {}).values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._wake.close()
        self._selector.close()

    def _serve(self) -> None:
        while True:
            for key, _ in self._selector.select():
                peer = key.fileobj
                assert isinstance(peer, socket.socket)
                if peer is self._woken:
                    peer.recv(1)
                    return
                if peer is self._socket:
                    connection, _ = peer.accept()
                    self._selector.register(connection, selectors.EVENT_READ, _Peer())
                elif not self._hear(peer, key.data):
                    self._selector.unregister(peer)
                    peer.close()

    def _hear(self, connection: socket.socket, peer: _Peer) -> bool:
        """Answer all that has arrived; False when this connection is at its end."""
        try:
            data = connection.recv(1 << 16)
            requests = peer.buffer.feed(data)
            for request in requests:
                if not isinstance(request, dict):
                    return False
                if not peer.trusted:
                    token = request.get("auth")
                    if not isinstance(token, str) or not hmac.compare_digest(token, self.token):
                        return False
                    peer.trusted = True
                lines.send(connection, self._answer(request))
        except Exception:
            # A process that was killed while it wrote, as services of tests often are, or one that
            # speaks something else: the others must go on.
            return False
        return bool(data)


class _Peer:
    """One connected process."""

    def __init__(self) -> None:
        self.buffer = lines.Buffer()
        self.trusted = False
