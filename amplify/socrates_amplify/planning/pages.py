"""Which test asks what becomes of a proxy's page, for each place in the code that makes calls.

An error reply in JSON shows most mistakes, and is asked of every test. A page of HTML shows one more,
code that reads any error reply as JSON, and one test for each place is enough for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, is_page
from socrates_amplify.model.kinds import CALL

Sites = Mapping[str, frozenset[str]]
"""By test, the places that it asks for."""


def share(order: Sequence[str], traces: Mapping[str, Trace]) -> Sites:
    """Each place goes to the first test that makes calls there."""
    taken: set[str] = set()
    shared: dict[str, frozenset[str]] = {}
    for nodeid in order:
        trace = traces.get(nodeid)
        sites = {send.site for send in trace.sends if send.channel == CALL} if trace else set()
        shared[nodeid] = frozenset(sites - taken)
        taken |= sites
    return shared


def pages_of(
    nodeid: str, faults: Iterable[Fault], trace: Trace, shared: Sites | None
) -> frozenset[str]:
    """The keys of the faults that show a page and that this test asks, one for each of its places.

    Of a test of which no share is known it is all of its places.
    """
    sites = {send.target: send.site for send in trace.sends}
    mine = shared.get(nodeid) if shared is not None else None
    first: dict[str, str] = {}
    for fault in faults:
        site = sites.get(fault.target)
        if is_page(fault) and site is not None and (mine is None or site in mine):
            first.setdefault(site, fault.key)
    return frozenset(first.values())
