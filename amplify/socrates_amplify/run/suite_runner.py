"""A project's tests, collected once, and the executor that runs them."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates.plugins import iter_errors
from socrates.spelling import did_you_mean
from socrates_amplify.executors.base import Executor, Heard, Suite
from socrates_amplify.executors.cancelling import Ticket, called_at
from socrates_amplify.executors.clocks import Clocks, Given, is_hang
from socrates_amplify.executors.stopping import Stoppable
from socrates_amplify.exploration.traces.error_replies import spared
from socrates_amplify.exploration.traces.moved_hosts import as_in
from socrates_amplify.extensions.collect import Extensions, installed
from socrates_amplify.extensions.own import OWN
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import (
    CIRCUMSTANCE,
    DEFAULT_KINDS,
    all_kinds,
    all_names,
    default_names,
)
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.probes.base import Probe
from socrates_amplify.run.choose_executor import make_executor
from socrates_amplify.run.circumstances import Circumstances
from socrates_amplify.settings.circumstances import TABLE
from socrates_amplify.settings.jobs import usable_cores

if TYPE_CHECKING:
    from socrates_amplify.run.control_runs import ControlRuns

NO_FAULTS = Scenario()
_FACTOR = 10.0
_LEAST = {"fork": 5.0, "subprocess": 30.0, "ray": 5.0}
"""Seconds that an execution may take beside its multiple of the slowest control run. In a fresh
process the clock runs while pytest starts."""


_LOOKS = 3
"""So many tests that fail in a fork are tried in a fresh process."""
_PATIENCE_ALONE = 120.0
_DISTURBED = (
    "passes in a fresh process and fails in a fork of one: each execution is a fresh process from "
    "here on; what a session of pytest removes at its end may be what the next fork needs"
)
_PATIENCE_TOGETHER = 120.0
"""Seconds for each test of many in one process. One that takes longer is run by itself."""


class SuiteRunner:
    """Runs the tests of one suite. Close it, or use it in a ``with`` statement.

    ``kinds`` None stands for every kind there is. ``jobs`` may be ``AUTO``. Without ``executor``
    forks are tried first; where they can't serve the suite, each execution is a fresh process, and
    ``warnings`` says why. ``spares_errors`` leaves calls that go wrong without faults as they are.
    """

    def __init__(
        self,
        suite: Suite,
        kinds: Iterable[str] | None,
        executor: str | None = None,
        jobs: int = 1,
        extensions: Extensions | None = None,
        *,
        spares_errors: bool = True,
    ) -> None:
        self._spares_errors = spares_errors
        self._extensions = extensions or installed()
        self._notices: dict[Notice, None] = {}
        self._probes = known_probes(suite.probes, self._extensions)
        self._kinds = all_names() if kinds is None else tuple(kinds)
        self._usual = self._kinds == DEFAULT_KINDS
        self.circumstances = Circumstances(suite.probes.get(TABLE, {}))
        self.circumstances.check()
        self._warnings = [*what_to_know(self._probes, bool(self.circumstances.declared))]
        name = executor or ("fork" if hasattr(os, "fork") else "subprocess")
        made = make_executor(name, suite)
        self._executor = Stoppable(made)
        try:
            self.tests = tuple(self._executor.collect())
            # The executor for clusters says which nodes it does not use.
            self._warnings += getattr(made, "warnings", ())
            if self._executor.unfit and executor is None:
                self._warnings.append(f"{self._executor.unfit}; each execution is a fresh process")
                self._executor.close()
                name = "subprocess"
                self._executor = Stoppable(make_executor(name, suite))
                self.tests = tuple(self._executor.collect())
            self.rootdir = self._executor.rootdir
            for probe in self._probes:
                probe.prepare(str(self.rootdir), suite.probes.get(probe.name, {}))
        except BaseException:
            self._executor.close()
            raise
        self._suite = suite
        self._lock = threading.Lock()
        self._retired: list[Stoppable] = []
        self._clocks = Clocks(self._run, self._left)
        self._may_change = _LOOKS if name == "fork" and executor is None else 0
        self._least = _LEAST[name]
        self._until = suite.until
        self._repeat = suite.rounds.repeat
        self._recovery = suite.rounds.recovery if suite.rounds.several else 0.0
        # Jobs on a cluster wait until a node has a processor for them.
        cores = usable_cores()
        self.jobs = jobs or getattr(made, "processors", cores)
        """How many executions may be under way at once."""
        self._crowd = 1.0 if name == "ray" else max(1.0, self.jobs / cores)

    def __enter__(self) -> SuiteRunner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for executor in (self._executor, *self._retired):
            executor.close()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know, of the suite and of its runs so far."""
        return (*self._warnings, *self.heard)

    @property
    def heard(self) -> tuple[str, ...]:
        """What processes of tests have warned of so far: libraries that could not be patched."""
        return tuple(one.message for one in tuple(self._notices) if one.failure is None)

    @property
    def failures(self) -> tuple[PluginError, ...]:
        """The plugins that have failed so far, here and in the processes of tests."""
        heard = (notice.failure for notice in tuple(self._notices))
        return tuple(iter_errors(self._extensions.failures, filter(None, heard)))

    def control_runs(
        self, nodeid: str, known: Sequence[Outcome] = (), seen: Outcome | None = None
    ) -> ControlRuns:
        """What the runs without faults say; see ``TestRunner``."""
        from socrates_amplify.run.control_runs import Remembered, run_controls  # most have none

        if known:
            self._executor.learn(nodeid, known[0].trace)
            control = run_controls(Remembered(known), nodeid, self.faults_of, runs=len(known))
        else:
            control = self._alone(nodeid, seen)
            passed_before = seen is None or seen.verdict is Verdict.PASS
            surely = control.status == "failing" and passed_before and not _by_chance(control)
            if surely and self._passes_afresh(nodeid):
                control = self._alone(nodeid, seen)
        for outcome in control.outcomes:
            self._notices.update(dict.fromkeys(outcome.notices))
        return control

    def _alone(self, nodeid: str, seen: Outcome | None) -> ControlRuns:
        from socrates_amplify.run.control_runs import run_controls  # most tests have none

        alone = _UntilDeadline(self._executor, self._until)
        return run_controls(alone, nodeid, self.faults_of, seen=seen)

    def _passes_afresh(self, nodeid: str) -> bool:
        """Whether a test that fails in each fork passes in a fresh process; all go on there, then.

        Each fork ends a session of its own: what that removes, the forks after it miss.
        """
        with self._lock:
            if self._may_change <= 0:
                return False
            self._may_change -= 1
            fresh = Stoppable(make_executor("subprocess", self._suite))
            try:
                fresh.collect()
                outcomes = [
                    _UntilDeadline(executor, self._until).run(nodeid, NO_FAULTS, _PATIENCE_ALONE)
                    for executor in (fresh, self._executor)
                ]
            except BaseException:
                fresh.close()
                raise
            if [outcome.verdict for outcome in outcomes] != [Verdict.PASS, Verdict.FAIL]:
                fresh.close()
                return False
            self._retired.append(self._executor)
            self._executor, self._may_change = fresh, 0
            self._least = _LEAST["subprocess"]
            self._warnings.append(f"{nodeid} {_DISTURBED}")
            return True

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        control: ControlRuns,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run the test once under a scenario, within a limit scaled from the control.

        See ``Clocks`` for when that is in virtual time. Raises ``Cancelled`` when the ticket, or the whole runner by ``stop``,
        was cancelled, or the time budget is spent before the run has ended.
        """
        known = control.baseline.answer(scenario) if control.baseline else None
        if known is not None and rounds is None:
            return known
        limit = self.limit(control, scenario)
        if rounds is not None:
            limit = 2 * limit + rounds.recovery
        given = Given(nodeid, scenario, limit, ticket, rounds)
        usual = control.slowest + self._takes(scenario, control)
        return self._clocks.run(given, races=control.controlled, usual=usual)

    def _run(self, given: Given) -> Outcome:
        ticket = given.ticket or Ticket()
        with called_at(self._until, ticket.cancel):
            outcome = self._executor.run(
                given.nodeid, given.scenario, given.limit, ticket, given.rounds
            )
        self._notices.update(dict.fromkeys(outcome.notices))
        return outcome

    def _left(self) -> float:
        """How many seconds of the time budget are left."""
        return math.inf if self._until is None else self._until - time.monotonic()

    def limit(self, control: ControlRuns, scenario: Scenario = NO_FAULTS) -> float:
        """Seconds for one execution. With more jobs than cores every test is slower, and the
        control may have run alone. What faults take by themselves comes on top."""
        alone = self._recovery + self._repeat * self._takes(scenario, control)
        return alone + self._crowd * (self._least + _FACTOR * control.slowest)

    def _takes(self, scenario: Scenario, control: ControlRuns) -> float:
        """How long the faults take by themselves."""
        return sum(probe.takes(scenario, control.trace) for probe in self._probes)

    def run_together(self, nodeids: Sequence[str], heard: Heard, ticket: Ticket) -> bool:
        """Run these tests once without faults, in one process; see ``Executor.run_together``."""

        def heard_with_notices(nodeid: str, outcome: Outcome) -> None:
            self._notices.update(dict.fromkeys(outcome.notices))
            heard(nodeid, outcome)

        patience = _PATIENCE_TOGETHER
        return self._executor.run_together(nodeids, heard_with_notices, patience, ticket)

    def stop(self) -> None:
        """Cancel all that runs, and all that would run later."""
        for executor in (self._executor, *self._retired):
            executor.stop()

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults of the asked kinds that a trace offers, each once."""
        offered: dict[Fault, None] = {}
        for probe in self._probes:
            kinds = default_names(probe.channel) if self._usual else self._kinds
            offered.update(dict.fromkeys(probe.faults_of(trace, kinds)))
        if CIRCUMSTANCE in self._kinds:
            around = self.circumstances.faults_of(trace, lambda: self._reorderings(trace))
            offered.update(dict.fromkeys(around))
        return spared(offered, trace) if self._spares_errors else list(offered)

    def _reorderings(self, trace: Trace) -> list[Fault]:
        swaps = [kind.name for kind in all_kinds() if kind.swaps]
        return [fault for probe in self._probes for fault in probe.faults_of(trace, swaps)]


