"""Order bugs of ``benchmarks/orders``: how soon each is found, how small it is, and how often it repeats.

    python benchmarks/orders.py [--replays 100] [--plain 100] [--chances 50] [-k NAME]

For each subject: failures of so many plain runs, the first of so many runs by chance under control
that fails, executions of the default search to the first failure and in all, faults of the minimal
scenario, and failures of so many replays. A repaired twin has ``-`` wherever nothing may fail.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from socrates_amplify.executors.base import Suite
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.orders.sampling import Sampling
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import DEFAULT_KINDS
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.probes.orders.probe import UNFORCED
from socrates_amplify.run.suite_runner import SuiteRunner

SUBJECTS = Path(__file__).parent / "orders"
ROW = "| {:<16} | {:>10} | {:>9} | {:>8} | {:>6} | {:>6} | {:>10} | {:>6} |"


def measure(runner: SuiteRunner, nodeid: str, plain: int, replays: int, chances: int) -> str:
    """One row of the table."""
    control = runner.control_runs(nodeid)
    began = time.monotonic()
    gateway = Gateway(
        control.trace,
        runner.faults_of(control.trace),
        lambda scenario: runner.run(nodeid, scenario, control),
        faults_of=runner.faults_of,
    )
    found = SocraticExplorer().explore(gateway, ExploreOptions(max_defects=1))
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
    lucky = first_by_chance(runner, nodeid, chances)
    return ROW.format(name, usual, lucky, first, gateway.calls, held, repeated, f"{seconds:.1f}")


def first_by_chance(runner: SuiteRunner, nodeid: str, most: int) -> str:
    """The number of the first run by chance that fails; of ``most`` runs at most."""
    control = runner.control_runs(nodeid)
    trace = runner.run(nodeid, Scenario.of([UNFORCED]), control).trace
    for number, fault in enumerate(Sampling(UNFORCED, trace, seed=0).faults(most), start=1):
        if runner.run(nodeid, Scenario.of([fault]), control).verdict is Verdict.FAIL:
            return str(number)
    return "-"


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
    parser.add_argument("--chances", type=int, default=50)
    parser.add_argument("-k", dest="name", default="", help="only tests with this in their name")
    args = parser.parse_args()
    names = ("plain", "by chance", "to first", "in all", "faults", "replays", "s")
    print(ROW.format("subject", *names))
    with SuiteRunner(Suite(SUBJECTS), DEFAULT_KINDS) as runner:
        for nodeid in runner.tests:
            if args.name in nodeid:
                row = measure(runner, nodeid, args.plain, args.replays, args.chances)
                print(row, flush=True)


if __name__ == "__main__":
    main()
