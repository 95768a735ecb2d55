"""Call sites that prepare for one failure of a service, and let another of the same family through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates_amplify.model.defect_groups.groups import CALLS, caught_in
from socrates_amplify.model.events import Reply
from socrates_amplify.model.faults import Fault, are_one, is_page
from socrates_amplify.model.judgement import CAUGHT_IN, DefectClass, Judgement
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult


@dataclass(frozen=True, slots=True)
class _Handled:
    """What was done about a fault at a site: ``words`` for people."""

    fault: Fault
    words: str
    by: str = ""
    """Where it was translated or caught, as ``file:function``; empty where it was borne.

    Several functions may share a site below them: a leak counts that came by this one.
    """


def inconsistent(run: RunResult) -> dict[tuple[str, str], Judgement]:
    """New judgements of leaks, by node id and scenario, where the same site handles a fault of the family.

    Which of them is a leak is known only by comparison: that a client lets the error of its
    library through may be its way; that it does so for some failures only is a gap.
    """
    handled = _handled(run)
    found: dict[tuple[str, str], Judgement] = {}
    for test, defect in run.found:
        judgement = defect.judgement
        if judgement is None or not _leaks(judgement):
            continue
        fault = _only_fault(defect)
        family = _family(fault) if fault else ""
        for other in handled.get((judgement.site.key, family), ()):
            by_it = not other.by or other.by in judgement.way
            if fault and other.fault.what != fault.what and by_it:
                why = f"{other.words}, but {judgement.why} under {fault.what}"
                kind = DefectClass.INCONSISTENT
                found[test.nodeid, defect.defect.scenario.key] = replace(
                    judgement, kind=kind, severity=kind.severity, why=why, did=""
                )
                break
    return found


def _handled(run: RunResult) -> dict[tuple[str, str], list[_Handled]]:
    """What sites do about the faults that they do not let through, by site and family."""
    found: dict[tuple[str, str], list[_Handled]] = {}
    for test, defect in run.found:
        judgement, fault = defect.judgement, _only_fault(defect)
        if judgement is None or fault is None or not judgement.site.place or is_page(fault):
            continue  # what is done about a proxy's answer may be meant for that alone
        key = (judgement.site.key, _family(fault))
        if judgement.raises:
            words = f"{judgement.raises} is raised for {fault.what}"
            found.setdefault(key, []).append(_Handled(fault, words, judgement.raised_by))
        if by := _kept_by(judgement):
            words = " is ".join(caught_in(judgement.why)[:2])
            found.setdefault(key, []).append(_Handled(fault, words, by))
        if _leaks(judgement) and len(defect.faults) == 1:
            for other in _survived(test, fault):
                found.setdefault(key, []).append(
                    _Handled(other, f"the test passes under {other.what}")
                )
    return found


def _kept_by(judgement: Judgement) -> str:
    """The function that caught the error and answered otherwise, as ``file:function``; empty where none did.

    One that only calls again has not decided what to answer.
    """
    name, _, then = caught_in(judgement.why)
    if judgement.kind is not DefectClass.ABSORBED or not name or then.startswith(CALLS[0]):
        return ""
    if judgement.did.startswith(CAUGHT_IN):
        return judgement.did.removeprefix(CAUGHT_IN)
    file, _, rest = judgement.site.key.partition("|")
    return f"{file}:{rest.partition('|')[0]}"


def _survived(test: TestResult, fault: Fault) -> Iterator[Fault]:
    """Other faults of the same call that the test passed under; none where its own fake answers with an error."""
    answers = (
        e.value for e in test.control.events if isinstance(e, Reply) and e.target == fault.target
    )
    if any(answer[:1] in ("4", "5") for answer in answers):
        return
    for other in test.survived:
        of_family = other.target == fault.target and _family(other) == _family(fault)
        if of_family and not is_page(other):
            yield other


def _leaks(judgement: Judgement) -> bool:
    """Whether the library's own error came through, to the test or to what serves requests."""
    kinds = (DefectClass.PASSED_ON, DefectClass.UNPREPARED)
    return judgement.kind in kinds and judgement.raw and bool(judgement.site.place)


def _only_fault(found: FoundDefect) -> Fault | None:
    """The fault of a defect; several are one if they hit one call and the tries that followed."""
    faults = found.faults
    return faults[0] if are_one(faults) else None


def _family(fault: Fault) -> str:
    """Failures that one ``except`` should treat alike: no answer at all, or errors of one hundred."""
    row = kind_of(fault.kind)
    if row.answers:
        return f"{fault.detail[:1]}xx"
    return "no answer" if row.outage else fault.kind
