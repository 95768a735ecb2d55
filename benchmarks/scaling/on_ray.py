"""What Ray adds to an execution, once everything is warm: the same executions here and on a node.

A section of ``scale.py``. Executions through the fork executor and through a local Ray cluster
take turns, so that whatever else the machine does touches both alike.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import plots
from thesis import Report

from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.model.faults import Scenario
from socrates_amplify.run.choose_executor import make_executor

_WARM_UP = 5
_EACH = 40


def study(report: Report, repetitions: int) -> None:
    """Milliseconds of one execution of a short test, by executor, and what Ray adds."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        project = Path(
            shutil.copytree(Path(__file__).parents[1] / "scale_project", f"{folder}/here")
        )
        (project / "test_short.py").write_text("def test_short():\n    assert True\n")
        executors = {
            name: make_executor(name, Suite(project, ("test_short.py",)))
            for name in ("fork", "ray")
        }
        started = time.monotonic()
        executors["ray"].collect()
        report.console.print(f"  a local cluster is ready after {time.monotonic() - started:.1f} s")
        try:
            times = _take_turns(executors, _EACH * repetitions)
        finally:
            for executor in executors.values():
                executor.close()
    rows = [
        (name, len(seconds), f"{_median(seconds):.1f}", f"{_ninth(seconds):.1f}")
        for name, seconds in times.items()
    ]
    head = ("executor", "executions", "median ms", "90 % within ms")
    report.table("one execution, warm", head, rows)
    added = statistics.median(
        ray - fork for fork, ray in zip(times["fork"], times["ray"], strict=True)
    )
    report.console.print(f"  Ray adds {1000 * added:.1f} ms to each execution")
    report.numbers["ray: added to each execution, ms"] = round(1000 * added, 2)
    report.output.mkdir(parents=True, exist_ok=True)
    milliseconds = {name: [1000 * one for one in seconds] for name, seconds in times.items()}
    plots.boxes(report.output / "ray.svg", "One execution, warm", milliseconds, "milliseconds")


def _take_turns(executors: dict[str, Executor], number: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in executors}
    for turn in range(_WARM_UP + number):
        for name, executor in executors.items():
            started = time.perf_counter()
            outcome = executor.run("test_short.py::test_short", Scenario())
            seconds = time.perf_counter() - started
            if outcome.status != "passed":
                raise AssertionError(f"{name}: {outcome.status}")
            if turn >= _WARM_UP:
                times[name].append(seconds)
    return times


def _median(seconds: list[float]) -> float:
    return 1000 * statistics.median(seconds)


def _ninth(seconds: list[float]) -> float:
    return 1000 * statistics.quantiles(seconds, n=10)[-1]
