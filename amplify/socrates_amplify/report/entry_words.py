"""What is said of groups: the same words in the text and on the page."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.defect_groups.groups import DefectGroup
from socrates_amplify.model.defect_groups.honest_errors import how_often
from socrates_amplify.model.judgement import CAUGHT_IN, DefectClass
from socrates_amplify.model.results import RunResult
from socrates_amplify.report.words import counted

_EXAMPLE = "e.g. "
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
    told: list[list[DefectGroup]] = []
    for group in sorted(groups, key=lambda one: -len(one.gets)):
        first = next((one for one in told if _is_told_with(group, one[0])), None)
        if first is None:
            told.append([group])
        else:
            first.append(group)
    place = {id(one): at for at, one in enumerate(groups)}
    told.sort(key=lambda members: min(place[id(one)] for one in members))
    return [first.together_with(others) for first, *others in told]


def _is_told_with(group: DefectGroup, known: DefectGroup) -> bool:
    """Whether all that is said of one group is said of another one of its function."""
    if function_of(group) != function_of(known) or group.judgement.kind != known.judgement.kind:
        return False
    if group.judgement.kind is DefectClass.PASSED_ON:
        return group.gets <= known.gets
    return group.answer == known.answer


Places = dict[str, list[DefectGroup]]
"""Where else something happens, by how alike it is, in words."""


def with_those_like_it(groups: Sequence[DefectGroup]) -> list[tuple[DefectGroup, Places]]:
    """Each group that has a line of its own, with the places at which the same happens, or a part of it was tried."""
    told: list[tuple[DefectGroup, Places]] = []
    fullest_first = sorted(groups, key=lambda one: -len(one.gets))
    for group in fullest_first:
        for known, places in told:
            if how := _how_alike(group, known):
                places.setdefault(how, []).append(group)
                break
        else:
            told.append((group, {}))
    place = {id(one): at for at, one in enumerate(groups)}
    return sorted(told, key=lambda one: place[id(one[0])])


def _how_alike(group: DefectGroup, known: DefectGroup) -> str:
    """How much of what happens in ``known`` happens in another group; empty where it has nothing to do with it."""
    if group.why.removeprefix(_EXAMPLE) == known.why.removeprefix(_EXAMPLE):
        return "the same"
    if group.gets and group.gets <= known.gets:
        return "in part the same"
    by, keeps = group.judgement.did, known.judgement.did
    return "caught there, too," if by == keeps and by.startswith(CAUGHT_IN) else ""


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
