"""Garbage collection, tuned for a short life full of trees."""

from __future__ import annotations

import gc

_EVERY = 16
_FULL_EVERY = 192
_files = 0


def collect_rarely() -> None:
    """From now on circles are looked for between files only, and mostly among what is young.

    Looking for them at every step, in all trees that are alive, is a third of a run. Files that
    were checked let go of their trees by themselves, so that there is little to find.
    """
    gc.freeze()
    gc.disable()


def after_file() -> None:
    """Now and then free what files left behind, where rare collection was asked for."""
    global _files
    if gc.isenabled():
        return
    _files += 1
    if _files % _EVERY == 0:
        gc.collect(2 if _files % _FULL_EVERY == 0 else 0)
