"""An executor for suites with circumstances: one warm executor per environment.

A module often reads environment variables while it is imported, and the interpreter reads the hash
seed when it starts, so the environment of a process can't be changed afterwards.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Heard, Suite
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.settings.circumstances import TABLE, chosen
from socrates_amplify.settings.circumstances_table import environment, read_table

_WARM = 12
"""How many environments stay warm: a search uses a few of them again and again."""

_Key = frozenset[tuple[str, str | None]]


@dataclass(slots=True)
class _Warm:
    """One executor, how many runs use it now, and the tests whose traces it has learned."""

    executor: Executor
    users: int = 0
    taught: set[str] = field(default_factory=set)


class CircumstancesExecutor:
    """Runs each scenario in a process whose environment was right before it started.

    A suite that can't be collected under general circumstances fails under them.
    """

    def __init__(self, suite: Suite, make: Callable[[Suite], Executor]) -> None:
        self._suite = suite
        self._make = make
        self._table = suite.probes[TABLE]
        self._lock = threading.Lock()
        self._warm: dict[_Key, _Warm] = {}
        self._traces: dict[str, Trace] = {}
        self._plain = _key(environment(self._table, Scenario()))
        self._first = make(self._in(self._plain))

    def collect(self) -> list[str]:
        """The node ids under simple circumstances, in pytest's order."""
        return self._first.collect()

    @property
    def rootdir(self) -> Path:
        """pytest's root directory: locations and node ids are relative to it."""
        return self._first.rootdir

    @property
    def unfit(self) -> str:
        """Why this executor can't serve the suite, or empty."""
        return self._first.unfit

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario; see ``Executor.run``."""
        key = _key(environment(self._table, scenario))
        if key == self._plain:
            outcome = self._first.run(nodeid, scenario, limit, ticket, rounds)
            if not scenario.faults and outcome.verdict is Verdict.PASS:
                self._traces.setdefault(nodeid, outcome.trace)
            return outcome
        with self._using(key) as warm:
            try:
                tests = warm.executor.collect()
            except SocratesError as error:
                return self._broken(nodeid, scenario, str(error))
            if nodeid not in tests:
                return self._broken(nodeid, scenario, "the test is not collected")
            if nodeid in self._traces and nodeid not in warm.taught:
                warm.taught.add(nodeid)
                warm.executor.learn(nodeid, self._traces[nodeid])
            return warm.executor.run(nodeid, scenario, limit, ticket, rounds)

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Run these tests once under simple circumstances; see ``Executor.run_together``."""
        return self._first.run_together(nodeids, heard, limit, ticket)

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test."""
        self._traces[nodeid] = trace
        self._first.learn(nodeid, trace)

    def close(self) -> None:
        """End all processes and remove temporary files."""
        with self._lock:
            executors = [warm.executor for warm in self._warm.values()]
            self._warm.clear()
        for executor in (self._first, *executors):
            executor.close()

    def _in(self, key: _Key) -> Suite:
        return replace(self._suite, environment={**self._suite.environment, **dict(key)})

    @contextlib.contextmanager
    def _using(self, key: _Key) -> Iterator[_Warm]:
        """The executor of this environment. Of the executors without a run, the oldest are closed."""
        with self._lock:
            warm = self._warm.pop(key, None) or _Warm(self._make(self._in(key)))
            self._warm[key] = warm
            warm.users += 1
            idle = [old for old, other in self._warm.items() if not other.users]
            gone = [self._warm.pop(old) for old in idle[: max(0, len(self._warm) - _WARM)]]
        for other in gone:
            other.executor.close()
        try:
            yield warm
        finally:
            with self._lock:
                warm.users -= 1

    def _broken(self, nodeid: str, scenario: Scenario, why: str) -> Outcome:
        general = chosen(read_table(self._table), scenario).values()
        return Outcome(
            scenario,
            Verdict.FAIL,
            Failure("CollectionError", why, nodeid.partition("::")[0]),
            trace=Trace(tuple(Injected(fault.target, fault.kind) for fault in general)),
            status="error",
        )


def _key(variables: dict[str, str | None]) -> _Key:
    return frozenset(variables.items())
