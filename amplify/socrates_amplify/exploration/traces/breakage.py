"""What is known to break a test, so that it is not found again under another name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from socrates_amplify.exploration.traces.alternatives import Way, way_of
from socrates_amplify.exploration.traces.families import Family, endpoint, family
from socrates_amplify.model.faults import Fault

Sign = tuple[Family, Way]


class Breakage:
    """Minimal scenarios so far. A single fault stands for its family, several for themselves.

    That is because a retry that a 500 gets through twice says nothing about a single 503.
    """

    def __init__(self) -> None:
        self._single: set[Family] = set()
        self._several: list[Counter[Sign]] = []
        self._told: set[tuple[Family, ...]] = set()
        self._fragile: set[tuple[str, str]] = set()

    def add(self, faults: Sequence[Fault]) -> bool:
        """Remember a minimal scenario; whether it is worth a report of its own."""
        families = tuple(sorted(map(family, faults)))
        if len(faults) == 1:
            self._single.update(families)
            self._fragile.add(endpoint(faults[0]))
        else:
            self._several.append(Counter(map(_sign, faults)))
        new = families not in self._told
        self._told.add(families)
        return new

    def covers(self, fault: Fault) -> bool:
        """Whether this fault would only show a known defect again."""
        return family(fault) in self._single or any(
            _sign(fault) in signs for signs in self._several
        )

    def is_told(self, faults: Sequence[Fault]) -> bool:
        """Whether a defect that was worth a report is among these faults."""
        families = Counter(map(family, faults))
        return any(Counter(told) <= families for told in self._told)

    def is_fragile(self, fault: Fault) -> bool:
        """Whether what it calls breaks the test alone, be it in another way."""
        return endpoint(fault) in self._fragile

    def without(self, faults: Sequence[Fault]) -> list[list[Fault]] | None:
        """The faults without each part of a defect among them; None when there is no defect."""
        for fault in faults:
            if family(fault) in self._single:
                return [[other for other in faults if family(other) != family(fault)]]
        present = Counter(map(_sign, faults))
        for signs in self._several:
            if signs <= present:
                return [[other for other in faults if _sign(other) != gone] for gone in signs]
        return None


def _sign(fault: Fault) -> Sign:
    return (family(fault), way_of(fault))
