"""Temporary folders that say whose they are, so that those of dead processes can be removed.

A process that is killed (``kill -9``, out of memory) leaves its folders behind. Each folder has a
file ``.owner`` that names its process: the pid, when that process started, and the machine, since a
folder may be shared by containers that don't see each other's processes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from socrates.files.reading import Unreadable, read_bytes

PREFIX = "socrates-"
OWNER = ".owner"
_MOST_BYTES = 4096


def make(within: Path | str | None = None) -> Path:
    """A new folder that only this user can read; the caller removes it in the end."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=within))
    claim(folder)
    return folder


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A new folder that is removed in the end."""
    made = make()
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def claim(folder: Path) -> None:
    """Say that a folder is this process's. One that can't say so is never removed by others."""
    owner = {"pid": os.getpid(), "start": _start_of(os.getpid()), "machine": _machine()}
    with contextlib.suppress(OSError):
        (folder / OWNER).write_text(json.dumps(owner), encoding="utf-8")


def clear_abandoned(within: Path | None = None) -> list[Path]:
    """Remove what dead processes of this user and this machine have left; what was removed.

    Links are neither removed nor followed, and a folder that does not say whose it is stays.
    """
    if not shutil.rmtree.avoids_symlink_attacks:
        return []
    removed = []
    try:
        found = sorted((within or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"))
    except OSError:
        return []
    for place in found:
        if _is_ours(place) and _is_abandoned(place):
            shutil.rmtree(place, ignore_errors=True)
            removed.append(place)
    return removed


def _is_ours(place: Path) -> bool:
    try:
        status = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _is_abandoned(place: Path) -> bool:
    """Whether the folder names a process of this machine that is not there any more."""
    try:
        owner = json.loads(read_bytes(place / OWNER, _MOST_BYTES))
        pid, start, machine = owner["pid"], owner["start"], owner["machine"]
    except (Unreadable, ValueError, KeyError, TypeError, RecursionError):
        return False
    if machine != _machine() or not isinstance(pid, int) or not 0 < pid < 1 << 31:
        return False
    if not _exists(pid):
        return True
    now = _start_of(pid)
    return now == _ENDED or (bool(start) and bool(now) and start != now)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return True


_ENDED = "ended"


def _start_of(pid: int) -> str:
    """When a process started, in ticks since the machine did; empty where the system can't say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return _ENDED if fields[0] in (b"Z", b"X") else fields[19].decode()
    except (OSError, IndexError):
        return ""


@functools.cache
def _machine() -> str:
    """A digest of the machine since it was started, and of the container that this process is in."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text())
        parts.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
