"""What is said of groups: the same words in the text and on the page."""

from __future__ import annotations

from collections.abc import Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.defect_groups.groups import EXAMPLE, DefectGroup
from socrates_amplify.model.defect_groups.honest_errors import how_often
from socrates_amplify.model.judgement import CAUGHT_IN, DefectClass
from socrates_amplify.model.results import RunResult
from socrates_amplify.report.words import counted

_MOST_NAMED = 2
"""Services and the like in what is told in short."""
_BESIDE = later(r"(?<![^\s(])\.\./[^\s()]+:\d+")
"""A place outside of the folder that the tests' root is."""


def headline(run: RunResult, group: DefectGroup) -> str:
    """The site and what happened there."""
    judgement = group.judgement
    joined = " " if judgement.kind is DefectClass.EFFECT else ": "
    why = _BESIDE.sub(lambda place: run.place(place.group()), group.why)
    return f"{judgement.site.name}{joined}{why}"


def scope(group: DefectGroup) -> str:
    """``timeout 3 times, status 500 of catalogue; 3 tests``; of what may be meant the faults are told already."""
    faults = "" if group.judgement.kind.may_be_meant else f"{_faults(group)} of "
    return f"{faults}{some(group.receivers, _MOST_NAMED)}; {counted(len(group.tests), 'test')}"


def told_beside(group: DefectGroup, beside: Sequence[DefectGroup]) -> list[str]:
    """``2 other tests, by timeout: ...``, of groups that are told with the warning of ``group``.

    ``2 other tests, in get: ...`` where it is about another function than that; what may be meant of
    several calls of one function is one line.
    """
    meant = [one for one in beside if one.judgement.kind.may_be_meant]
    others = [one for one in beside if not one.judgement.kind.may_be_meant]
    return [_beside(group, one) for one in (*others, *for_each_function(meant))]


def for_each_function(groups: Sequence[DefectGroup]) -> list[DefectGroup]:
    """Groups of what may be meant, those of several calls of one function told together.

    Of one function, the same honest errors are, and a part of them; so are the same other answers, whether or not
    it is known who caught the error.
    """
    alike: dict[tuple[object, ...], list[DefectGroup]] = {}
    for one in groups:
        kind = one.judgement.kind
        said = "" if kind is DefectClass.PASSED_ON else one.answer
        alike.setdefault((kind, said, *function_of(one)), []).append(one)
    told = [part for members in alike.values() for part in _each_with_its_parts(members)]
    place = _places(groups)
    told.sort(key=lambda members: min(place[id(one)] for one in members))
    return [first.together_with(others) for first, *others in told]


def _each_with_its_parts(groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """Groups of which none shows only a part of what another one does, each with those that do."""
    gets = {id(one): one.gets for one in groups}
    told: list[list[DefectGroup]] = []
    for one in sorted(groups, key=lambda one: -len(gets[id(one)])):
        fuller = next((part for part in told if gets[id(one)] <= gets[id(part[0])]), None)
        if fuller is None:
            told.append([one])
        else:
            fuller.append(one)
    return told


Places = dict[str, list[DefectGroup]]
"""Where else something happens, by how alike it is, in words."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A group with what is said of it, which takes a look at all its defects, and is compared with each other one."""

    group: DefectGroup
    why: str
    gets: frozenset[tuple[str, str, int]]


def with_those_like_it(groups: Sequence[DefectGroup]) -> list[tuple[DefectGroup, Places]]:
    """Each group that has a line of its own, with the places at which the same happens, or a part of it was tried."""
    said = [_Said(one, one.why.removeprefix(EXAMPLE), one.gets) for one in groups]
    told: list[tuple[_Said, Places]] = []
    for one in sorted(said, key=lambda one: -len(one.gets)):
        for known, places in told:
            if how := _how_alike(one, known):
                places.setdefault(how, []).append(one.group)
                break
        else:
            told.append((one, {}))
    place = _places(groups)
    told.sort(key=lambda row: place[id(row[0].group)])
    return [(one.group, places) for one, places in told]


def _how_alike(one: _Said, known: _Said) -> str:
    """How much of what happens in ``known`` happens in another group; empty where it has nothing to do with it."""
    if one.why == known.why:
        return "the same"
    if one.gets and one.gets <= known.gets:
        return "in part the same"
    by, keeps = one.group.judgement.did, known.group.judgement.did
    return "caught there, too," if by == keeps and by.startswith(CAUGHT_IN) else ""


def _places(groups: Sequence[DefectGroup]) -> dict[int, int]:
    """The place of each group in their order, by identity: to compare groups is to compare all their defects."""
    return {id(one): place for place, one in enumerate(groups)}


def _beside(group: DefectGroup, beside: DefectGroup) -> str:
    if beside.judgement.kind.may_be_meant:
        there = beside.judgement.site.name
        where = "" if function_of(beside) == function_of(group) else f", in {there}"
        return f"{_whose(group, beside)}{where}: {beside.why}"
    again = beside.judgement.kind is DefectClass.INCONSISTENT and beside.why == group.why
    why = f"the same in {beside.judgement.site.name}" if again else beside.why
    return f"{_whose(group, beside)}, by {_faults_of_slip(beside)}: {why}"


def function_of(group: DefectGroup) -> tuple[str, str]:
    """The function that makes the call, of several the first one, and its file."""
    site = group.judgement.site
    return (site.name.partition(" and ")[0], site.place.rpartition(":")[0])


def some(names: Sequence[str], most: int = 4) -> str:
    """The first names, and how many there are besides."""
    left = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + left


def _faults(group: DefectGroup) -> str:
    return some(how_often([found for _, found in group.found]))


def _faults_of_slip(group: DefectGroup) -> str:
    """The faults under which that happens which is said of the group, in whichever of its places."""
    if group.why != group.judgement.why:
        return some(how_often([found for _, found in group.found], alike=False))
    said = group.judgement.why
    alike = [found for _, found in group.found if found.judgement and found.judgement.why == said]
    return some(how_often(alike))


def _whose(group: DefectGroup, beside: DefectGroup) -> str:
    """The tests of a group that is told with another one: the same, some of those, or others."""
    told, tests = frozenset(group.tests), frozenset(beside.tests)
    if told == tests:
        return "the same test" if len(tests) == 1 else "the same tests"
    if tests < told:
        return f"{len(tests)} of these tests"
    return counted(len(tests), "other test" if tests.isdisjoint(told) else "test")
