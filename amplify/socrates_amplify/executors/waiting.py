"""Waits for the end of a process, and is told of it at once where the system can do that."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
from typing import Protocol


class Process(Protocol):
    """What has been started: by ``subprocess.Popen``, or by a fork of our own."""

    @property
    def pid(self) -> int:
        """Its number."""

    def poll(self) -> int | None:
        """The exit code; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once there is one. Raises ``subprocess.TimeoutExpired``."""

    def kill(self) -> None:
        """End it at once."""


def ends_within(process: Process, seconds: float | None) -> bool:
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


def _is_watched(process: Process, seconds: float) -> bool:
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
