"""Defects with one root cause: one entry of a report, however many tests show it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates.findings import Severity
from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.defect_groups.honest_errors import (
    come_through,
    gets_by_fault,
    how_often,
    names_of_leaks,
    promise_of,
    told,
)
from socrates_amplify.model.judgement import DefectClass, Judgement
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult

_ANSWERS = ("answers ", "the test finds ")
_INSTEAD = " instead of "
CALLS = ("calls again", "fewer calls")
EXAMPLE = "e.g. "
"""Before what only some tests are known to see."""
_CAUGHT = later(
    r"(?P<names>[\w.]+(?:, [\w.]+)*) (?:is|are) (?P<caught>caught(?: in .*?)?): (?P<then>.*)",
    re.DOTALL,
)
_OF_A_REPLY = later(r"the body of the \d{3}\b")
_PLACE = later(r"[^\s()]+:[0-9]+")
_ORDER = {kind: place for place, kind in enumerate(DefectClass)}


@dataclass(frozen=True, slots=True)
class DefectGroup:
    """Defects of one class that did the same at one site.

    ``found`` are all of them with their tests, the one with the smallest scenario first.
    """

    judgement: Judgement
    found: tuple[tuple[TestResult, FoundDefect], ...]

    @property
    def id(self) -> str:
        """The same in every run."""
        return self.judgement.group

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.judgement.severity

    @property
    def is_known(self) -> bool:
        """Whether it is known of any of them which faults it takes."""
        return any(found.is_known for _, found in self.found)

    @property
    def known(self) -> DefectGroup:
        """Those of its defects of which it is known which faults they take; all of them where none is."""
        known = tuple((test, found) for test, found in self.found if found.is_known)
        return replace(self, found=known) if known else self

    def together_with(self, others: Iterable[DefectGroup]) -> DefectGroup:
        """With the defects of ``others``, which are told with it."""
        further = (member for one in others for member in one.found)
        return replace(self, found=(*self.found, *further))

    @property
    def _judged(self) -> list[Judgement]:
        return [found.judgement for _, found in self.found if found.judgement is not None]

    @property
    def why(self) -> str:
        """What happened to the faults: of honest errors, all that tests get; of slips, in how many places."""
        match self.judgement.kind:
            case DefectClass.PASSED_ON:
                return told([(one, found) for _, found in self.found if (one := found.judgement)])
            case DefectClass.UNPREPARED:
                places = {tuple(_PLACE.findall(one.why)) for one in self._judged} - {()}
                more = len(places) - 1
                besides = f", and in {more} more place{'s' if more > 1 else ''}" if more > 0 else ""
                return self.judgement.why + besides
            case DefectClass.ABSORBED:
                return self._other_answers()
            case _:
                return self._broken_promises()

    @property
    def slips(self) -> set[str]:
        """What is said of each line at which code goes wrong; nothing where none is known."""
        if self.judgement.kind is not DefectClass.UNPREPARED:
            return set()
        return {one.why for one in self._judged if _PLACE.search(one.why)}

    @property
    def ways(self) -> set[tuple[str, ...]]:
        """The functions that errors came by, where that is known, the outermost last."""
        return {one.way for one in self._judged if one.way}

    @property
    def gets(self) -> frozenset[tuple[str, str, int]]:
        """Of honest errors, which tests get by which faults, and by how many."""
        meant = self.judgement.kind is DefectClass.PASSED_ON
        told = [(one, found) for _, found in self.found if (one := found.judgement)]
        return gets_by_fault(told) if meant else frozenset()

    @property
    def answer(self) -> str:
        """What the first test sees, in words that are the same where others see the same."""
        return _answer(caught_in(self.judgement.why)[2])

    def _broken_promises(self) -> str:
        """What is said of the first; where a promise is broken by errors that come through, the names of all."""
        names = names_of_leaks(self._judged)
        if len(names) < 2:
            return self.judgement.why
        return f"{promise_of(self._judged)}{come_through(names)}"

    def _other_answers(self) -> str:
        """What the first test sees, and by which faults; by which tests break in all, where some see something else.

        Before it stand the errors that were caught where that was seen. How many tests see the same is not said:
        one answer is told in many ways, by the assertions that find it.
        """
        _, where, then = caught_in(self.judgement.why)
        told = [(found, caught_in(one.why)) for _, found in self.found if (one := found.judgement)]
        alike = [one for one in told if _answer(one[1][2]) == _answer(then)]
        in_one_place = where and all(caught[1] == where for _, caught in told)
        named = told if in_one_place else alike
        names = each_once(caught[0] for _, caught in named if caught[0] and caught[1] == where)
        kept = f"{', '.join(names)} {'are' if names[1:] else 'is'} {where}: " if names else ""
        if len(alike) == len(told):
            return f"{kept}{then}, under {_by_who_caught(alike, where)}"
        by, every = (how_often([found for found, _ in some]) for some in (alike, told))
        rest = f"; in all, tests break under {', '.join(every)}" if set(every) != set(by) else ""
        said = f"{then}, under {_by_who_caught(alike, where)}{rest}"
        return f"{kept}{EXAMPLE}{said}" if in_one_place else f"{EXAMPLE}{kept}{said}"

    @property
    def smallest(self) -> tuple[TestResult, FoundDefect]:
        """The defect to start with."""
        return self.found[0]

    @property
    def tests(self) -> tuple[str, ...]:
        """The node ids of its tests, each once."""
        return tuple(dict.fromkeys(test.nodeid for test, _ in self.found))

    @property
    def faults(self) -> tuple[str, ...]:
        """What was done in any of them: ``timeout``, ``status 503``."""
        return each_once(fault.what for _, found in self.found for fault in found.faults)

    @property
    def receivers(self) -> tuple[str, ...]:
        """To whom, in any of them: services, tasks, actors."""
        return each_once(fault.receiver for _, found in self.found for fault in found.faults)


def _by_who_caught(alike: Iterable[tuple[FoundDefect, tuple[str, str, str]]], where: str) -> str:
    """The faults of defects that are told alike; those first whose error was caught at the place that is told, if any."""
    by = {
        here: how_often([found for found, caught in alike if (caught[1] == where) is here])
        for here in (True, False)
    }
    others = [what for what in by[False] if what not in by[True]]
    return ", ".join(by[True]) + (f"; the same under {', '.join(others)}" if others else "")


def _answer(then: str) -> str:
    """What is alike: how many calls were made again may differ, what the test expects, and the status of a reply."""
    found = _OF_A_REPLY.sub("the body of the reply", then.partition(_INSTEAD)[0])
    return next((calls for calls in CALLS if then.startswith(calls)), found)


def caught_in(said: str) -> tuple[str, str, str]:
    """``X``, ``caught in FUNCTION (place)`` and the rest of a sentence; nothing caught, and all of it, else."""
    found = _CAUGHT.match(said)
    return (found["names"], found["caught"], found["then"]) if found else ("", "", said)


def groups_of(run: RunResult, least: Severity = Severity.INFO) -> tuple[DefectGroup, ...]:
    """The groups of a run from this severity on: the worst first, then those with the most tests.

    Defects that nobody has judged are in no group.
    """
    members: dict[str, list[tuple[TestResult, FoundDefect]]] = {}
    for test, found in run.found:
        if found.judgement is not None and found.severity.at_least(least):
            members.setdefault(found.judgement.group, []).append((test, found))
    groups = [_group(listed) for listed in members.values()]
    return tuple(sorted(groups, key=_rank))


def shown_groups(run: RunResult) -> tuple[DefectGroup, ...]:
    """The groups that reports for people show: bad enough, and not accepted by the baseline."""
    shown = groups_of(run, run.min_severity)
    return tuple(group for group in shown if group.id not in run.accepted)


def _group(listed: list[tuple[TestResult, FoundDefect]]) -> DefectGroup:
    ordered = sorted(
        listed,
        key=lambda member: (
            not member[1].is_known,
            not _names_a_slip(member[1].judgement),
            len(member[1].defect.scenario),
            not _tells_an_answer(member[1].judgement),
        ),
    )
    judgement = ordered[0][1].judgement
    assert judgement is not None
    return DefectGroup(judgement, tuple(ordered))


def _names_a_slip(judgement: Judgement | None) -> bool:
    """Whether it says at which line code goes wrong; of an error reply that nobody looked at, not all tests show that."""
    unprepared = judgement is not None and judgement.kind is DefectClass.UNPREPARED
    return judgement is not None and (not unprepared or _PLACE.search(judgement.why) is not None)


def _tells_an_answer(judgement: Judgement | None) -> bool:
    """Whether it says what was answered, or how often was called, not only how the test fails."""
    return judgement is not None and caught_in(judgement.why)[2].startswith((*_ANSWERS, *CALLS))


def _rank(group: DefectGroup) -> tuple[int, int, int]:
    return (-group.severity.rank, _ORDER[group.judgement.kind], -len(group.tests))


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """The names in their order, none of them twice."""
    return tuple(dict.fromkeys(names))
