"""Defects with one root cause: one entry of a report, however many tests show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from socrates.classes.lazy import dataclass
from socrates.findings import Severity
from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.judgement import DefectClass, Judgement
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult

_BUT = ", but "
_ANSWERS = ("answers ", "the test finds ")
_CALLS = ("calls again", "fewer calls")
_TELLING = (*_ANSWERS, *_CALLS, "raises nothing")
"""How something begins that says more than that the test fails."""
_INSTEAD = " instead of "
HAVING = ", having caught "
_AROUND = " around "
_IN = " in "
_RAISES = "raises "
_RAW = " comes through as it is"
"""How ``triage.classify`` ends what it says of an error that production code lets through."""

_PLACE = later(r"[^\s()]+:[0-9]+")
_LINE = later(r"(?<=\.py):[0-9]+(?=\))")
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
    def raises(self) -> str:
        """The name of the error that production code raises for the fault; empty for other groups."""
        raised = self.judgement.why.startswith(_RAISES) and not self.judgement.raw
        honest = self.judgement.kind is DefectClass.PASSED_ON and raised
        return self.judgement.did.partition(_IN)[0] if honest else ""

    @property
    def leaks(self) -> frozenset[str]:
        """The names of the errors that come through to tests as they are; none for other groups."""
        if self.judgement.kind is not DefectClass.PASSED_ON:
            return frozenset()
        return frozenset(name.removesuffix(_RAW) for _, _, name in self._come_through())

    def _come_through(self) -> list[tuple[str, str, str]]:
        judged = [found.judgement for _, found in self.found if found.judgement is not None]
        return [one.why.rpartition(_BUT) for one in judged if one.raw and one.why.endswith(_RAW)]

    @property
    def why(self) -> str:
        """What happened to the faults; of errors that come through as they are, the names of all."""
        judged = [found.judgement for _, found in self.found if found.judgement is not None]
        told = self._come_through()
        names = sorted({name.removesuffix(_RAW) for _, _, name in told})
        if len(names) < 2:
            return self._of_all(judged) + self._otherwise(judged)
        return f"{told[0][0]}{told[0][1]}{', '.join(names)} come through as they are"

    def _of_all(self, judged: Sequence[Judgement]) -> str:
        """What is said of the first; of errors that one function caught, the names of all."""
        said, having, _ = self.judgement.why.partition(HAVING)
        caught = {one.why.partition(HAVING)[2].partition(_AROUND)[0] for one in judged} - {""}
        if len(caught) < 2:
            return self._without_lines(judged)
        names = sorted({name.partition(_IN)[0] for name in caught})
        where = sorted({name.partition(_IN)[2] for name in caught} - {""})
        return f"{said}{having}{', '.join(names)}" + (f"{_IN}{', '.join(where)}" if where else "")

    def _without_lines(self, judged: Sequence[Judgement]) -> str:
        """What is said of the first; if others differ in the line of the same file only, without it."""
        first = self.judgement.why
        plain = {_LINE.sub("", one.why) for one in judged}
        same = self.judgement.kind is DefectClass.PASSED_ON and len(plain) == 1
        return _LINE.sub("", first) if same and any(one.why != first for one in judged) else first

    def _otherwise(self, judged: Sequence[Judgement]) -> str:
        """What other tests saw, where that differs: one headline must not be taken for all."""
        if self.judgement.kind is DefectClass.UNPREPARED:
            more = len({tuple(_PLACE.findall(one.why)) for one in judged} - {()}) - 1
            return f", and in {more} more place{'s' if more > 1 else ''}" if more > 0 else ""
        if self.judgement.kind is not DefectClass.ABSORBED:
            return ""
        first, *others = (one.why.partition(HAVING)[0] for one in judged)
        differ = [one for one in others if _in_short(one) != _in_short(first)]
        telling = next((one for one in differ if one.startswith(_TELLING)), "")
        more = sum(_in_short(one) != _in_short(telling) for one in differ)
        also = f"; also {telling}" if telling else ""
        return f"{also}; {more} more see{'' if more > 1 else 's'} something else" if more else also

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


def _in_short(said: str) -> str:
    """What was seen; of ``answers X instead of Y`` only X, since tests expect different things.

    Nor do numbers of calls matter, of which some tests make more than others.
    """
    if said.startswith(_CALLS):
        return said.partition(": ")[0]
    return said.partition(_INSTEAD)[0] if said.startswith(_ANSWERS) else said


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
        listed, key=lambda member: (len(member[1].defect.scenario), not member[1].defect.minimal)
    )
    judgement = ordered[0][1].judgement
    assert judgement is not None
    return DefectGroup(judgement, tuple(ordered))


def _rank(group: DefectGroup) -> tuple[int, int, int]:
    return (-group.severity.rank, _ORDER[group.judgement.kind], -len(group.tests))


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """The names in their order, none of them twice."""
    return tuple(dict.fromkeys(names))
