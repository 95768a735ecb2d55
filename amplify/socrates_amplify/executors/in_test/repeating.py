"""An execution of several runs in one process: does the code under test recover from faults?

A circuit breaker opens after some failures and must close again. So the test is run as often as
asked under the same faults, then without any, in one process: what the code under test keeps in
its modules, and fixtures of a scope above the test's own, live on from run to run. Where only the
aftermath of a failing run is asked for, fixtures are made anew.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterable
from dataclasses import replace
from types import FrameType

import pytest

from socrates_amplify.executors.in_test.execution import Execution
from socrates_amplify.executors.in_test.once import without_reruns
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import Extensions
from socrates_amplify.faults import was_applied
from socrates_amplify.model.events import Injected
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import NOT_RECOVERED, NOT_REPEATABLE
from socrates_amplify.originals import Clock

_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
"""Seconds between two tries to recover; each pause is twice as long as the one before."""


class Repeated:
    """Runs one item several times and tells one outcome.

    It fails when a run under faults does, and when the test does not pass without faults after
    them. A fault is applied if it was in any of the runs: an open breaker makes calls vanish.
    """

    def __init__(self, item: pytest.Item, request: Request) -> None:
        self._item = item
        self._request = request
        self._now = Execution(item, request)
        self._started = Clock.now()

    def run(self, extensions: Extensions) -> Outcome:
        """Run under the scenario as often as asked, then until the test has recovered."""
        self._started = Clock.now()
        try:
            return self._rounds(extensions)
        finally:
            # A failing teardown of wider fixtures shows in single runs too; here it would hide the outcome.
            with contextlib.suppress(Exception):
                self._item.session._setupstate.teardown_exact(None)

    def _rounds(self, extensions: Extensions) -> Outcome:
        asked, runs = self._request.scenario, self._request.rounds.repeat
        first = outcome = self._once(self._request, extensions)
        applied = self._applied(first)
        for number in range(2, runs + 1):
            if outcome.failure is not None or outcome.declined:
                break
            outcome = self._once(self._request, extensions, applied)
            applied |= self._applied(outcome)
            if outcome.failure is not None:
                return self._told(outcome, _in_run(number, runs, outcome.failure, asked))
        if outcome.declined:
            return replace(outcome, duration=self._duration)
        if self._request.rounds.aftermath:
            return self._aftermath(first, applied, extensions)
        if first.failure is not None or applied != asked.faults:
            return replace(first, duration=self._duration)
        last = self._recover(extensions)
        if last.declined:
            return self._declined_after(first, last)
        return self._told(first, _unrecovered(last.failure, self._request))

    def _aftermath(
        self, first: Outcome, applied: frozenset[Fault], extensions: Extensions
    ) -> Outcome:
        """What the test says without faults after a run that failed; the evidence is of the last run."""
        asked = self._request.scenario.faults
        if applied != asked or (asked and first.failure is None):
            return replace(first, duration=self._duration)
        last = self._recover(extensions)
        if last.failure is None or last.status != "failed":
            return replace(first, duration=self._duration)
        told = self._told(first, _unrecovered(last.failure, self._request))
        return replace(told, evidence=last.evidence)

    def interrupted(self, frame: FrameType | None, limit: float) -> Outcome:
        """The outcome of a test that is still running when its time is over."""
        outcome = self._now.interrupted(frame, limit)
        return replace(outcome, scenario=self._request.scenario)

    def _once(
        self,
        request: Request,
        extensions: Extensions,
        before: Iterable[Fault] = (),
    ) -> Outcome:
        self._now = Execution(self._item, request)
        for fault in before:
            # The service is still down, though an open breaker makes no more calls that show it.
            was_applied(fault)
        # Named as the next test, a copy keeps fixtures of modules and sessions alive. What such a fixture
        # fetched under a fault is the suite's to keep: it says nothing of how production code recovers.
        following = None if self._request.rounds.aftermath else copy.copy(self._item)
        return self._now.run(extensions, following)

    def _applied(self, outcome: Outcome) -> frozenset[Fault]:
        done = {(e.target, e.kind) for e in outcome.trace.events if isinstance(e, Injected)}
        faults = self._request.scenario.faults
        return frozenset(fault for fault in faults if (fault.target, fault.kind) in done)

    def _recover(self, extensions: Extensions) -> Outcome:
        """Run without faults until the test passes or time is over; the last run's outcome."""
        request = replace(self._request, scenario=Scenario())
        deadline = Clock.now() + self._request.rounds.recovery
        pause = _PAUSE
        while True:
            outcome = self._once(request, extensions)
            left = deadline - Clock.now()
            if outcome.failure is None or left <= 0:
                return outcome
            Clock.wait(min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _declined_after(self, first: Outcome, last: Outcome) -> Outcome:
        """The outcome of a test that skips itself once the faults are gone: nothing is known."""
        return replace(
            first,
            verdict=Verdict.UNRESOLVED if self._request.scenario.faults else Verdict.PASS,
            reason=f"{last.status} in a further run without faults: {last.reason}",
            duration=self._duration,
            status=last.status,
        )

    def _told(self, outcome: Outcome, failure: Failure | None) -> Outcome:
        if failure is None:
            return replace(outcome, verdict=Verdict.PASS, reason="", duration=self._duration)
        return replace(
            outcome,
            verdict=Verdict.FAIL,
            failure=failure,
            duration=self._duration,
            status="failed",
        )

    @property
    def _duration(self) -> float:
        return Clock.now() - self._started


def execution_of(item: pytest.Item, request: Request) -> Execution | Repeated:
    """What runs this request: one run of the test, or several."""
    without_reruns(item.config)
    return Repeated(item, request) if request.rounds.several else Execution(item, request)


def _in_run(number: int, runs: int, failure: Failure, scenario: Scenario) -> Failure:
    """A failure with the number of its run."""
    told = f"in run {number} of {runs} in one process: {failure.type}: {failure.message}"
    if not scenario.faults:
        return replace(failure, type=NOT_REPEATABLE, message=f"passes once, but fails {told}")
    return replace(failure, message=told)


def _unrecovered(failure: Failure | None, request: Request) -> Failure | None:
    if failure is None:
        return None
    runs, within = request.rounds.repeat, request.rounds.recovery
    cause = f"{failure.type}: {failure.message}"
    if not request.scenario.faults:
        told = f"passes, but not {runs + 1} times in one process: {cause}"
        return replace(failure, type=NOT_REPEATABLE, message=told)
    often = "one run" if runs == 1 else f"{runs} runs"
    told = f"after {often} under faults it fails without any, for {within:g} s: {cause}"
    return replace(failure, type=NOT_RECOVERED, message=told)
