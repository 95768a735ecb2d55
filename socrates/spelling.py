"""The nearest valid spelling of a word that a user got wrong."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_CLOSE = 0.6


def nearest(word: str, valid: Iterable[str]) -> str | None:
    """The valid word that ``word`` most likely meant, or None when none is close.

    Among equally close ones, swapped letters win over other slips, then alphabetical order.
    """
    folded = word.casefold()
    ranked = sorted((_distance(folded, candidate.casefold()), candidate) for candidate in valid)
    if ranked and -ranked[0][0][0] >= _CLOSE:
        return ranked[0][1]
    return None


def did_you_mean(word: str, valid: Iterable[str]) -> str:
    """``; did you mean 'x'?`` to end a message with, or nothing when no valid word is close."""
    match = nearest(word, valid)
    return f"; did you mean {match!r}?" if match is not None else ""


def _distance(word: str, candidate: str) -> tuple[float, bool]:
    ratio = SequenceMatcher(None, word, candidate).ratio()
    return -ratio, sorted(word) != sorted(candidate)
