"""What is said of groups that are told together: the same words in the text and on the page."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.defect_groups.groups import DefectGroup, each_once
from socrates_amplify.model.defect_groups.honest_errors import how_often
from socrates_amplify.model.judgement import DefectClass
from socrates_amplify.model.results import RunResult
from socrates_amplify.report.words import counted

_BESIDE = later(r"(?<![^\s(])\.\./[^\s()]+:\d+")
"""A place outside of the folder that the tests' root is."""


def headline(run: RunResult, group: DefectGroup, alike: Sequence[DefectGroup] = ()) -> str:
    """The site and what happened there; how many other sites of ``alike`` do the same, or some of it."""
    judgement = group.judgement
    joined = " " if judgement.kind is DefectClass.EFFECT else ": "
    same = [one for one in alike if one.handed_on == group.handed_on]
    others = _more_places(" and ", group, same)
    if judgement.kind is DefectClass.ABSORBED:
        group = group.together_with(same)
    why = _BESIDE.sub(lambda place: run.place(place.group()), group.why)
    fewer = [one for one in alike if one.handed_on != group.handed_on]
    why += _more_places(f"; the same for {_faults(fewer)} at ", group, fewer)
    return f"{judgement.site.name}{others}{joined}{why}"


def scope(groups: Sequence[DefectGroup]) -> str:
    """``timeout 3 times, status 500 of catalogue; 3 tests``."""
    receivers = each_once(one for group in groups for one in group.receivers)
    tests = each_once(one for group in groups for one in group.tests)
    return f"{_faults(groups)} of {some(receivers)}; {counted(len(tests), 'test')}"


def told_beside(group: DefectGroup, beside: DefectGroup) -> str:
    """``2 other tests, by timeout: ...``, of a group that is told with the warning of ``group``."""
    return f"{_whose(group, beside)}, by {_faults([beside])}: {beside.why}"


def some(names: Sequence[str], most: int = 4) -> str:
    """The first names, and how many there are besides."""
    left = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + left


def _faults(groups: Sequence[DefectGroup]) -> str:
    return some(how_often([found for group in groups for _, found in group.found]))


def _more_places(words: str, group: DefectGroup, others: Sequence[DefectGroup]) -> str:
    """How many other call sites there are, behind ``words``; empty where there is none."""
    places = {one.judgement.site.key for one in others} - {group.judgement.site.key}
    return f"{words}{counted(len(places), 'more place')}" if places else ""


def _whose(group: DefectGroup, beside: DefectGroup) -> str:
    """The tests of a group that is told with another one: the same, some of those, or others."""
    told, tests = frozenset(group.tests), frozenset(beside.tests)
    if told == tests:
        return "the same test" if len(tests) == 1 else "the same tests"
    if tests < told:
        return f"{len(tests)} of these tests"
    return counted(len(tests), "other test" if tests.isdisjoint(told) else "test")
