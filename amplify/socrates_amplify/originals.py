"""What our code in test processes relies on, as it was before any code of the project was loaded.

A test may freeze clocks, replace ``json.dumps`` or ``os.write``, and leave them so. Everything of
ours that runs inside a test process takes such functions from here; the executors load this module
first, before pytest loads a plugin or a conftest of the project.

The functions are attributes of classes, because freezegun replaces those of modules.
"""

from __future__ import annotations

import datetime
import json
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import IO, Any

_SWITCHING = ("gevent", "eventlet")
"""Packages whose ``time.sleep`` lets other greenlets of the same thread run."""


class Clock:
    """Real time. ``now`` counts seconds from some moment and never goes back."""

    now = staticmethod(time.perf_counter)
    of_process = staticmethod(time.process_time)
    sleep = staticmethod(time.sleep)

    @staticmethod
    def wait(seconds: float) -> None:
        """Wait so long by the real clock; greenlets of the project go on meanwhile."""
        over = Clock.now() + seconds
        if (getattr(time.sleep, "__module__", None) or "").startswith(_SWITCHING):
            time.sleep(seconds)
        while (left := over - Clock.now()) > 0:
            Clock.sleep(left)


class Dates:
    """The module ``datetime``, its classes that tell what day it is, and UTC."""

    module = datetime
    utc = datetime.UTC
    date = datetime.date
    datetime = datetime.datetime


class Process:
    """This process, its children, and signals."""

    exit = staticmethod(os._exit)
    kill = staticmethod(os.kill)
    getpid = staticmethod(os.getpid)
    waitpid = staticmethod(os.waitpid)
    on_signal = staticmethod(signal.signal)
    allow_recursion = staticmethod(sys.setrecursionlimit)
    recursion = staticmethod(sys.getrecursionlimit)
    usual_recursion = sys.getrecursionlimit()
    if sys.platform != "win32":
        fork = staticmethod(os.fork)
        after_fork = staticmethod(lambda call: os.register_at_fork(after_in_child=call))
        killpg = staticmethod(os.killpg)
        setsid = staticmethod(os.setsid)


class Files:
    """Files, pipes and sockets."""

    open = staticmethod(os.open)
    close = staticmethod(os.close)
    read = staticmethod(os.read)
    write = staticmethod(os.write)
    pipe = staticmethod(os.pipe)
    dup2 = staticmethod(os.dup2)
    replace = staticmethod(os.replace)
    select = staticmethod(select.select)
    socketpair = staticmethod(socket.socketpair)
    socket = socket.socket
    temporary_folder = staticmethod(tempfile.mkdtemp)
    if sys.platform != "win32":
        set_blocking = staticmethod(os.set_blocking)

    @staticmethod
    def temporary_file() -> IO[bytes]:
        """A file without a name and without a buffer."""
        return _temporary_file(buffering=0)

    @staticmethod
    def read_bytes(path: str | os.PathLike[str]) -> bytes:
        """All of a file."""
        fd = Files.open(path, _READ)
        try:
            parts = []
            while part := Files.read(fd, 1 << 20):
                parts.append(part)
            return b"".join(parts)
        finally:
            Files.close(fd)

    @staticmethod
    def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
        """Write a file, in place of what it held before."""
        Files._write_to(path, _WRITE | os.O_TRUNC, data)

    @staticmethod
    def append_bytes(path: str | os.PathLike[str], data: bytes) -> None:
        """Write to the end of a file."""
        Files._write_to(path, _WRITE | os.O_APPEND, data)

    @staticmethod
    def _write_to(path: str | os.PathLike[str], flags: int, data: bytes) -> None:
        fd = Files.open(path, flags, 0o666)
        try:
            Files.write_all(fd, data)
        finally:
            Files.close(fd)

    @staticmethod
    def write_all(fd: int, data: bytes) -> None:
        """Write everything, in as many steps as the other end wants."""
        rest = memoryview(data)
        while rest:
            rest = rest[Files.write(fd, rest) :]


_temporary_file: Callable[..., IO[bytes]] = tempfile.TemporaryFile
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)


class Threads:
    """Threads and what they wait with."""

    Thread = threading.Thread
    Lock = staticmethod(threading.Lock)
    RLock = staticmethod(threading.RLock)
    Condition = threading.Condition
    Event = threading.Event
    current = staticmethod(threading.current_thread)
    main = staticmethod(threading.main_thread)


class _Encoder(json.JSONEncoder):
    """With methods of its own: projects replace those of the class that all share."""

    encode = json.JSONEncoder.encode
    iterencode = json.JSONEncoder.iterencode
    default = json.JSONEncoder.default


class _Decoder(json.JSONDecoder):
    """The same for reading."""

    decode = json.JSONDecoder.decode
    raw_decode = json.JSONDecoder.raw_decode


class JsonText:
    """Values as JSON."""

    @staticmethod
    def dumps(
        value: object, sort_keys: bool = False, default: Callable[[object], object] | None = None
    ) -> str:
        """A value as JSON, in ASCII. Raises TypeError and ValueError as ``json.dumps`` does."""
        return _Encoder(sort_keys=sort_keys, default=default).encode(value)

    @staticmethod
    def loads(data: str | bytes) -> Any:
        """The value of a JSON text, in UTF-8 if it is bytes. Raises ValueError for anything else."""
        return _Decoder().decode(data if isinstance(data, str) else data.decode("utf-8"))
