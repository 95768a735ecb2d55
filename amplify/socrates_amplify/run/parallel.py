"""The tests of one run, as many at once as there are jobs; results go by node id."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates_amplify.executors.cancelling import Cancelled
from socrates_amplify.extensions.failing import PluginFailedError
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.run.control_runs import Prepared
from socrates_amplify.run.examiner import Examiner
from socrates_amplify.run.progress import Progress, Watch
from socrates_amplify.run.scheduling import Step, Workers

T = TypeVar("T")


class Parallel:
    """Examines tests, longest first, as far as their durations are known.

    A test that was never measured is run without faults first; how long that takes is then its
    estimate. With one job there is nothing to gain, and tests are taken in their order. ``fail``
    is told of plugins that failed on a test.
    """

    def __init__(
        self,
        examiner: Examiner,
        workers: Workers,
        progress: Progress,
        estimates: Mapping[str, float],
        fail: Callable[[PluginError], None] = lambda error: None,
    ) -> None:
        self._examiner = examiner
        self._workers = workers
        self._progress = progress
        self._estimates = estimates
        self._fail = fail
        self.results: dict[str, TestResult] = {}
        """What is known by now."""

    def run(self, tests: Mapping[str, str]) -> None:
        """Examine these tests; each node id comes with its location."""
        self._examiner.expect(len(tests))
        self._workers.run([self._first_step(nodeid, place) for nodeid, place in tests.items()])

    def go_on(self) -> None:
        """Search on where a share of the time budget was too little, if any of it is left."""
        unfinished = self._examiner.cut_short
        if unfinished:
            self._examiner.expect(len(unfinished))
            self._workers.run([self._second_step(prepared) for prepared in tuple(unfinished)])

    def _second_step(self, prepared: Prepared) -> Step:
        watch = self._progress.started(prepared.result.nodeid)
        watch.hypothesis = "waiting"
        return Step(0.0, lambda: self._finish(prepared, watch))

    def _first_step(self, nodeid: str, location: str) -> Step:
        estimate = self._estimates.get(nodeid, math.inf)
        if self._workers.jobs == 1 or math.isfinite(estimate):
            alone = self._workers.jobs == 1
            return Step(0.0 if alone else estimate, lambda: self._whole(nodeid, location))
        return Step(math.inf, lambda: self._open(nodeid, location), leads_on=True)

    def _whole(self, nodeid: str, location: str) -> None:
        watch = self._progress.started(nodeid)
        result = self._guarded(
            nodeid, location, lambda: self._examiner.examine(nodeid, location, (watch,))
        )
        self._done(result)

    def _open(self, nodeid: str, location: str) -> Step | None:
        watch = self._progress.started(nodeid)
        prepared = self._guarded(nodeid, location, lambda: self._examiner.prepare(nodeid, location))
        if isinstance(prepared, TestResult):
            self._done(prepared)
            return None
        watch.hypothesis = "waiting"
        return Step(prepared.slowest, lambda: self._finish(prepared, watch))

    def _finish(self, prepared: Prepared, watch: Watch) -> None:
        before = prepared.result
        result = self._guarded(
            before.nodeid, before.location, lambda: self._examiner.search(prepared, (watch,))
        )
        self._done(result)

    def _done(self, result: TestResult) -> None:
        before = self.results.get(result.nodeid)
        self.results[result.nodeid] = result
        found = len(result.defects) - (len(before.defects) if before else 0)
        self._progress.finished(result.nodeid, found, again=before is not None)

    def _guarded(self, nodeid: str, location: str, work: Callable[[], T]) -> T | TestResult:
        """What ``work`` returns. A test that can't be handled is an error and costs no other test."""
        try:
            return work()
        except (SocratesError, Cancelled):
            raise
        except PluginFailedError as failed:
            self._fail(failed.error)
            return TestResult(nodeid, Status.ERROR, location, note=str(failed))
        except Exception as error:
            told = f"internal error: {type(error).__name__}: {error}"
            return TestResult(nodeid, Status.ERROR, location, note=told)
