"""Tests in which nothing can be faulted: why that is, and what the traced pass settles of them.

Most tests of most suites send nothing. Their results are known without another run, and are kept in
the store together, since one by one that would take longer than many of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, all_kinds
from socrates_amplify.model.outcomes import REPLACES, Outcome, Verdict
from socrates_amplify.model.results import NOTHING_SENT, Status, TestResult
from socrates_amplify.report.json_report import as_document
from socrates_amplify.run.unhandled_tasks import why_nothing
from socrates_amplify.store.store import Store


class Offering(Protocol):
    """Says what a trace offers. ``socrates_amplify.run.suite_runner`` does."""

    def faults_of(self, trace: Trace) -> object:
        """The faults of the asked kinds that a trace offers."""


def why_no_faults(trace: Trace, offered: Sequence[Fault], reason: str = "") -> str:
    """Why none of the faults that a trace offered is tried; ``reason`` is that of the run."""
    if offered:
        return "every fault is left out by --include, --exclude or critical"
    if not trace.sends:
        return f"{NOTHING_SENT}: {reason}" if reason.startswith(REPLACES) else NOTHING_SENT
    unseen = why_nothing(trace)
    if unseen:
        return unseen
    for kind in all_kinds():
        if kind.untried and any(send.may(kind.name) for send in trace.sends):
            return kind.untried
    if all(_is_own_call(send) for send in trace.sends):
        return "only the test itself makes calls: see test-calls in the guide"
    if all(send.internal or send.channel == CALL for send in trace.sends):
        return "its calls go wrong without faults: that is what the test is about"
    return "no message with a promise to break: see persistent and at-least-once in the guide"


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
            if not is_quiet(outcome):
                continue
            result = results[nodeid] = _result(nodeid, outcome, places[nodeid])
            store.add_control_runs(code, nodeid, (outcome,))
            document = {**as_document(result), "files": list(result.files)}
            store.add_test(code, nodeid, result.status.value, document)
    return results


def is_quiet(outcome: Outcome) -> bool:
    """Whether the traced pass says all there is of a test: it has ended, and sent nothing."""
    ended = outcome.declined or outcome.verdict is Verdict.PASS
    return ended and outcome.final and not outcome.trace.events


def _result(nodeid: str, outcome: Outcome, location: str) -> TestResult:
    if outcome.declined:
        status, note = Status.NOT_RUN, outcome.reason or outcome.status
    else:
        status = Status.NO_TARGETS
        note = why_no_faults(outcome.trace, (), outcome.reason)
    return TestResult(
        nodeid,
        status,
        location,
        note=note,
        files=outcome.files,
        duration=outcome.duration,
    )


def _is_own_call(send: Send) -> bool:
    """Whether this is a remote call by the test's own code."""
    return send.internal and send.channel == CALL
