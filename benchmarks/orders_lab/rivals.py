"""What our search is compared with: the same tests again and again, with delays, and by chance."""

from __future__ import annotations

import itertools
import json
import re
import statistics
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from orders_lab.other_tools import TOOLS
from orders_lab.subjects import FOLDER, Subject, open_runner
from socrates_amplify.exploration.orders.sampling import Sampling
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.probes.orders.probe import UNFORCED
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.suite_runner import SuiteRunner

DELAYS = (0.1, 0.2, 0.3)
BESIDE = 8
"""So many series of delayed runs are under way at once: they do little but sleep."""


def until_failure(
    runner: SuiteRunner, nodeid: str, control: ControlRuns, most: int
) -> tuple[int, float, bool]:
    """Plain runs up to the first that fails: how many, how many seconds, and whether one failed."""
    began = time.monotonic()
    for number in range(1, most + 1):
        if runner.run(nodeid, Scenario(), control).verdict is Verdict.FAIL:
            return number, time.monotonic() - began, True
    return most, time.monotonic() - began, False


def measure_plain(runner: SuiteRunner, subject: Subject, most: int) -> dict[str, object]:
    """Plain runs in a fresh process each."""
    control = runner.control_runs(subject.nodeid)
    runs, seconds, failed = until_failure(runner, subject.nodeid, control, most)
    return {"runs": runs, "seconds": seconds, "failed": failed}


def measure_repeat(python: str, subject: Subject, count: int) -> dict[str, object]:
    """``pytest --count N -x`` of pytest-repeat, all in one process."""
    command = [python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header"]
    chosen = f"{subject.name} and not Repaired"  # node ids of repetitions have numbers in them
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "--count", str(count), subject.nodeid.partition("[")[0], "-k", chosen],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    except subprocess.TimeoutExpired:
        return {"runs": count, "seconds": 300.0, "failed": True}
    if done.returncode not in (0, 1):
        return {"missing": (done.stderr or done.stdout).strip().splitlines()[-1:]}
    counts = {
        word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", done.stdout)
    }
    seconds = time.monotonic() - began
    return {"runs": sum(counts.values()), "seconds": seconds, "failed": "failed" in counts}


def measure_tool(venv: str, tool: str, subject: Subject) -> dict[str, object]:
    """What frontrun or simloom, installed in ``venv``, finds; empty where it does not apply."""
    if not venv or subject.name not in TOOLS[tool][1]:
        return {}
    wrapped = [f"{venv}/bin/frontrun"] if tool == "frontrun" else []
    script = str(Path(__file__).parent / "other_tools.py")
    command = [*wrapped, f"{venv}/bin/python", script, tool, subject.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        return {"missing": done.stderr.strip().splitlines()[-1:]}
    told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return told


def measure_chance(
    runner: SuiteRunner, subject: Subject, most: int, series: int
) -> dict[str, object]:
    """Orders by chance under control: the first that fails, in several series."""
    control = runner.control_runs(subject.nodeid)
    began = time.monotonic()
    trace = runner.run(subject.nodeid, Scenario.of([UNFORCED]), control).trace
    firsts = []
    for number in range(series):
        faults = Sampling(UNFORCED, trace, seed=1000 * number).faults(most)
        runs = (runner.run(subject.nodeid, Scenario.of([fault]), control) for fault in faults)
        failed = (place for place, one in enumerate(runs, 1) if one.verdict is Verdict.FAIL)
        firsts.append(next(failed, 0))
    found = [first for first in firsts if first]
    mean = statistics.mean(first or most for first in firsts)
    seconds = (time.monotonic() - began) / series
    return {"runs": mean, "found": len(found), "series": series, "seconds": seconds}


def measure_delays(
    subjects: list[Subject], series: int, patience: float
) -> Iterator[tuple[Subject, str, dict[str, object]]]:
    """Runs with random delays, as soon as all series of a subject are over: mean runs and seconds to
    the first failure for each greatest delay.

    A series without a failure counts with what it took: the true numbers are greater.
    """
    with ExitStack() as stack:
        with open_runner() as runner:
            # Without delays: a delayed control run may wait for ever, and set no limit to the others.
            controls = {one.name: runner.control_runs(one.nodeid) for one in subjects}
        pool = stack.enter_context(ThreadPoolExecutor(BESIDE))
        runners = {delay: stack.enter_context(open_runner(delay)) for delay in DELAYS}
        asked = {
            (subject, delay): [
                pool.submit(_delayed, runners[delay], subject, controls[subject.name], patience)
                for _ in range(series)
            ]
            for subject in subjects
            for delay in DELAYS
        }
        for (subject, delay), futures in asked.items():
            done = [future.result() for future in futures]
            yield (
                subject,
                f"{delay * 1000:.0f}",
                {
                    "runs": statistics.mean(one[0] for one in done),
                    "seconds": statistics.mean(one[1] for one in done),
                    "found": sum(one[2] for one in done),
                    "series": series,
                },
            )


def _delayed(
    runner: SuiteRunner, subject: Subject, control: ControlRuns, patience: float
) -> tuple[int, float, bool]:
    spent = 0.0
    for number in itertools.count(1):
        began = time.monotonic()
        verdict = runner.run(subject.nodeid, Scenario(), control).verdict
        spent += time.monotonic() - began
        if verdict is Verdict.FAIL or spent > patience:
            return number, spent, verdict is Verdict.FAIL
    raise AssertionError("numbers have no end")
