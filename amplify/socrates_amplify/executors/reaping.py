"""Ends processes with all that they left behind: groups, daemons, orphans."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Let processes whose parent ends become children of this one, where the system can do it.

    A daemon leaves its group and its session, but not its family.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_group(pid: int) -> None:
    """End the process group that ``pid`` leads, and ``pid`` if it never became a leader."""
    for kill in (os.killpg, os.kill):
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
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    try:
        return [int(word) for word in path.read_text().split()]
    except (OSError, ValueError):
        # Not Linux, or a kernel without this file: groups are all that can be ended.
        return []
