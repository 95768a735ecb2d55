"""Whether something stays behind: a test that fails under a fault, and then without any."""

from __future__ import annotations

import threading
from collections.abc import Callable

from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.outcomes import HANG, Outcome, Verdict
from socrates_amplify.model.results import TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.model.search import Defect
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.chain import surfaced
from socrates_amplify.triage.sites import site_of

_ENDED = (HANG, "Crash")


class Recovery:
    """Asks once for each site of a run and each family of failures; several threads may ask."""

    def __init__(self) -> None:
        self._sites: set[str] = set()
        self._lock = threading.Lock()

    def asks(self, test: TestResult, defect: Defect, outcome: Outcome) -> bool:
        """Whether this is the first defect of its site, by such faults, that may leave something behind."""
        faults = defect.scenario.faults
        outage = bool(faults) and all(kind_of(fault.kind).outage for fault in faults)
        if not outage or not defect.minimal or defect.failure.type in _ENDED:
            return False
        case = Case(tuple(faults), defect.failure, outcome.evidence, test.control, outcome.trace)
        # What is kept of an error reply is not kept where there was no answer at all.
        replies = all(kind_of(fault.kind).answers for fault in faults)
        key = f"{site_of(case).key}|{replies}"
        with self._lock:
            fresh = key not in self._sites
            self._sites.add(key)
        return fresh

    def told(self, defect: Defect, afterwards: Callable[[Scenario], Outcome]) -> str:
        """How the test fails without faults after the defect; empty where it does not.

        ``afterwards`` runs the test under a scenario and then without, in one process. Where it
        still fails, it is run twice without any fault: some tests can't run twice in one process.
        """
        after = afterwards(defect.scenario)
        if after.failure is None or not stays_broken(defect, after):
            return ""
        healthy = afterwards(Scenario()).verdict is Verdict.PASS
        return after.failure.message.partition(": ")[2] if healthy else ""


def stays_broken(defect: Defect, after: Outcome) -> bool:
    """Whether the run without faults fails as the one under faults did, or production code says so.

    Anything else may be what the failing test left behind by itself, a fake or a file.
    """
    failure, before = after.failure, defect.failure
    if failure is None or failure.type != NOT_RECOVERED:
        return False
    if failure.message.endswith(f"{before.type}: {before.message}"):
        return True
    error = surfaced(after.evidence.links)
    return error is not None and error.is_deliberate
