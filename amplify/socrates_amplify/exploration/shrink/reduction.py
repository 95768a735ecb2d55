"""Narrowing a failing scenario down: prefix search over units, then a check of each fault.

Where ddmin asks for parts and complements, the search here asks for prefixes. Between a prefix
that does not fail and one that does lies a unit that is needed, found in log2(n) questions; it is
kept, and the search goes on before it until what is kept fails alone. Every set it relies on was
seen to fail, so faults that only matter together, or that undo each other, can't mislead it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from socrates_amplify.model.faults import Fault
from socrates_amplify.model.labels import named

Unit = list[Fault]
Fails = Callable[[Sequence[Fault], str], bool]


def flatten(units: Sequence[Sequence[Fault]]) -> list[Fault]:
    """All faults of all units, in order."""
    return [fault for unit in units for fault in unit]


def by_receiver(faults: Sequence[Fault]) -> list[Unit]:
    """One unit for each receiving actor, in the order of first occurrence."""
    units: dict[str, Unit] = {}
    for fault in faults:
        units.setdefault(fault.receiver, []).append(fault)
    return list(units.values())


def needed_units(
    units: Sequence[Unit],
    context: Sequence[Fault],
    fails: Fails,
    what: str,
    alone_fails: Fails | None = None,
) -> list[Unit]:
    """A few units that, with ``context``, still fail; all of them together are known to.

    ``alone_fails`` is asked instead of ``fails`` whether what was kept suffices.

    At most ``k * (log2(n) + 1)`` questions for ``k`` needed units of ``n``.
    """
    remaining = list(units)
    kept: list[Unit] = []
    while remaining:
        base = [*context, *flatten(kept)]
        low, high = 0, len(remaining)
        while high - low > 1:
            middle = (low + high) // 2
            candidate = [*flatten(remaining[:middle]), *base]
            if fails(candidate, f"{middle} of {len(units)} {what} suffice"):
                high = middle
            else:
                low = middle
        kept.append(remaining[high - 1])
        remaining = remaining[: high - 1]
        alone = [*context, *flatten(kept)]
        if remaining and (alone_fails or fails)(
            alone, f"{len(kept)} of {len(units)} {what} suffice alone"
        ):
            break
    return kept


def one_minimal(faults: Sequence[Fault], fails: Fails) -> list[Fault]:
    """A failing subset of which no single fault can be left out. One question per fault, or more."""
    current = list(faults)
    number = 0
    while len(current) > 1 and number < len(current):
        candidate = current[:number] + current[number + 1 :]
        if fails(candidate, f"not needed: {named(current[number])}"):
            current, number = candidate, 0
        else:
            number += 1
    return current
