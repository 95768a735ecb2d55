"""Groups of defects that are told together: one decision of the project, in however many places it shows."""

from __future__ import annotations

from collections.abc import Sequence

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import CALLS, DefectGroup, caught_in
from socrates_amplify.model.defect_groups.honest_errors import without_lines
from socrates_amplify.model.judgement import CAUGHT_IN, ERROR_HANDLER, GOES_ON, UNREAD, DefectClass
from socrates_amplify.model.results import RunResult


def entries(run: RunResult, groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """The groups that are told together, of all groups; what may be meant comes last.

    What some tests get as an honest error or another answer, and is a 500 or a gap at the same call for others, is
    told with that. What does not fail the run and was not reduced is no entry: which call it is about is not known.
    """
    groups = [group.known for group in groups]
    slips = _by_decision([one for one in groups if not may_be_meant(one)])
    others: list[DefectGroup] = []
    for group in groups:
        if may_be_meant(group) and (group.is_known or group.severity.at_least(run.fail_on)):
            next((one for one in slips if _tells_of_the_call(one, group)), others).append(group)
    return slips + _alike(others)


def may_be_meant(group: DefectGroup) -> bool:
    """Whether it is no slip, also where ``--strict`` makes it a warning."""
    return group.judgement.kind.may_be_meant or not group.severity.at_least(Severity.WARNING)


def _by_decision(groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """Groups that come of one decision, in however many places it shows.

    So does what leaves request handlers while one service is down, error replies of one service that one file
    does not look at, a promise that is not kept, and what one call lets through beside what it handles.
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
        return {f"escapes: {', '.join(sorted(set(group.receivers)))}"}
    if judgement.did == UNREAD:
        file = judgement.site.place.rpartition(":")[0]
        return {f"nobody looks in {file} at what {one} answers" for one in group.receivers}
    if judgement.kind is DefectClass.INCONSISTENT:
        return {f"at {judgement.site.key}", *([judgement.did] if judgement.did else [])}
    return {group.id}


def _tells_of_the_call(slips: Sequence[DefectGroup], meant: DefectGroup) -> bool:
    """Whether an entry tells of the same call of production code: what other tests see of it is told with that."""
    one, sites = meant.judgement, [slip.judgement.site for slip in slips]
    same = any(one.site.key in (site.key, *site.others) for site in sites)
    return one.kind.may_be_meant and bool(one.site.place) and same


def _alike(groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """Sites that hand the same error on are one decision of the project, and one entry.

    So are effects that say little, for the same reason, and calls whose errors one piece of code catches.
    """
    found: dict[tuple[object, ...], list[DefectGroup]] = {}
    kept: dict[str, tuple[str, ...]] = {}
    for group in groups:
        if group.judgement.did.startswith(CAUGHT_IN):
            kept.setdefault(group.judgement.site.key, _decision(group))
    for group in groups:
        decision = _decision(group)
        if group.judgement.kind is DefectClass.ABSORBED and decision == (group.id,):
            # Who keeps the error is known of other tests of the call.
            decision = kept.get(group.judgement.site.key, decision)
        found.setdefault((group.severity, *decision), []).append(group)
    # Named is the one of them of which most is said.
    entries = [sorted(entry, key=lambda group: -len(group.faults)) for entry in found.values()]
    return _with_fewer_errors(entries)


def _decision(group: DefectGroup) -> tuple[str, ...]:
    """What tells the decision that a group comes of from others."""
    name, caught, then = caught_in(group.why)
    if then.startswith(CALLS):
        # A retry that worked, or a call that did not come: how often, and who caught what, is not what matters.
        return (then.partition(":")[0],)
    if caught.endswith(")") or ERROR_HANDLER in caught:
        # Of errors that one piece of code keeps, neither their names matter, nor which call failed, nor what tests see.
        return (without_lines(caught),)
    if caught:
        return ("" if caught.startswith(CAUGHT_IN) else name, caught, then)
    alike = group.judgement.kind in (DefectClass.PASSED_ON, DefectClass.EFFECT)
    if alike or group.judgement.did == GOES_ON:
        return (without_lines(group.why),)
    return (group.id,)


def _with_fewer_errors(entries: list[list[DefectGroup]]) -> list[list[DefectGroup]]:
    """Places that hand on some of what others do are told with those: the rest was not tried, or is borne there."""
    told = sorted(entries, key=lambda entry: -len(entry[0].handed_on))
    for place, entry in enumerate(told):
        fewer = entry[0].handed_on
        wider = (one for one in told[:place] if one and one[0].handed_on > fewer)
        other = next(wider, None) if fewer else None
        if other is not None:
            other += entry
            entry.clear()
    return [entry for entry in entries if entry]
