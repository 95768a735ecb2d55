"""Which tests to search first: those that show most that no test before them showed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.labels import open_numbers

_Place = tuple[str, str, str]


def most_promising_first(
    nodeids: Sequence[str], traces: Mapping[str, Trace], *, unknown_last: bool = False
) -> list[str]:
    """The tests in another order: at each place the one that adds most to those before it.

    Places where messages and tasks are sent count before those of remote calls, since a client
    that does nothing but call has little to get wrong. Tests without a trace come first: nothing
    is known of them; or last, where the pass may have been cut short and what was seen leads to
    defects sooner. Tests that add nothing come behind all that do, in their own order.
    """
    unknown = [nodeid for nodeid in nodeids if nodeid not in traces]
    known = [nodeid for nodeid in nodeids if nodeid in traces]
    places = {nodeid: _places(traces[nodeid].sends) for nodeid in known}
    seen: set[_Place] = set()
    waiting = [(_worth(places[nodeid]), at, nodeid) for at, nodeid in enumerate(known)]
    heapq.heapify(waiting)
    ordered = []
    while waiting:
        worth, at, nodeid = heapq.heappop(waiting)
        now = _worth(places[nodeid] - seen)
        if now != worth:  # other tests have shown some of it since
            heapq.heappush(waiting, (now, at, nodeid))
            continue
        ordered.append(nodeid)
        seen |= places[nodeid]
    return [*ordered, *unknown] if unknown_last else [*unknown, *ordered]


def _places(sends: Iterable[Send]) -> frozenset[_Place]:
    """What can be faulted, by where it goes and what it is; content does not count."""
    return frozenset(
        (send.channel, send.receiver.partition("#")[0], _what(send))
        for send in sends
        if not send.internal
    )


def _what(send: Send) -> str:
    return open_numbers(send.message) if send.channel == CALL else send.type or send.message


def _worth(places: Iterable[_Place]) -> tuple[int, int]:
    """Less is better: first the number of messages and tasks, then that of calls."""
    calls = sum(place[0] == CALL for place in places)
    others = sum(place[0] != CALL for place in places)
    return -others, -calls
