"""Read a file that somebody else wrote: a regular file of bounded size, or the reason in words."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MEGABYTE = 1024 * 1024

LARGEST_SOURCE = 4 * MEGABYTE
"""Python source. Parsed, the worst of that size takes some 3 GB of memory."""
LARGEST_SETTINGS = MEGABYTE
"""Settings of ours or of pytest, and ignore files of git."""
LARGEST_RESULTS = 64 * MEGABYTE
"""What we have written ourselves: baselines, and entries of the cache."""

_READ_ONLY = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer would block
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_CHUNK = 64 * 1024


class Unreadable(Exception):  # noqa: N818 - an answer, not a failure of the program
    """The file is not read. The message says why, for the user."""


class Missing(Unreadable):
    """There is no such file."""


def read_bytes(path: Path | str, limit: int) -> bytes:
    """The bytes of a regular file that has at most ``limit`` of them; never blocks.

    Raises Unreadable for everything else: pipes, devices, folders, links to them, files that are
    larger or grow beyond the limit, and whatever the system refuses.
    """
    try:
        _require(os.stat(path), limit)  # noqa: PTH116  # opening a device can do harm already
        with open(os.open(path, _READ_ONLY), "rb", buffering=0) as stream:  # noqa: PTH123
            status = os.fstat(stream.fileno())
            _require(status, limit)  # the file may be another one by now
            parts = [stream.read(status.st_size + 1) or b""]
            size = len(parts[0])
            while parts[-1] and size <= limit:
                parts.append(stream.read(_CHUNK) or b"")
                size += len(parts[-1])
    except FileNotFoundError as error:
        raise Missing(str(error.strerror)) from None
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except ValueError:
        raise Unreadable("its name is none that a file can have") from None
    if size > limit:
        raise Unreadable(too_large(size, limit))
    return b"".join(parts)


def read_text(path: Path | str, limit: int, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The same as text, every line end as a line feed. Raises UnicodeDecodeError, too."""
    text = read_bytes(path, limit).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def too_large(size: int, limit: int) -> str:
    """Why a file of this size is not read."""
    return f"it has {size / MEGABYTE:,.1f} MB, and at most {limit // MEGABYTE} MB are read"


def _require(status: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise Unreadable("it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable("it is not a regular file")
    if status.st_size > limit:
        raise Unreadable(too_large(status.st_size, limit))
