"""The signal that tells a test process that its time limit is over, and its time to answer."""

from __future__ import annotations

import signal

ALARM: int = getattr(signal, "SIGRTMAX", signal.SIGUSR2)
"""A signal that tests themselves hardly use."""

GRACE = 2.0
"""Seconds for the process to say where it waits, before it is killed with its group."""
