"""The runs without faults: is the test green, does it repeat itself, is there anything to fault?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Literal, Protocol

from socrates.classes.lazy import dataclass
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.exploration.orders.baseline import Baseline
from socrates_amplify.merge.results import read_test
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import as_ordinary, is_unforced, races, unforced
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import TestResult
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.store.store import Store

ControlStatus = Literal["ok", "failing", "flaky", "no-targets", "not-run"]

_PATIENCE = 600.0
"""Seconds that a run without faults may take before the test counts as hanging."""
_LONGER = 60.0
_FACTOR = 10.0
"""Of a test that has passed in company: so many seconds more than this multiple of what it took."""

FaultsOf = Callable[[Trace], Sequence[Fault]]


@dataclass(frozen=True, slots=True)
class ControlRuns:
    """What the runs without faults said about one test.

    ``trace`` is that of the first run; further runs use its names. ``note`` says what went wrong
    or differed. ``unstable`` are targets whose content differed between runs: their digests say
    nothing about faults. ``slowest`` is the longest run, from which time limits are scaled.
    """

    nodeid: str
    status: ControlStatus
    note: str = ""
    trace: Trace = field(default_factory=Trace)
    faults: tuple[Fault, ...] = ()
    unstable: frozenset[str] = frozenset()
    slowest: float = 0.0
    outcomes: tuple[Outcome, ...] = ()
    baseline: Baseline | None = None
    """The runs under control, of a test that races."""

    @property
    def controlled(self) -> bool:
        """Whether runs under faults are under control, so that no race decides what they say."""
        return self.baseline is not None and self.baseline.passes

    @property
    def races(self) -> bool:
        """Whether accidents of timing could decide what a run says, or its orders are asked for."""
        return any(map(is_unforced, self.faults)) or any(races(one.trace) for one in self.outcomes)

    def under(self, baseline: Baseline, faults_of: FaultsOf) -> ControlRuns:
        """The same with this baseline; where it passes, its trace is the one to compare with."""
        if not baseline.passes:
            return replace(self, baseline=baseline)
        trace = as_ordinary(baseline.outcomes[0].trace)
        orders = [fault for fault in faults_of(self.trace) if is_unforced(fault)]
        offered = [fault for fault in faults_of(trace) if not is_unforced(fault)]
        unlike = self.status in ("flaky", "failing")
        return replace(
            self,
            note=f"without control: {self.note}" if unlike else self.note,
            trace=trace,
            faults=(*offered, *orders),
            slowest=max(self.slowest, *(one.duration for one in baseline.outcomes)),
            baseline=baseline,
        )

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the runs executed; nothing if that is not known of each of them."""
        if not all(run.files for run in self.outcomes):
            return ()
        return tuple(sorted({name for run in self.outcomes for name in run.files}))

    def compared(self, outcome: Outcome) -> Outcome:
        """The outcome of a run under faults; one in which more subtests were skipped says nothing."""
        usual = min(
            (Counter(one.skipped) for one in self.outcomes), key=Counter.total, default=None
        )
        new = list((Counter(outcome.skipped) - (usual or Counter())).elements())
        if outcome.verdict is not Verdict.PASS or not new:
            return outcome
        told = new[0].removeprefix("Skipped: ") or "no reason given"
        reason = f"a subtest was skipped under the fault: {told}"
        return replace(outcome, verdict=Verdict.UNRESOLVED, reason=reason, status="skipped")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A test after its runs without faults. Without ``faults``, ``result`` is all there is to say."""

    result: TestResult
    control: ControlRuns | None = None
    faults: tuple[Fault, ...] = ()
    spent: float = 0.0
    """Seconds that its runs without faults took, processes and all."""

    @property
    def unreliable(self) -> bool:
        """Whether it counts as failing or flaky unless a defect is found.

        Not if it passes under control and its orders are not asked for: its race may be all.
        """
        known = self.control
        if known is None or known.status not in ("flaky", "failing"):
            return False
        return not known.controlled or any(map(is_unforced, self.faults))

    @property
    def slowest(self) -> float:
        """How long one run of the test takes."""
        return self.control.slowest if self.control and self.faults else 0.0


def kept_result(store: Store, code: str, nodeid: str) -> TestResult | None:
    """What a run that is gone on with found out about a test; None where it did not come to it."""
    kept = store.kept(code, nodeid)
    known = None if kept is None else read_test(kept.document)
    return None if known is None else replace(known, reused=True)


class TestRunner(Protocol):
    """Where tests are run. ``socrates_amplify.run.suite_runner`` makes one from a project."""

    def control_runs(
        self, nodeid: str, known: Sequence[Outcome] = (), seen: Outcome | None = None
    ) -> ControlRuns:
        """What the runs without faults say; ``known`` are runs that need not be made again.

        ``seen`` is what the traced pass says of the test; see ``run_controls``.
        """

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        control: ControlRuns,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run the test once under a scenario, within a limit scaled from the control."""

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults of the asked kinds that a trace offers."""


class KeptControls:
    """The runs without faults of all tests. What the store knows is not run again."""

    def __init__(self, runner: TestRunner, store: Store, code: str) -> None:
        self._runner = runner
        self._store = store
        self._code = code

    def kept(self, nodeid: str) -> Sequence[Outcome]:
        """The runs in the store. One run in company is enough for some tests only."""
        kept = self._store.control_runs(self._code, nodeid)
        return () if len(kept) == 1 and self._leads_on(kept[0]) else kept

    def told(self, control: ControlRuns) -> str:
        """The note on the runs; the one of the run that is gone on with, where that said more of the same."""
        before = kept_result(self._store, self._code, control.nodeid)
        more = before is not None and before.note.endswith(f": {control.note}")
        return before.note if before is not None and more else control.note

    def of(self, nodeid: str, seen: Outcome | None) -> ControlRuns:
        """The runs of a test; ``seen`` is what the traced pass says of it."""
        kept = self.kept(nodeid)
        enough = seen is not None and not self._leads_on(seen)
        known = [seen] if seen and enough else kept
        control = self._runner.control_runs(nodeid, known, seen)
        if not kept and all(outcome.final for outcome in control.outcomes):
            self._store.add_control_runs(self._code, nodeid, control.outcomes)
        return control

    def under_control(self, control: ControlRuns) -> ControlRuns:
        """The same, and the baseline under control; a search that began without goes on without."""
        begun = self._store.known(self._code, control.nodeid)
        if begun and Scenario.of([unforced()]).key not in begun:
            return control

        def ask(scenario: Scenario, hypothesis: str) -> Outcome:
            known = self._store.outcome(self._code, control.nodeid, scenario)
            if known is not None:
                return known
            outcome = self._runner.run(control.nodeid, scenario, control)
            self._store.add_outcome(self._code, control.nodeid, outcome)
            return outcome

        return control.under(Baseline.of(ask, unforced()), self._runner.faults_of)

    def _leads_on(self, outcome: Outcome) -> bool:
        """Whether a run in company calls for runs of the test by itself.

        It does when anything was sent, whether or not it offers a fault here: a worker in a process
        of its own may not have told yet that it handled it.
        """
        if outcome.verdict is not Verdict.PASS:
            return True
        sent = any(not send.internal for send in outcome.trace.sends)
        return not outcome.declined and (sent or bool(self._runner.faults_of(outcome.trace)))


class Runs(Protocol):
    """What runs a test by itself: an executor, or what stands in for one."""

    def run(self, nodeid: str, scenario: Scenario, limit: float | None = None) -> Outcome:
        """See ``Executor.run``."""


class Remembered:
    """In the place of what runs a test: its runs have all happened, and it answers with what was kept."""

    def __init__(self, runs: Sequence[Outcome]) -> None:
        self._runs = iter(runs)

    def run(self, nodeid: str, scenario: Scenario, limit: float | None = None) -> Outcome:
        """The next of the runs."""
        return next(self._runs)


def run_controls(
    executor: Runs,
    nodeid: str,
    faults_of: FaultsOf,
    runs: int = 2,
    seen: Outcome | None = None,
) -> ControlRuns:
    """Run a test ``runs`` times without faults, fewer only when the first says that it can't go on.

    A different interleaving of the same messages is no difference; a message more or less is.
    Of a test that failed in company, as ``seen``, one run that fails as well is enough; one that
    passed there hangs by chance if it takes many times as long.
    """
    failed_before = seen is not None and seen.verdict is not Verdict.PASS
    limit = _PATIENCE
    if seen is not None and not failed_before:
        limit = min(_PATIENCE, _LONGER + _FACTOR * seen.duration)
    outcomes: list[Outcome] = []
    for _ in range(max(runs, 1)):
        outcomes.append(executor.run(nodeid, Scenario(), limit))
        again = failed_before and outcomes[0].verdict is not Verdict.PASS
        if outcomes[0].declined or again:
            break
    return judge(nodeid, outcomes, faults_of)


def judge(nodeid: str, outcomes: Sequence[Outcome], faults_of: FaultsOf) -> ControlRuns:
    """What finished runs without faults say; the first one's names were known to the others."""
    status, note = _judge(outcomes, faults_of)
    first = outcomes[0].trace
    return ControlRuns(
        nodeid=nodeid,
        status=status,
        note=note,
        trace=first,
        faults=tuple(faults_of(first)) if status in ("ok", "flaky") else (),
        unstable=_unstable([outcome.trace for outcome in outcomes]),
        slowest=max(outcome.duration for outcome in outcomes),
        outcomes=tuple(outcomes),
    )


