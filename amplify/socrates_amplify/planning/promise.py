"""Which tests to search first: those that show most that no test before them showed."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.labels import open_numbers

_MUCH = 10
_LONG = 1.0
"""Seconds that are not long for any test."""

_SITE = "site"
"""In place of a channel: code that makes calls, wherever they go."""

_Place = tuple[str, str, str]


def most_promising_first(
    nodeids: Sequence[str],
    traces: Mapping[str, Trace],
    durations: Mapping[str, float] = MappingProxyType({}),
    *,
    unknown_last: bool = False,
) -> list[str]:
    """The tests in another order: at each place the one that adds most to those before it.

    Places where messages and tasks are sent count before those of remote calls, since a client
    that does nothing but call has little to get wrong; of those, the code that makes them counts
    before what is called: a slip is in the code. Tests without a trace come first: nothing
    is known of them; or last, where the pass may have been cut short and what was seen leads to
    defects sooner. Tests that add nothing come behind all that do, in their own order.

    With ``durations``, for where time is short: of tests that add as much, the quickest comes first,
    and those that take much longer than most come behind the others.
    """
    unknown = [nodeid for nodeid in nodeids if nodeid not in traces]
    known = [nodeid for nodeid in nodeids if nodeid in traces]
    places = {nodeid: _places(traces[nodeid].sends) for nodeid in known}
    seen: set[_Place] = set()
    slow = _slow([durations.get(nodeid, 0.0) for nodeid in known if places[nodeid]])
    waiting = [
        (time > slow, _worth(places[nodeid]), time, at, nodeid)
        for at, nodeid in enumerate(known)
        for time in (durations.get(nodeid, 0.0),)
    ]
    heapq.heapify(waiting)
    ordered = []
    while waiting:
        late, worth, time, at, nodeid = heapq.heappop(waiting)
        now = _worth(places[nodeid] - seen)
        if now != worth:  # other tests have shown some of it since
            heapq.heappush(waiting, (late, now, time, at, nodeid))
            continue
        ordered.append(nodeid)
        seen |= places[nodeid]
    return [*ordered, *unknown] if unknown_last else [*unknown, *ordered]


def _slow(durations: Sequence[float]) -> float:
    """Seconds above which a test takes much longer than most of these."""
    usual = sorted(durations)[len(durations) // 2] if durations else 0.0
    return max(_MUCH * usual, _LONG)


def _places(sends: Iterable[Send]) -> frozenset[_Place]:
    """What can be faulted, by where it goes and what it is; content does not count."""
    found: set[_Place] = set()
    for send in sends:
        if not send.internal:
            found.add((send.channel, send.receiver.partition("#")[0], _what(send)))
            if send.channel == CALL and send.site:
                found.add((_SITE, send.site, ""))
    return frozenset(found)


def _what(send: Send) -> str:
    return open_numbers(send.message) if send.channel == CALL else send.type or send.message


def _worth(places: Iterable[_Place]) -> tuple[int, int, int]:
    """Less is better: first the number of messages and tasks, then those of sites and of calls."""
    channels = Counter(place[0] for place in places)
    sites, calls = channels[_SITE], channels[CALL]
    return sites + calls - channels.total(), -sites, -calls
