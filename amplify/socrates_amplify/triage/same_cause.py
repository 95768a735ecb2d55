"""Defects that have one root cause, though each has a site of its own.

So are both orders of two steps, what goes wrong in the same way wherever one thread is held, and what
slips at one line, whichever of several calls it was that gave it something else.
"""

from __future__ import annotations

from dataclasses import replace

from socrates_amplify.model.faults import is_page
from socrates_amplify.model.judgement import UNREAD, DefectClass, Judgement, Site
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import is_step, pair_of
from socrates_amplify.model.results import FoundDefect, RunResult

Steps = frozenset[str]
"""The two places in the code whose order was changed, whichever came first."""


def same_cause(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """New judgements, by node id and scenario: what has one root cause has one site."""
    return {**_unread(run), **_slips(run), **_alike(run), **_both_orders(run)}


def _unread(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """An error reply that nobody looked at is one slip of the site, also where its body is taken for an answer.

    So is a page that can't be read there: of it alone it is not known whether somebody looked.
    """
    judged = [(test.nodeid, found, one) for test, found in run.found if (one := found.judgement)]
    unread = {one.site.key for _, _, one in judged if one.did == UNREAD}
    kind = DefectClass.UNPREPARED
    about = [
        (nodeid, found, one)
        for nodeid, found, one in judged
        if one.site.key in unread and (one.did == UNREAD or _slips_over_a_page(found, one))
    ]
    slips = {one.site.key for _, _, one in about if one.kind is kind and not one.unsure}
    return {
        (nodeid, found.defect.scenario.key): replace(
            one, kind=kind, severity=kind.severity, did=UNREAD
        )
        for nodeid, found, one in about
        if one.site.key in slips
    }


def _slips_over_a_page(found: FoundDefect, judgement: Judgement) -> bool:
    return judgement.kind is DefectClass.UNPREPARED and all(map(is_page, found.faults))


def _both_orders(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """Both orders of two steps that one test shows are one site.

    The site of a forced order is that of the step which is held back, so that A after B and B
    after A would be two entries about one missing wait.
    """
    sites: dict[tuple[str, Steps], dict[str, Site]] = {}
    for test, found in run.found:
        steps, judgement = _steps(found), found.judgement
        if steps is not None and judgement is not None:
            sites.setdefault((test.nodeid, steps), {})[judgement.site.key] = judgement.site
    one: dict[Steps, Site] = {}
    for (_, steps), known in sorted(sites.items(), key=lambda item: item[0][0]):
        if len(known) > 1:
            one.setdefault(steps, known[min(known)])
    return {
        (test.nodeid, found.defect.scenario.key): replace(found.judgement, site=one[steps])
        for test, found in run.found
        if found.judgement is not None and (steps := _steps(found)) is not None and steps in one
    }


def _slips(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """Slips of one kind at one line are one site: that line is to be mended."""
    slips = [
        (test.nodeid, found.defect.scenario.key, found.judgement)
        for test, found in run.found
        if found.judgement is not None and found.judgement.kind is DefectClass.UNPREPARED
    ]
    sites: dict[str, dict[str, Site]] = {}
    for _, _, slip in sorted(slips, key=lambda one: one[2].site.key):
        sites.setdefault(slip.why, {})[slip.site.key] = slip.site
    return {
        (nodeid, scenario): replace(slip, site=_one_of(sites[slip.why], slip.site), did=slip.why)
        for nodeid, scenario, slip in slips
        if len(sites[slip.why]) > 1 and not slip.unsure
    }


def _one_of(sites: dict[str, Site], site: Site) -> Site:
    """A site, named with the number of the others, and with the key that they have in common."""
    key, *others = sites
    more = f"{len(others)} more call{'s' if len(others) > 1 else ''}"
    return replace(site, key=key, name=f"{site.name} and {more}", others=tuple(others))


def _alike(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """Orders by which one test fails in the same way, one thread or task held in each, are one site.

    It is held between a look and what it does then; how many places there are in between says nothing.
    """
    first: dict[tuple[str, ...], Site] = {}
    found_first: dict[tuple[str, str], Judgement] = {}
    for test, found in run.found:
        if found.judgement is None or _steps(found) is None:
            continue
        failure, held = found.defect.failure, found.faults[0].sender
        key = (test.nodeid, failure.type, failure.message, failure.location, held)
        site = first.setdefault(key, found.judgement.site)
        if site != found.judgement.site:
            at = (test.nodeid, found.defect.scenario.key)
            found_first[at] = replace(found.judgement, site=site)
    return found_first


def _steps(found: FoundDefect) -> Steps | None:
    """The two steps of an effect that one forced order shows; None for anything else."""
    if found.judgement is None or found.judgement.kind is not DefectClass.EFFECT:
        return None
    pairs = [pair_of(fault.detail) for fault in found.faults if kind_of(fault.kind).schedules]
    if len(pairs) != 1 or len(found.faults) != 1 or pairs[0] is None:
        return None
    if not all(map(is_step, pairs[0])):
        return None
    return frozenset(_sort(name) for name in pairs[0])


def _sort(name: str) -> str:
    """What is done and where, of the name of a step: without who does it, and for how many times."""
    return name.rpartition(" ")[0].rpartition(" ")[2]