def _judge(outcomes: Sequence[Outcome], faults_of: FaultsOf) -> tuple[ControlStatus, str]:
    first = outcomes[0]
    if first.declined:
        return "not-run", first.reason or first.status
    for number, other in enumerate(outcomes[1:], start=2):
        if other.status != first.status:
            return "flaky", f"run 1 {_told(first)}, run {number} {_told(other)}"
    if first.verdict is not Verdict.PASS:
        return "failing", _told(first)
    for number, other in enumerate(outcomes[1:], start=2):
        difference = _difference(first.trace, other.trace, faults_of, number)
        if difference:
            return "flaky", difference
    return ("ok", "") if faults_of(first.trace) else ("no-targets", "no message can be faulted")


def _told(outcome: Outcome) -> str:
    if outcome.failure is None:
        return outcome.status
    failure = outcome.failure
    return f"{outcome.status}: {failure.type}: {failure.told} ({failure.location})"


def _difference(one: Trace, two: Trace, faults_of: FaultsOf, number: int) -> str:
    """What one run had and the other had not; empty when they had the same targets.

    A message that was sent in both, but handled in one only, was overtaken by the test's end: that
    is interleaving.
    """
    before, after = _targets(one, faults_of), _targets(two, faults_of)
    sent_before, sent_after = ({send.target for send in trace.sends} for trace in (one, two))
    gone = [before[target] for target in before if target not in sent_after]
    new = [after[target] for target in after if target not in sent_before]
    parts = []
    if gone:
        parts.append(f"only in run 1: {_listed(gone)}")
    if new:
        parts.append(f"only in run {number}: {_listed(new)}")
    return "; ".join(parts)


def _targets(trace: Trace, faults_of: FaultsOf) -> dict[str, Send]:
    """The messages that can be faulted. Which ones can overtake each other is interleaving."""
    faults = faults_of(trace)
    kept = {fault.target for fault in faults if not kind_of(fault.kind).changes_order}
    anything = any(kind_of(fault.kind).changes_order for fault in faults)
    return {
        send.target: send
        for send in trace.sends
        if send.target in kept or (anything and not send.internal)
    }


def _listed(sends: Sequence[Send]) -> str:
    shown = [f"{send.sender} -> {send.receiver} {send.message}" for send in sends[:3]]
    more = f" and {len(sends) - 3} more" if len(sends) > 3 else ""
    return ", ".join(shown) + more


def _unstable(traces: Sequence[Trace]) -> frozenset[str]:
    seen: dict[str, str] = {}
    unstable: set[str] = set()
    for trace in traces:
        for send in trace.sends:
            if seen.setdefault(send.target, send.digest) != send.digest:
                unstable.add(send.target)
    return frozenset(unstable)
