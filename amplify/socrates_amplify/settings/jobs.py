"""How many executions run at once: ``--jobs``."""

from __future__ import annotations

import os

from socrates.errors import SocratesError

AUTO = 0
"""As many jobs as there are cores that can run them; the executor knows how many those are."""


def parse_jobs(text: str, where: str) -> int:
    """A number of executions at once; ``auto`` is ``AUTO``."""
    if text.strip() == "auto":
        return AUTO
    if not text.strip().isdecimal() or int(text) < 1:
        raise SocratesError(f"{where}: {text!r} must be a whole number from 1 up, or auto")
    return int(text)


def usable_cores() -> int:
    """How many cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable is not None else os.cpu_count() or 1
