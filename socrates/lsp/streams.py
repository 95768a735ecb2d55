"""The pipe to the client, guarded: whatever comes, the server answers or ends."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import threading
import time
from typing import BinaryIO

LARGEST_MESSAGE = 64 * 1024 * 1024
_LONGEST_HEADER = 4096
_LENGTH = re.compile(rb"content-length:\s*(\d{1,18})", re.IGNORECASE)
_HEADER = re.compile(rb"[A-Za-z-]+:[^\r\n]*")
_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_POLL_SECONDS = 2.0


class Messages(io.RawIOBase):
    """Standard input as the protocol's reader wants it: headers in one spelling, whole bodies.

    Guarantee: what is not a message of a sane size never reaches the protocol. A body that is
    no JSON object is answered with an error and skipped; a broken or oversized frame is answered
    with an error and ends the input, since the start of the next message is unknown.
    """

    def __init__(self, source: BinaryIO, sink: Answers) -> None:
        super().__init__()
        self._source = source
        self._sink = sink
        self._body = b""
        self._lines: list[bytes] = []

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line of a frame's head; empty at the end."""
        if not self._lines:
            body = self._next()
            if body is None:
                return b""
            self._body = body
            self._lines = [b"\r\n", b"Content-Length: %d\r\n" % len(body)]
        return self._lines.pop()

    def read(self, size: int = -1, /) -> bytes:
        """The body of the frame whose head was read."""
        body, self._body = self._body, b""
        return body

    def _next(self) -> bytes | None:
        while True:
            length = self._length()
            if length is None:
                return None
            body = self._source.read(length)
            if len(body) < length:
                return None
            try:
                message = json.loads(body)
            except (ValueError, RecursionError):
                self._sink.refuse(_PARSE_ERROR, "the message is not JSON")
                continue
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
                self._sink.refuse(_INVALID_REQUEST, "the message is not JSON-RPC 2.0")
                continue
            return body

    def _length(self) -> int | None:
        """The length that a head announces; None at the end or when it can't be trusted."""
        found = None
        started = False
        while True:
            line = self._source.readline(_LONGEST_HEADER)
            if not line:
                return None
            text = line.rstrip(b"\r\n")
            if not text and found is not None:
                break
            if not text and not started:
                continue
            started = True
            if not line.endswith(b"\n") or not _HEADER.fullmatch(text):
                self._sink.refuse(_PARSE_ERROR, "the input is not framed as the protocol wants")
                return None
            match = _LENGTH.fullmatch(text.rstrip())
            found = int(match[1]) if match else found
        if found > LARGEST_MESSAGE:
            self._sink.refuse(_INVALID_REQUEST, f"the message has {found} bytes, too many to read")
            return None
        return found


class Answers(io.RawIOBase):
    """Standard output that ends the process when its reader is gone."""

    def __init__(self, sink: BinaryIO) -> None:
        super().__init__()
        self._sink = sink
        self._lock = threading.Lock()

    def write(self, data: object, /) -> int:
        """Write all of it and flush, or end."""
        assert isinstance(data, bytes)
        try:
            with self._lock:
                self._sink.write(data)
                self._sink.flush()
        except (OSError, ValueError):
            os._exit(1)  # the client is gone; the reader may be blocked for good
        return len(data)

    def refuse(self, code: int, message: str) -> None:
        """Answer what can't be understood, which has no id."""
        error = {"code": code, "message": message}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


def take_stdio() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for the protocol alone.

    What rules and libraries print goes to standard error instead.
    """
    source = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return source, sink


def end_with(parent: int | None) -> None:
    """End this process once its client's process is gone, even if the pipe stays open."""
    if parent is None or parent <= 0 or os.name != "posix":
        return

    def watch() -> None:
        while True:
            try:
                os.kill(parent, 0)
            except ProcessLookupError:
                os._exit(1)
            except (OSError, OverflowError):
                return
            time.sleep(_POLL_SECONDS)

    threading.Thread(target=watch, name="socrates-parent", daemon=True).start()
