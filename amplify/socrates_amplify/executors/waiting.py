"""Waits for the end of a process, and is told of it at once where the system can do that."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess


def ends_within(process: subprocess.Popen[bytes], seconds: float | None) -> bool:
    """Whether a process ends in so many seconds; without a number it is waited for, however long.

    ``Popen.wait`` with a timeout looks every twentieth of a second, so that it would add that much
    to each execution.
    """
    if seconds is not None and process.poll() is None and _is_watched(process, seconds):
        seconds = 0.0
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _is_watched(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait until the process ends or the time is over; False where the system can't tell of it."""
    if not hasattr(os, "pidfd_open"):
        return False
    with contextlib.suppress(OSError):  # an old kernel, or no descriptor is left
        watched = os.pidfd_open(process.pid)
        try:
            poll = select.poll()
            poll.register(watched, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            os.close(watched)
        return True
    return False
