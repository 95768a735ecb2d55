"""What more workers save: tests side by side, and executions ahead of one search.

    python benchmarks/scale.py --quick        each measurement once, some minutes
    python benchmarks/scale.py --full         five times, the medians count

Ratios are taken within one run of this program, one job right after the other, because machines
differ and are never quite alone. The tests of ``scale_project`` mostly wait, as tests of systems
that talk to each other do; a second measurement keeps the cores busy instead. Prints tables,
writes plots (SVG) and numbers (JSON) below ``--output``, and exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import plots
from chaokka.systems import thesis_specs
from rich.console import Console
from scaling import simulated
from thesis import Report

HERE = Path(__file__).parent
WORKERS = (1, 2, 4, 6, 8, 16, 32, 64)
MOST_UPDATES = 150
"""Of a simulated system: looking 64 executions ahead of a search in a large one takes long."""
SUITE = ("test_office.py::test_totals",)
SEARCH = ("test_office.py::test_long_search",)
DEFECT = ("test_office.py::test_long_search_with_a_defect", "--explorer", "dd")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="everything once (the default)")
    size.add_argument("--full", action="store_true", help="everything five times")
    parser.add_argument("--only", choices=list(STUDIES), action="append", help="some studies only")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/scale"))
    options = parser.parse_args(arguments)
    report = Report(Console(width=120), options.output)
    for name in options.only or STUDIES:
        STUDIES[name](report, 5 if options.full else 1)
        report.write()
    for missed in report.missed:
        report.console.print(f"[red]target missed: {missed}[/]")
    return 1 if report.missed else 0


def study_suite(report: Report, repetitions: int) -> None:
    """Twenty tests, one job and two."""
    for work in ("wait", "compute"):
        times = _measure(SUITE, (1, 2), work, repetitions)
        _tell(report, f"20 tests that {work}", times, 0.6)


def study_search(report: Report, repetitions: int) -> None:
    """One test with a long search, one job and more: only speculation can help."""
    for work in ("wait", "compute"):
        times = _measure(SEARCH, (1, 2), work, repetitions)
        _tell(report, f"one long search, executions {work}", times, 0.7)
    times = _measure(DEFECT, (1, 2, 4), "wait", repetitions)
    _tell(report, "one defect by delta debugging, executions wait", times)


def study_simulated(report: Report, repetitions: int) -> None:
    """Virtual time: the curve, and table 4, beside those of Zhou et al."""
    small = [spec for spec in thesis_specs() if spec.updates <= MOST_UPDATES]
    specs = small[:3] if repetitions == 1 else small
    lines: dict[str, Sequence[tuple[float, float]]] = dict(simulated.PAPER_FIGURE_3)
    rows: list[tuple[object, ...]] = []
    for name in simulated.SEARCHES:
        points = []
        for workers, share, searches in simulated.curve(specs, name, WORKERS):
            report.console.print(f"  {name}: {workers} workers, {share:.2f} of the time")
            points.append((float(workers), share))
            tallies = [one.tally for one in searches]
            counts = [
                sum(getattr(tally, column) for tally in tallies)
                for column in ("created", "finished", "cancelled", "reused")
            ]
            rows.append((name, workers, f"{share:.2f}", *counts))
        lines[name] = points
    head = ("search", "workers", "time", "created", "finished", "cancelled", "reused")
    report.table(f"{len(specs)} simulated systems, virtual time", head, rows)
    paper = simulated.PAPER_TABLE_4
    report.console.print(f"  table 4 of Zhou et al. (4 clusters): {paper}")
    plots.lines(
        report.output / "simulated.svg",
        "Time of one search, one worker being 1",
        lines,
        "workers",
        "share of the time",
    )


def study_ray(report: Report, repetitions: int) -> None:
    """What Ray adds to each execution, once everything is warm."""
    if importlib.util.find_spec("ray") is None:
        report.console.print("ray: not installed, not measured")
        return
    from scaling import on_ray

    on_ray.study(report, repetitions)


def _measure(
    arguments: Sequence[str], jobs: Sequence[int], work: str, repetitions: int
) -> Mapping[int, list[float]]:
    """Seconds of whole runs of the command, by jobs; all must find the same."""
    times: dict[int, list[float]] = {number: [] for number in jobs}
    found: list[object] = []
    for _ in range(repetitions):
        for number in jobs:
            seconds, tests = _amplify(arguments, number, work)
            times[number].append(seconds)
            found.append(tests)
    if any(tests != found[0] for tests in found):
        raise AssertionError("another number of jobs found something else")
    return times


def _amplify(arguments: Sequence[str], jobs: int, work: str) -> tuple[float, object]:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(shutil.copytree(HERE / "scale_project", Path(folder) / "project"))
        command = [sys.executable, "-m", "socrates", "amplify", *arguments]
        command += ["--gate", "off", "--jobs", str(jobs), "--output-format", "json"]
        environment = {
            **os.environ,
            "SCALE_WORK": work,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        started = time.monotonic()
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        seconds = time.monotonic() - started
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        report = json.loads(done.stdout)
        statuses = [
            (test["nodeid"], test["status"], test["executions"], test["defects"])
            for test in report["tests"]
        ]
        return seconds, statuses


def _tell(
    report: Report, title: str, times: Mapping[int, list[float]], target: float | None = None
) -> None:
    """A table, a plot, and the target for two jobs. Each ratio is one of neighbours in time."""
    rows = []
    for jobs, seconds in times.items():
        ratios = [many / one for one, many in zip(times[1], seconds, strict=True)]
        median = statistics.median(ratios)
        rows.append((jobs, f"{statistics.median(seconds):.1f}", f"{median:.2f}"))
        if jobs == 2 and target is not None:
            report.check(f"{title}, two jobs", median, target)
    report.table(title, ("jobs", "seconds", "ratio"), rows)
    name = title.replace(",", "").replace(" ", "-")
    series = {f"{jobs} jobs": seconds for jobs, seconds in times.items()}
    report.output.mkdir(parents=True, exist_ok=True)
    plots.boxes(report.output / f"{name}.svg", title, series, "seconds")


STUDIES: Mapping[str, Callable[[Report, int], None]] = {
    "suite": study_suite,
    "search": study_search,
    "simulated": study_simulated,
    "ray": study_ray,
}

if __name__ == "__main__":
    sys.exit(main())
