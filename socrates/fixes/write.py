"""Put fixed text into a file: all of it or none, and only over the text that was checked."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


class NotWritten(Exception):  # noqa: N818 - an answer, not a failure of the program
    """The file was left as it is. The message says why, for the user."""


def write_over(path: Path, expected: bytes, data: bytes) -> None:
    """Replace a file's content if it still is what was checked. Raises NotWritten.

    Readers see the old file or the new one, never a part. Mode and symbolic links stay; a
    failure at any point leaves the old file.
    """
    target = Path(os.path.realpath(path))
    temporary: str | None = None
    try:
        before = target.stat()
        if not before.st_mode & stat.S_IWUSR or not os.access(target, os.W_OK):
            raise NotWritten("it is read-only")
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_owner_and_mode(temporary, before)
        if target.read_bytes() != expected:
            raise NotWritten("it changed while it was being checked; run again")
        Path(temporary).replace(target)
        temporary = None
    except OSError as error:
        raise NotWritten(f"it can't be written: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def _keep_owner_and_mode(name: str, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.chown(name, before.st_uid, before.st_gid)
    Path(name).chmod(stat.S_IMODE(before.st_mode))
