"""Lines of JSON over a Unix socket: the wire between a test and the processes it started."""

from __future__ import annotations

import socket

from socrates_amplify.originals import JsonText

CHANNEL = "SOCRATES_AMPLIFY_CHANNEL"
TOKEN = "SOCRATES_AMPLIFY_TOKEN"
"""Environment variables that tell a started process where to connect, and as whom."""
MODULES = "SOCRATES_AMPLIFY_MODULES"
"""Names the modules, with commas between them, whose import makes a started process connect."""

_MUCH = 1 << 16


class Buffer:
    """Splits received bytes into lines of JSON."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[object]:
        """The values of all lines that are complete now. Raises ValueError for what is no JSON."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [JsonText.loads(line) for line in lines if line]


def send(connection: socket.socket, value: object) -> None:
    """Write one value."""
    connection.sendall(JsonText.dumps(value).encode() + b"\n")


def receive(connection: socket.socket, buffer: Buffer) -> object:
    """Wait for one value. Raises EOFError when the other end is gone."""
    while True:
        data = connection.recv(_MUCH)
        if not data:
            raise EOFError
        values = buffer.feed(data)
        if values:
            return values[0]
