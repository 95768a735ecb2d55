"""Messages between the processes of an executor: a small JSON header and a JSON body as bytes.

Only JSON crosses: what a test process sends is data, never code.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from socrates_amplify.originals import JsonText

FD_VARIABLE = "SOCRATES_AMPLIFY_FD"
"""Names the end of a connection that a new process is given."""
OUTCOMES = "outcomes"
"""The file for what many tests of one process said, in the order in which they ended."""
_SIZES = struct.Struct("!II")


def pack(header: dict[str, object], body: bytes = b"") -> bytes:
    """One message as bytes."""
    head = JsonText.dumps(header).encode()
    return _SIZES.pack(len(head), len(body)) + head + body


class Unpacker:
    """Cuts a stream of bytes into messages again."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[dict[str, object], bytes]]:
        """All messages that are complete once ``data`` is added."""
        self._data += data
        while len(self._data) >= _SIZES.size:
            head, body = _SIZES.unpack_from(self._data)
            end = _SIZES.size + head + body
            if len(self._data) < end:
                return
            middle = _SIZES.size + head
            header = JsonText.loads(bytes(self._data[_SIZES.size : middle]))
            content = bytes(self._data[middle:end])
            del self._data[:end]
            yield header, content
