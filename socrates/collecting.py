"""Garbage collection, tuned for a short life full of trees."""

from __future__ import annotations

import gc

_FULL_EVERY = 48
_files = 0


def collect_rarely() -> None:
    """From now on circles are looked for between files only, and mostly among what is young.

    Looking for them at every step, in all trees that are alive, is a third of a run.
    """
    gc.freeze()
    gc.disable()


def after_file() -> None:
    """Free what the last file left behind, where rare collection was asked for."""
    global _files
    if gc.isenabled():
        return
    _files += 1
    gc.collect(2 if _files % _FULL_EVERY == 0 else 0)
