"""Garbage collection, tuned for a short life full of trees."""

from __future__ import annotations

import gc


def collect_rarely() -> None:
    """Trees are freed by reference counts; looking for circles in them at every step is a third of a run."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
