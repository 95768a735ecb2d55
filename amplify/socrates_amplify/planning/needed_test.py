"""A test that passes after others and fails by itself: which of the others does it need?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.planning.traced_pass import Company

_SECONDS = 10.0
"""Looking for the test may take about so long."""


def needed_test(
    runner: Company, nodeid: str, earlier: Sequence[str], seen: Mapping[str, Outcome]
) -> str:
    """The one earlier test after which this one passes; empty where none was found cheaply.

    ``seen`` tells how long each of them takes. Halves are tried, so that a few runs are enough.
    """
    candidates = _affordable(nodeid, earlier, seen)
    if not _passes_after(runner, nodeid, candidates):
        return ""
    while len(candidates) > 1:
        middle = len(candidates) // 2
        nearer, farther = candidates[middle:], candidates[:middle]
        if _passes_after(runner, nodeid, nearer):
            candidates = nearer
        elif _passes_after(runner, nodeid, farther):
            candidates = farther
        else:
            return ""  # it needs more than one
    return candidates[0]


def _affordable(nodeid: str, earlier: Sequence[str], seen: Mapping[str, Outcome]) -> Sequence[str]:
    """All earlier tests, else those of the same file, if there is time to look among them."""
    file = nodeid.partition("::")[0]
    beside = [name for name in earlier if name.partition("::")[0] == file]
    for candidates in (earlier, beside):
        runs = 2 * math.log2(len(candidates) + 1) + 1
        if runs * sum(seen[name].duration for name in candidates) <= _SECONDS:
            return candidates
    return ()


def _passes_after(runner: Company, nodeid: str, earlier: Sequence[str]) -> bool:
    heard: dict[str, Outcome] = {}
    if not earlier:
        return False
    runner.run_together([*earlier, nodeid], heard.__setitem__, Ticket())
    return nodeid in heard and heard[nodeid].verdict is Verdict.PASS
