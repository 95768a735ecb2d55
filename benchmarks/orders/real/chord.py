"""celery 4150: the results of a chord come in the order in which its tasks end.

The repaired chord puts each result where its task stands.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor


class Chord:
    """Tasks that run beside each other, and a callback that gets their results."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._results: list[tuple[int, str]] = []

    def work(self, place: int) -> None:
        result = f"result {place}"
        with self._lock:
            self._results.append((place, result))

    def results(self) -> list[str]:
        return [result for _, result in self._results]


class RepairedChord(Chord):
    def results(self) -> list[str]:
        return [result for _, result in sorted(self._results)]


def run(kind: type[Chord]) -> list[str]:
    """What the callback of a chord with two tasks gets."""
    chord = kind()
    with ThreadPoolExecutor(2) as pool:
        for place in range(2):
            pool.submit(chord.work, place)
    return chord.results()
