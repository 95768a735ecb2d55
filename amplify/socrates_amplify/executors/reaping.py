"""Ends processes with all that they left behind: groups, daemons, orphans."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from socrates_amplify.originals import Clock, Process

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Let processes whose parent ends become children of this one, where the system can do it.

    A daemon leaves its process group and its session, but it stays a descendant.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_group(pid: int) -> None:
    """Kill the process group that ``pid`` leads, and ``pid`` itself if it leads none."""
    for kill in (Process.killpg, Process.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def kill_orphans(keep: Collection[int]) -> None:
    """End and reap all children of this process but ``keep``."""
    for _ in range(100):
        strangers = [pid for pid in _children() if pid not in keep]
        if not strangers:
            return
        for pid in strangers:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                Process.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                Process.waitpid(pid, 0)


def kill_inheritors(variable: str, value: str) -> None:
    """Kill all other processes that were started with this environment variable, on Linux."""
    mark = f"{variable}={value}".encode()
    for _ in range(100):
        found = [pid for pid in _with_mark(mark) if pid != Process.getpid()]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                Process.kill(pid, signal.SIGKILL)
        Clock.wait(0.02)


def _with_mark(mark: bytes) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/environ"):
        # A process of another user, or one that has ended meanwhile.
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                yield int(path.parent.name)


def _children() -> list[int]:
    path = Path(f"/proc/self/task/{Process.getpid()}/children")
    try:
        return [int(word) for word in path.read_text().split()]
    except (OSError, ValueError):
        # Not Linux, or a kernel without this file: only process groups can be killed.
        return []
