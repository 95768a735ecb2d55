"""Garbage collection for a short process that builds many syntax trees."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_EVERY = 32
_FULL_EVERY = 192
_files = 0


def collect_rarely() -> None:
    """Collect reference cycles between files only, and mostly among young objects.

    Collecting while a file is checked, over all living trees, takes a third of a run. A checked
    file breaks the cycles of its own trees (``FileContext.close``), so little is left to collect.
    """
    gc.freeze()
    gc.disable()


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """The same for the block alone, in a process that goes on to other things."""
    if not gc.isenabled():
        yield
        return
    collect_rarely()
    try:
        yield
    finally:
        gc.enable()


def after_file() -> None:
    """Collect what checked files left behind, now and then; only after ``collect_rarely``."""
    global _files
    if gc.isenabled():
        return
    _files += 1
    if _files % _EVERY == 0:
        gc.collect(2 if _files % _FULL_EVERY == 0 else 0)
