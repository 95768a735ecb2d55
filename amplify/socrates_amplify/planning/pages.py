"""Which tests ask what becomes of a proxy's page, for each place in the code that makes calls.

An error reply in JSON shows most mistakes, and is asked of every test. A page of HTML shows one more,
code that reads any error reply as JSON, and two tests for each place are enough for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario, is_page
from socrates_amplify.model.kinds import CALL

_TESTS = 2
"""Tests for each place: what one of them finds may be what it finds without faults, too."""

Sites = Mapping[str, frozenset[str]]
"""By test, the places that it asks for."""


def share(order: Sequence[str], traces: Mapping[str, Trace]) -> Sites:
    """Each place goes to the first tests that make calls there; what tests without a trace do is not known."""
    taken: Counter[str] = Counter()
    shared: dict[str, frozenset[str]] = {}
    for nodeid in order:
        if nodeid in traces:
            sites = {send.site for send in traces[nodeid].sends if send.channel == CALL}
            shared[nodeid] = frozenset(site for site in sites if taken[site] < _TESTS)
            taken.update(sites)
    return shared


def pages_of(
    nodeid: str,
    faults: Iterable[Fault],
    trace: Trace,
    shared: Sites | None,
    known: Collection[str] = (),
) -> frozenset[str]:
    """The keys of the faults that show a page and that this test asks, one for each of its places.

    Where it has no share, because it was not traced with others, these are all of its places; of a test of
    which scenarios are ``known``, by their keys, those that it has asked before.
    """
    sites = {send.target: send.site for send in trace.sends}
    mine = shared.get(nodeid) if shared is not None else None
    first: dict[str, Fault] = {}
    for fault in faults:
        site = sites.get(fault.target)
        if is_page(fault) and site is not None and (mine is None or site in mine):
            first.setdefault(site, fault)
    anew = mine is not None or not known
    return frozenset(
        fault.key for fault in first.values() if anew or Scenario.of([fault]).key in known
    )
