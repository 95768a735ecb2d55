"""Order bugs of ``benchmarks/orders``: how soon each is found, how small it is, and how often it repeats.

    python benchmarks/order_bugs.py [--replays 100] [--plain 100]

For each subject: failures of so many plain runs, executions under control to the first failure and
in all, messages or operations that are held, and failures of so many replays. For each repaired
twin: executions and defects.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from socrates_amplify.executors.base import Suite
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.orders import SchedulesExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import all_kinds
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.run.suite_runner import SuiteRunner

SUBJECTS = Path(__file__).parent / "orders"
ROW = "{:<18} {:>14} {:>8} {:>8} {:>6} {:>12} {:>8}"


def measure(runner: SuiteRunner, nodeid: str, plain: int, replays: int) -> str:
    """One row of the table."""
    control = runner.control_runs(nodeid)
    began = time.monotonic()
    gateway = Gateway(
        control.trace,
        runner.faults_of(control.trace),
        lambda scenario: runner.run(nodeid, scenario, control),
        faults_of=runner.faults_of,
    )
    found = SchedulesExplorer().explore(gateway, ExploreOptions(max_defects=1))
    seconds = time.monotonic() - began
    answers = [question.answer for question in gateway.questions]
    failing = Verdict.FAIL.value
    first = str(answers.index(failing) + 1) if failing in answers else "-"
    held, repeated = "-", "-"
    if found.defects:
        scenario = found.defects[0].scenario
        held = str(len(scenario))
        repeated = f"{failures(runner, nodeid, scenario, replays)} of {replays}"
    name = nodeid.partition("[")[2].rstrip("]")
    usual = f"{failures(runner, nodeid, Scenario(), plain)} of {plain}"
    return ROW.format(name, usual, first, gateway.calls, held, repeated, f"{seconds:.1f} s")


def failures(runner: SuiteRunner, nodeid: str, scenario: Scenario, runs: int) -> int:
    """How many of so many runs fail."""
    control = runner.control_runs(nodeid)
    outcomes = (runner.run(nodeid, scenario, control) for _ in range(runs))
    return sum(outcome.verdict is Verdict.FAIL for outcome in outcomes)


def main() -> None:
    """Measure all subjects, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--plain", type=int, default=100)
    args = parser.parse_args()
    kinds = [kind.name for kind in all_kinds() if kind.schedules]
    print(
        ROW.format("subject", "plain failures", "to first", "in all", "held", "replays", "search")
    )
    with SuiteRunner(Suite(SUBJECTS), kinds) as runner:
        for nodeid in runner.tests:
            print(measure(runner, nodeid, args.plain, args.replays), flush=True)


if __name__ == "__main__":
    main()
