"""Our search: how soon it finds the bug, how small the scenario is, how often both repeat."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from orders_lab.subjects import Subject
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.orders.baseline import Baseline
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.orders import unforced
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import Exploration, ExploreOptions, Question
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.suite_runner import SuiteRunner


@dataclass(slots=True)
class Stopwatch:
    """Hears every answer: after how many executions and seconds the first one was a failure."""

    began: float = field(default_factory=time.monotonic)
    executions: int = 0
    first: int = 0
    seconds: float = 0.0

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """Nothing is known yet."""

    def answered(self, question: Question, outcome: Outcome) -> None:
        self.executions += not question.cached
        if not self.first and outcome.verdict is Verdict.FAIL:
            self.first, self.seconds = self.executions, time.monotonic() - self.began


@dataclass(frozen=True, slots=True)
class Searched:
    """One search, from the runs without faults on."""

    found: Exploration
    watch: Stopwatch
    calls: int
    unresolved: int
    control: ControlRuns

    @property
    def verdict(self) -> str:
        """What it tells of each defect, which has to be the same every time."""
        told = [
            " + ".join(
                sorted(f"{one.kind} {one.receiver} {one.message}" for one in defect.scenario)
            )
            for defect in self.found.defects
        ]
        return "; ".join(sorted(told)) or "none"


def search(runner: SuiteRunner, nodeid: str, most: int | None = None) -> Searched:
    """The default search; ``most`` defects end it."""
    watch = Stopwatch()
    control = runner.control_runs(nodeid)
    if control.races:
        baseline = Baseline.of(lambda asked, _: runner.run(nodeid, asked, control), unforced())
        control = control.under(baseline, runner.faults_of)
    gateway = Gateway(
        control.trace,
        control.faults or runner.faults_of(control.trace),
        lambda scenario: runner.run(nodeid, scenario, control),
        faults_of=runner.faults_of,
        observers=(watch,),
    )
    found = SocraticExplorer().explore(gateway, ExploreOptions(max_defects=most))
    return Searched(found, watch, gateway.calls, gateway.unresolved, control)


def measure_search(runner: SuiteRunner, subject: Subject, repeats: int) -> dict[str, object]:
    """The bug found, and the twin searched ``repeats`` times at most three."""
    searched = search(runner, subject.nodeid)
    timed = [
        searched,
        *(search(runner, subject.nodeid, most=1) for _ in range(min(repeats, 5) - 1)),
    ]
    twins = [search(runner, subject.twin) for _ in range(min(repeats, 3))]
    defects = searched.found.defects
    everything = [searched, *twins]
    return {
        "first": searched.watch.first,
        "seconds": statistics.mean(one.watch.seconds for one in timed),
        "in_all": searched.calls,
        "faults": min((len(defect.scenario) for defect in defects), default=0),
        "defects": len(defects),
        "twin": twins[0].calls,
        "twin_defects": sum(len(twin.found.defects) for twin in twins),
        "twin_note": twins[0].found.note,
        "unresolved": sum(one.unresolved for one in everything),
        "executions": sum(one.calls for one in everything),
    }


def measure_repeats(
    runner: SuiteRunner, subject: Subject, repeats: int, replays: int
) -> dict[str, object]:
    """The same verdict in so many runs, a quarter of them under load, and failures of replays."""
    usual = search(runner, subject.nodeid, most=1)
    loaded = max(1, repeats // 4)
    verdicts = [search(runner, subject.nodeid, most=1).verdict for _ in range(repeats - loaded)]
    with load():
        verdicts += [search(runner, subject.nodeid, most=1).verdict for _ in range(loaded)]
    same = sum(verdict == usual.verdict for verdict in verdicts)
    failed = 0
    for defect in usual.found.defects[:1]:
        outcomes = (
            runner.run(subject.nodeid, defect.scenario, usual.control) for _ in range(replays)
        )
        failed = sum(outcome.verdict is Verdict.FAIL for outcome in outcomes)
    return {
        "same": same,
        "of": repeats,
        "loaded": loaded,
        "failed": failed,
        "replays": replays,
        "found": bool(usual.found.defects),
    }


@contextmanager
def load(processes: int = 4) -> Iterator[None]:
    """Other processes keep the machine busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
