"""Does a suite that runs through the fork server give the outcomes of plain pytest?

    python benchmarks/pytest_parity.py [--executor fork|subprocess] [--controlled] PROJECT... [-- pytest args]

Each PROJECT is a folder whose tests pytest finds and that can be imported here. Every test runs in
plain pytest and once, without faults and with all probes on, in the executor. The table goes to
standard output, as Markdown, and what differs below it. Exit code 1 when anything differs.
With ``--controlled`` one thread runs at a time, in virtual time, as in a search for orders; below
the table stands which tests could not be controlled, and why.

In plain pytest a test may see what an earlier one left behind, in an execution of ours it never
does. So a test that differs is run in plain pytest once more, alone: if that agrees with us, its
outcome depends on other tests, which is listed but is no difference.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Suite
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.orders import NOT_CONTROLLED
from socrates_amplify.probes.orders.probe import UNFORCED
from socrates_amplify.run.choose_executor import make_executor

Outcomes = Mapping[str, str]
"""The outcome of each test, by node id."""

NO_FAULTS = Scenario()
LIMIT = 300.0
_LOG_VARIABLE = "SOCRATES_PARITY_LOG"
_WORST_FIRST = ("failed", "error", "xfailed", "xpassed", "skipped", "passed")


@dataclass(frozen=True, slots=True)
class Compared:
    """One project. ``different`` and ``dependent`` tell the tests whose outcomes are not equal."""

    plain: Outcomes
    ours: Outcomes
    seconds: tuple[float, float]
    different: tuple[str, ...] = ()
    dependent: tuple[str, ...] = field(default=())
    uncontrolled: tuple[str, ...] = ()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """As a plugin of plain pytest: write each report down at once, a test may end the process."""
    path = os.environ.get(_LOG_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as log:
            log.write(json.dumps([report.nodeid, _outcome(report)]) + "\n")


def _outcome(report: pytest.TestReport) -> str:
    expected = hasattr(report, "wasxfail")
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.skipped:
        return "xfailed" if expected else "skipped"
    return "xpassed" if expected else "passed"


def plain_outcomes(folder: Path, args: Sequence[str] = ()) -> dict[str, str]:
    """What plain pytest says about each test. Of several reports on one test the worst counts."""
    with tempfile.TemporaryDirectory(prefix="parity-") as home:
        log = Path(home) / "log"
        log.touch()
        here = str(Path(__file__).parent)
        path = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_parity", *args]
        environment = {**os.environ, _LOG_VARIABLE: str(log), "PYTHONPATH": path}
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        found: dict[str, set[str]] = {}
        for line in log.read_text(encoding="utf-8").splitlines():
            nodeid, outcome = json.loads(line)
            found.setdefault(nodeid, set()).add(outcome)
    return {
        nodeid: next(outcome for outcome in _WORST_FIRST if outcome in outcomes)
        for nodeid, outcomes in found.items()
    }


def amplified_outcomes(
    folder: Path,
    args: Sequence[str] = (),
    executor: str = "fork",
    scenario: Scenario = NO_FAULTS,
    heard: Callable[[str], None] = lambda reason: None,
) -> dict[str, str]:
    """What the executor says about each test, two of them at a time.

    ``heard`` is told why a run was not controlled.
    """
    opened = make_executor(executor, Suite(folder, pytest_args=tuple(args)))

    def status(nodeid: str) -> str:
        outcome = opened.run(nodeid, scenario, LIMIT)
        why = outcome.reason.partition(f"{NOT_CONTROLLED}: ")[2]
        if why:
            heard(f"{nodeid}: {why}")
        return outcome.status

    try:
        try:
            tests = opened.collect()
        except SocratesError:
            return {}  # then pytest can't collect it either, or everything differs
        with ThreadPoolExecutor(2) as pool:
            return dict(zip(tests, pool.map(status, tests), strict=True))
    finally:
        opened.close()


def compare(
    folder: Path,
    args: Sequence[str] = (),
    executor: str = "fork",
    scenario: Scenario = NO_FAULTS,
) -> Compared:
    """Run a project in both ways."""
    uncontrolled: list[str] = []
    started = time.monotonic()
    plain = plain_outcomes(folder, args)
    between = time.monotonic()
    ours = amplified_outcomes(folder, args, executor, scenario, uncontrolled.append)
    seconds = (between - started, time.monotonic() - between)
    different: list[str] = []
    dependent: list[str] = []
    for nodeid in dict.fromkeys((*plain, *ours)):
        expected, got = plain.get(nodeid, "nothing"), ours.get(nodeid, "nothing")
        if expected == got:
            continue
        alone = plain_outcomes(folder, (*args, nodeid)).get(nodeid, "nothing")
        told = f"{nodeid}: {expected} in pytest, {got} in ours, {alone} in pytest alone"
        (dependent if alone == got else different).append(told)
    found = (tuple(different), tuple(dependent), tuple(uncontrolled))
    return Compared(plain, ours, seconds, *found)


def _row(project: Path, compared: Compared) -> str:
    counts = Counter(compared.plain.values())
    outcomes = ", ".join(
        f"{counts[name]} {name}" for name in reversed(_WORST_FIRST) if counts[name]
    )
    plain, ours = compared.seconds
    return (
        f"| {project.resolve().name} | {len(compared.plain)} | {outcomes} | "
        f"{len(compared.different)} | {len(compared.dependent)} | {plain:.1f} | {ours:.1f} |"
    )


def main(arguments: Sequence[str]) -> int:
    """Compare all projects; 1 when one differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--executor", choices=("fork", "subprocess"), default="fork")
    parser.add_argument("--controlled", action="store_true", help="one thread at a time")
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options, args = parser.parse_args(arguments[:cut]), arguments[cut + 1 :]
    print("| project | tests | outcomes | different | depend on others | pytest s | ours s |")
    print("|---|---|---|---|---|---|---|")
    remarks: list[str] = []
    failed = False
    scenario = Scenario.of([UNFORCED]) if options.controlled else NO_FAULTS
    for project in options.projects:
        compared = compare(project, args, options.executor, scenario)
        print(_row(project, compared), flush=True)
        failed = failed or bool(compared.different)
        remarks += [f"different: {line}" for line in compared.different]
        remarks += [f"not controlled: {line}" for line in compared.uncontrolled]
        remarks += [f"depends on other tests: {line}" for line in compared.dependent]
    print("", *remarks, sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