def _by_chance(control: ControlRuns) -> bool:
    """Whether accidents of timing may be why a test fails: it races, or did not end."""
    return control.races or any(map(is_hang, control.outcomes))


class _UntilDeadline:
    """An executor whose runs are cancelled when the time budget is spent."""

    def __init__(self, executor: Executor, until: float | None) -> None:
        self._executor = executor
        self._until = until

    def run(self, nodeid: str, scenario: Scenario, limit: float | None = None) -> Outcome:
        """Run the test. Raises ``Cancelled`` at the deadline."""
        ticket = Ticket()
        with called_at(self._until, ticket.cancel):
            return self._executor.run(nodeid, scenario, limit, ticket)


def known_probes(
    tables: Mapping[str, Mapping[str, object]], extensions: Extensions
) -> Sequence[Probe]:
    """All probes; a table for one that does not exist is the user's mistake."""
    names = [probe.name for probe in extensions.probes]
    for table in tables:
        if table not in names:
            hint = did_you_mean(table, names) or f"; there is {', '.join(names)}"
            raise SocratesError(
                f"[tool.socrates.amplify.{table}]: no such probe{extensions.hint or hint}"
            )
    return extensions.probes


def what_to_know(probes: Sequence[Probe], around: bool) -> Iterator[str]:
    """What probes say of themselves; and without any framework that one knows, that there is none."""
    told = [warning for probe in probes for warning in probe.warnings()]
    yield from told
    if told:
        return  # a framework is there, in a version that is not known
    always = [name for name, own in OWN.items() if not own.modules]
    frameworks = [probe for probe in probes if probe.name not in always]
    if not around and not any(probe.available() for probe in frameworks):
        names = ", ".join(probe.name for probe in frameworks)
        yield (
            f"no framework that can be faulted is installed here ({names}); "
            "only orders of threads and of asyncio's tasks can be asked for"
        )


def run_once(
    suite: Suite, nodeid: str, scenario: Scenario, kinds: Iterable[str] | None = None
) -> Outcome:
    """One test under one scenario, after a control that says how long it may take.

    Raises SocratesError when the test can't be collected, or fails without any fault.
    """
    with SuiteRunner(suite, kinds) as runner:
        if nodeid not in runner.tests:
            raise SocratesError(f"{nodeid}: no such test in {runner.rootdir}; was it renamed?")
        control = runner.control_runs(nodeid)
        if control.status == "failing":
            raise SocratesError(f"{nodeid} fails without any fault: {control.note}")
        return runner.run(nodeid, as_in(scenario, control.trace), control)
