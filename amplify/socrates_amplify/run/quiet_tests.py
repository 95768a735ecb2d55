"""Tests that sent nothing in the traced pass: their results are known without another run.

Most tests of most suites are such. They are kept in the store together, since one by one that would
take longer than many of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from socrates_amplify.model.events import Trace
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.report.json_report import as_document
from socrates_amplify.run.no_targets import why_no_faults
from socrates_amplify.store.store import Store


class Offering(Protocol):
    """Says what a trace offers. ``socrates_amplify.run.suite_runner`` does."""

    def faults_of(self, trace: Trace) -> object:
        """The faults of the asked kinds that a trace offers."""


def settle(
    seen: Mapping[str, Outcome],
    places: Mapping[str, str],
    runner: Offering,
    store: Store,
    code: str,
) -> dict[str, TestResult]:
    """The results of those tests of which the traced pass says all there is, kept in the store.

    ``places`` are the locations of the tests. Where the project declares circumstances, which are
    faults that need no message, there are none.
    """
    if runner.faults_of(Trace()):
        return {}
    results = {}
    with store.at_once():
        for nodeid, outcome in seen.items():
            if not _is_quiet(outcome):
                continue
            result = results[nodeid] = _result(nodeid, outcome, places[nodeid])
            store.add_control_runs(code, nodeid, (outcome,))
            document = {**as_document(result), "files": list(result.files)}
            store.add_test(code, nodeid, result.status.value, document)
    return results


def _is_quiet(outcome: Outcome) -> bool:
    ended = outcome.declined or outcome.verdict is Verdict.PASS
    return ended and outcome.final and not outcome.trace.events


def _result(nodeid: str, outcome: Outcome, location: str) -> TestResult:
    if outcome.declined:
        status, note = Status.NOT_RUN, outcome.reason or outcome.status
    else:
        status, note = Status.NO_TARGETS, why_no_faults(outcome.trace, ())
    return TestResult(
        nodeid,
        status,
        location,
        note=note,
        files=outcome.files,
        duration=outcome.duration,
    )
