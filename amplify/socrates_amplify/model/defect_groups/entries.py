"""Groups of defects that are told together: one slip or gap of the project, in however many places it shows."""

from __future__ import annotations

from collections.abc import Sequence

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import DefectGroup
from socrates_amplify.model.judgement import UNREAD, DefectClass
from socrates_amplify.model.results import RunResult


def entries(run: RunResult, groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """The groups that are told together, of all groups; what may be meant comes last, each group by itself.

    What some tests get as an honest error or another answer, and is a 500 or a gap at the same call for others, is
    told with that. What does not fail the run and was not reduced is no entry: which call it is about is not known.
    """
    groups = [group.known for group in groups]
    slips = _by_decision([one for one in groups if not may_be_meant(one)])
    others: list[list[DefectGroup]] = []
    for group in groups:
        if may_be_meant(group) and (group.is_known or group.severity.at_least(run.fail_on)):
            entry = next((one for one in slips if _tells_of_the_call(one, group)), None)
            if entry is None:
                others.append([group])
            else:
                entry.append(group)
    return slips + others


def may_be_meant(group: DefectGroup) -> bool:
    """Whether it is no slip, also where ``--strict`` makes it a warning."""
    return group.judgement.kind.may_be_meant or not group.severity.at_least(Severity.WARNING)


def _by_decision(groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """Groups that come of one decision, in however many places it shows.

    So does what leaves request handlers while one service is down, or one handler while any is, error replies of one service that one file
    does not look at, slips at one line, a promise that is not kept, and what one call lets through beside
    what it handles.
    """
    found: list[tuple[set[str], list[DefectGroup]]] = []
    for group in groups:
        signs = _signs(group)
        known = [entry for entry in found if not entry[0].isdisjoint(signs)]
        if not known:
            found.append((signs, [group]))
            continue
        for also in known[1:]:  # which only this group shows to be of the same decision
            found.remove(also)
            known[0][0].update(also[0])
            known[0][1].extend(also[1])
        known[0][0].update(signs)
        known[0][1].append(group)
    return [entry for _, entry in found]


def _signs(group: DefectGroup) -> set[str]:
    """What a warning has in common with others that come of the same decision."""
    judgement = group.judgement
    if judgement.kind is DefectClass.UNPREPARED and judgement.raw:
        down = ", ".join(sorted(set(group.receivers)))
        return {f"leaves handlers: {down}", *(f"leaves {way[-1]}" for way in group.ways)}
    if judgement.kind is DefectClass.UNRECOVERED and judgement.did:
        # Values that a test compares say nothing of the cause; an error of the code does.
        return {group.id if "AssertionError" in judgement.why else judgement.why}
    slips = group.slips
    if judgement.did == UNREAD:
        return slips | _unread(group)
    if judgement.kind is DefectClass.INCONSISTENT:
        return {f"at {judgement.site.key}", *([judgement.did] if judgement.did else [])}
    return slips or {group.id}


def _unread(group: DefectGroup) -> set[str]:
    """In which file nobody looks at the error replies of which services."""
    if group.judgement.did != UNREAD:
        return set()
    file = group.judgement.site.place.rpartition(":")[0]
    return {f"nobody looks in {file} at what {one} answers" for one in group.receivers}


def _tells_of_the_call(slips: Sequence[DefectGroup], meant: DefectGroup) -> bool:
    """Whether an entry tells of the same call of production code: what other tests see of it is told with that.

    So are error replies of the same service that nobody in the same file looks at, wherever they are taken for answers.
    """
    one, sites = meant.judgement, [slip.judgement.site for slip in slips]
    same = any(one.site.key in (site.key, *site.others) for site in sites)
    unread = any(not _unread(meant).isdisjoint(_unread(slip)) for slip in slips)
    return one.kind.may_be_meant and bool(one.site.place) and (same or unread)
