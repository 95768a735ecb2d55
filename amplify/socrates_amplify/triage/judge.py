"""From the defects of one run to judged ones: each by itself, then those of one site together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from socrates.findings import Severity
from socrates_amplify.model.judgement import Judgement
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult


def judged(test: TestResult, found: FoundDefect) -> FoundDefect:
    """The defect with what it means, as far as it can be told without the others."""
    # Most runs of most projects find nothing, and need not know how to judge it.
    from socrates_amplify.triage.case import Case
    from socrates_amplify.triage.classify import classify

    case = Case(
        tuple(found.faults),
        found.defect.failure,
        found.evidence,
        test.control,
        found.trace,
        found.aftermath,
        found.defect.minimal,
    )
    return replace(found, judgement=classify(case))


def finish(run: RunResult, *, strict: bool = False) -> RunResult:
    """The run with its defects compared with each other; ``strict`` makes each a warning."""
    if not run.defects:
        return run
    from socrates_amplify.triage.consistency import inconsistent
    from socrates_amplify.triage.same_cause import same_cause

    anew = inconsistent(run) | same_cause(run)

    def final(test: TestResult, found: FoundDefect) -> Judgement | None:
        judgement = anew.get((test.nodeid, found.defect.scenario.key), found.judgement)
        judgement = judgement or judged(test, found).judgement
        if judgement is not None and strict and judgement.severity is Severity.INFO:
            return replace(judgement, severity=Severity.WARNING)
        return judgement

    return replace(run, tests=tuple(_each(test, final) for test in run.tests))


def _each(
    test: TestResult, final: Callable[[TestResult, FoundDefect], Judgement | None]
) -> TestResult:
    if not test.defects:
        return test
    return replace(
        test,
        defects=tuple(replace(found, judgement=final(test, found)) for found in test.defects),
    )
