"""Orders that can be forced in one run: no order of them may need another one to be broken.

A message comes after the one whose handling sent it, after what a promise orders before it, and
after the answer that its sender waited for. Holds that make no circle with these can be together
in one run, which then shows many pairs in the order that nobody has seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from socrates_amplify.model.events import Trace
from socrates_amplify.model.orders import Pair, Schedule, is_again, named_sends

MOST_MESSAGES = 300
"""Of runs with more messages than these it is not worked out which orders fit together."""
MOST_TOGETHER = 64
"""So many orders are forced in one run at most."""


class Batch:
    """What has to come before what in one run, and the orders that are forced on it."""

    def __init__(self, trace: Trace, free: Set[frozenset[str]]) -> None:
        self._later: dict[str, set[str]] = defaultdict(set)
        self._size = 0
        sends = {name: one for name, one in named_sends(trace).items() if not is_again(name)}
        self._known = frozenset(sends) if len(sends) <= MOST_MESSAGES else frozenset()
        if not self._known:
            return
        names = {send.target: name for name, send in sends.items()}
        asked: dict[tuple[str, str | None], str] = {}
        for name, send in sends.items():
            turn = (send.sender, send.cause)
            if send.cause in names:
                self._later[names[send.cause]].add(name)
            if turn in asked:
                self._later[asked[turn]].add(name)
            if send.wants_reply:
                asked[turn] = name
        for first, second in Schedule.of(trace).pairs:
            if frozenset((first, second)) not in free:
                self._later[first].add(second)

    def add(self, pair: Pair) -> bool:
        """Force the second of ``pair`` to come after the first; False where that does not fit."""
        first, second = pair
        if self._size >= MOST_TOGETHER or not self._known.issuperset(pair):
            return False
        if self._leads(second, first):
            return False
        self._later[first].add(second)
        self._size += 1
        return True

    def _leads(self, start: str, end: str) -> bool:
        """Whether ``end`` has to come after ``start``."""
        seen, left = {start}, [start]
        while left:
            following = self._later.get(left.pop(), set()) - seen
            if end in following:
                return True
            seen |= following
            left += following
        return False
