"""Write a file of a project: all of it or none, and nowhere but inside the project.

A project that we don't trust may hold symbolic links, as files or as folders. Every function takes
``root``, the folder that the file has to lie in once links are followed; None is for a file that
the user has named on the command line. A hard link is a file like any other: it gets a new
content under this name, and the other names keep the old one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from socrates.files.reading import Unreadable, read_bytes

_PREFIX = ".socrates-new-"
_BINARY = getattr(os, "O_BINARY", 0)


class NotWritten(Exception):  # noqa: N818 - an answer, not a failure of the program
    """The file was left as it is. The message says why, for the user."""


class Refused(NotWritten):
    """The file would not lie where files may be written."""


class Failed(NotWritten):
    """The system has refused to write the file, for a ``reason`` in its own words."""

    def __init__(self, error: OSError) -> None:
        self.reason = error.strerror or str(error)
        super().__init__(f"it can't be written: {self.reason}")


def inside(path: Path, root: Path | None) -> Path:
    """Where a path leads, links followed. Raises Refused unless that is below ``root``."""
    target = Path(os.path.realpath(path))
    if root is not None and Path(os.path.realpath(root)) not in target.parents:
        raise Refused(f"it leads out of the project, to {target}")
    return target


def write(path: Path, data: bytes, root: Path | None, *, durable: bool = True) -> None:
    """Make ``data`` the content of a file, new or not. Raises NotWritten.

    Without ``durable`` the disk may take its time. What is no regular file, such as
    ``/dev/stdout``, is written to only where the user has named it.
    """
    target = inside(path, root)
    try:
        before = _status(target)
        if before is None or stat.S_ISREG(before.st_mode):
            _replace(target, data, before, durable=durable)
        elif root is None:
            target.write_bytes(data)
        else:
            raise Refused("it is not a regular file")
    except OSError as error:
        raise Failed(error) from None


def write_over(path: Path, expected: bytes, data: bytes, root: Path | None) -> None:
    """Replace a file's content if it still is what was checked. Raises NotWritten.

    Readers see the old file or the new one, never a part. Mode and symbolic links stay; a
    failure at any point leaves the old file.
    """
    target = inside(path, root)
    try:
        before = target.stat()
        if not before.st_mode & stat.S_IWUSR or not os.access(target, os.W_OK):
            raise NotWritten("it is read-only")
        _replace(target, data, before, expected)
    except OSError as error:
        raise Failed(error) from None


def write_new(path: Path, data: bytes, root: Path | None) -> None:
    """Make a file that is not there yet, not even as a link. Raises NotWritten."""
    inside(path.parent / "a name", root)
    try:
        with path.open("xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise NotWritten("somebody else made it; run again") from None
    except OSError as error:
        raise Failed(error) from None


def _replace(
    target: Path,
    data: bytes,
    before: os.stat_result | None,
    expected: bytes | None = None,
    *,
    durable: bool = True,
) -> None:
    """Write beside the file and move it into place, if the file is what was expected."""
    temporary = target.parent / f"{_PREFIX}{secrets.token_hex(8)}"
    mode = 0o666 if before is None else 0o600  # of a new file the user's umask takes its part
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        if before is not None:
            _keep_owner_and_mode(temporary, before)
        if expected is not None and not _is_still(target, expected):
            raise NotWritten("it changed while it was being checked; run again")
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _is_still(target: Path, expected: bytes) -> bool:
    try:
        return read_bytes(target, len(expected)) == expected
    except Unreadable:
        return False


def _status(target: Path) -> os.stat_result | None:
    """What is there now; None for nothing."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _keep_owner_and_mode(path: Path, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))
