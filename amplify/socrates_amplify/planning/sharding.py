"""Splits a suite over machines that don't talk to each other: ``--shard 2/5``.

The split depends on the collected tests and the recorded durations alone, so that every machine
that has the same of both comes to the same one, however often it is asked.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence

from socrates.errors import SocratesError
from socrates_amplify.model.results import Part, Shard
from socrates_amplify.record.identity import digest

_WRITTEN = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*")


def parse(text: str, where: str = "--shard") -> Shard:
    """The shard that ``2/5`` names."""
    match = _WRITTEN.fullmatch(text)
    index, count = (int(number) for number in match.groups()) if match else (0, 0)
    if not 1 <= index <= count:
        raise SocratesError(f"{where}: {text!r} is no part; write it like 2/5, from 1/5 to 5/5")
    return Shard(count, index)


def part_of(tests: Sequence[str], shard: Shard, durations: Mapping[str, float]) -> Part:
    """The part of ``tests`` that ``shard`` runs. Every test is in exactly one part.

    The longest test goes first, each to the part that has least to do. A test without a duration
    counts as much as the median of the others; without any durations, parts differ by at most
    one test. Equals are taken in the order of a hash, which spreads the tests of one file.
    """
    assigned = _assign(tests, shard.count, durations)
    plan = digest("\n".join(f"{nodeid} {assigned[nodeid]}" for nodeid in sorted(tests)), 8)
    mine = tuple(nodeid for nodeid in tests if assigned[nodeid] == shard.index)
    return Part(shard, f"{shard.count}-{plan}", len(tests), mine)


def _assign(tests: Sequence[str], count: int, durations: Mapping[str, float]) -> dict[str, int]:
    known = sorted(durations[nodeid] for nodeid in tests if nodeid in durations)
    usual = known[len(known) // 2] if known else 1.0
    cost = {nodeid: durations.get(nodeid, usual) for nodeid in tests}
    parts = [(0.0, 0, index) for index in range(1, count + 1)]
    assigned: dict[str, int] = {}
    for nodeid in sorted(tests, key=lambda nodeid: (-cost[nodeid], digest(nodeid), nodeid)):
        load, number, index = heapq.heappop(parts)
        assigned[nodeid] = index
        heapq.heappush(parts, (load + cost[nodeid], number + 1, index))
    return assigned
