"""The baseline: findings that were there before, kept in a file so that only others count.

``entries`` is the file, ``matching`` tells which findings it accepts.
"""

from __future__ import annotations

from socrates.baseline.entries import DEFAULT_FILE, Entry, dump, entries_of, load, save
from socrates.baseline.matching import Match, match, shrunk

__all__ = [
    "DEFAULT_FILE",
    "Entry",
    "Match",
    "dump",
    "entries_of",
    "load",
    "match",
    "save",
    "shrunk",
]
