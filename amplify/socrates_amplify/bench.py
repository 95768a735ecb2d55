"""The workbench: a project's tests, collected once, and an executor that runs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.config import AmplifySettings
from socrates_amplify.events import Trace
from socrates_amplify.examine import Baseline
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork import ForkExecutor
from socrates_amplify.faults import KINDS, Fault, Scenario
from socrates_amplify.outcomes import Outcome, Verdict
from socrates_amplify.probes.base import Probe
from socrates_amplify.probes.loading import load_probes
from socrates_amplify.results import Status

_RUNS = 2
_LIMIT_FACTOR = 10.0
_LIMIT_LEAST = 5.0


class Bench:
    """Runs the tests of one suite. Close it, or use it in a ``with`` statement."""

    def __init__(self, suite: Suite, kinds: Iterable[str]) -> None:
        self._probes = known_probes(suite.probes)
        self._kinds = tuple(kinds)
        self._executor = ForkExecutor(suite)
        self.warnings: tuple[str, ...] = ()
        try:
            self.tests = tuple(self._executor.collect())
            self.rootdir = self._executor.rootdir
        except BaseException:
            self._executor.close()
            raise

    @classmethod
    def open(
        cls,
        targets: Iterable[str],
        pytest_args: Iterable[str],
        settings: AmplifySettings,
        cwd: Path,
    ) -> Bench:
        """The bench of a project. Raises SocratesError when pytest can't collect."""
        suite = Suite(cwd, tuple(targets), tuple(pytest_args), settings.probes)
        return cls(suite, settings.faults)

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._executor.close()

    def judge(self, nodeid: str, runs: Sequence[Outcome]) -> Baseline:
        """What runs that are already known say."""
        self._executor.learn(nodeid, runs[0].trace)
        return _judged(runs)

    def baseline(self, nodeid: str) -> Baseline:
        """Run the test without faults, twice."""
        runs = [self._executor.run(nodeid, Scenario(), None) for _ in range(_RUNS)]
        return _judged(runs)

    def run(self, nodeid: str, scenario: Scenario, baseline: Baseline) -> Outcome:
        """Run the test once under a scenario, within a limit scaled from the baseline."""
        slowest = max((run.duration for run in baseline.runs), default=0.0)
        limit = max(_LIMIT_LEAST, slowest * _LIMIT_FACTOR)
        return self._executor.run(nodeid, scenario, limit)

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults of the asked kinds that a trace offers."""
        return [fault for probe in self._probes for fault in probe.faults_of(trace, self._kinds)]


def known_kinds() -> tuple[str, ...]:
    """Every kind of fault there is."""
    return KINDS


def known_probes(tables: Mapping[str, Mapping[str, object]]) -> list[Probe]:
    """All probes; a table for one that does not exist is the user's mistake."""
    probes = load_probes()
    names = [probe.name for probe in probes]
    for table in tables:
        if table not in names:
            hint = did_you_mean(table, names) or f"; there is {', '.join(names)}"
            raise SocratesError(f"[tool.socrates.amplify.{table}]: no such probe{hint}")
    return probes


def _judged(runs: Sequence[Outcome]) -> Baseline:
    first, *others = runs
    if first.verdict is not Verdict.PASS:
        failure = first.failure
        return Baseline(
            tuple(runs), Status.FAILING, f"{failure.type}: {failure.message}" if failure else ""
        )
    for other in others:
        if other.verdict is not Verdict.PASS:
            return Baseline(tuple(runs), Status.FLAKY, "passes and fails")
        if {send.target for send in first.trace.sends} != {
            send.target for send in other.trace.sends
        }:
            return Baseline(tuple(runs), Status.FLAKY, "other messages from run to run")
    return Baseline(tuple(runs))
