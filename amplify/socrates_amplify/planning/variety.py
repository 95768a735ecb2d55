"""What to ask first of the next test, where there is no time to ask it everything.

Many tests of one client show the same about a refused connection. So a way to fail that was
asked first at a call site before comes after those that were not; of these, that comes first which came
first least often anywhere, since clients of many call sites often send all their calls in one way.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence

from socrates_amplify.model.events import Send
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, kind_of

_Way = tuple[str, str]


class Variety:
    """Orders the faults of one test after another. Safe in any thread."""

    def __init__(self) -> None:
        self._first: Counter[tuple[str, _Way]] = Counter()
        self._anywhere: Counter[_Way] = Counter()
        self._lock = threading.Lock()

    def order(self, faults: Sequence[Fault], sends: Iterable[Send] = ()) -> list[Fault]:
        """The faults, those on calls by how often their way to fail came first at their site.

        ``sends`` are those of the test; where a call is none of them, its service stands for the site.
        """
        sites = {send.target: send.site for send in sends}

        def site_of(fault: Fault) -> str:
            return sites.get(fault.target) or fault.receiver

        with self._lock:
            ranks: dict[_Way, int] = {}
            for fault in filter(_is_call, faults):
                times = self._first[site_of(fault), _way(fault)]
                ranks[_way(fault)] = min(times, ranks.get(_way(fault), times))
            ordered = sorted(
                faults,
                key=lambda fault: (ranks.get(_way(fault), -1), self._anywhere[_way(fault)]),
            )
            ways = [_way(fault) for fault in ordered if _is_call(fault)][:1]
            self._anywhere.update(ways)
            self._first.update(
                {(site_of(f), way) for way in ways for f in faults if _way(f) == way}
            )
        return ordered


def _is_call(fault: Fault) -> bool:
    return CALL in kind_of(fault.kind).channels


def _way(fault: Fault) -> _Way:
    """All errors of the server are one way."""
    return (fault.kind, f"{fault.detail[:1]}xx" if kind_of(fault.kind).answers else "")
