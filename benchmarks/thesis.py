"""The thesis' evaluation, again, with its numbers beside ours. One command does it all.

    python benchmarks/thesis.py --quick              real Pykka, one repetition, some minutes
    python benchmarks/thesis.py --full               real Pykka, ten repetitions, some hours
    python benchmarks/thesis.py --full --simulate    the same systems in memory, some minutes

Prints tables, writes plots (SVG) and the numbers (JSON) below ``--output``, and exits with 1 if a
target is missed. An execution is one run of a test; control runs are not counted.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import plots
from chaokka.lab import (
    BLIND,
    RT_DD,
    RT_DD_O,
    RT_N,
    SOCRATIC,
    Analysis,
    Lab,
    PykkaLab,
    Result,
    SimulatedLab,
    analyse,
)
from chaokka.numbers import BUDGET, TABLE_7_2, TABLE_7_3, TABLE_7_4, TARGETS
from chaokka.systems import PLACES, TABLE_7_1, Spec, leaves_alike, thesis_specs
from rich.console import Console
from rich.table import Table

from socrates_amplify.exploration.prioritisers import RANKINGS

SHORT = {
    "registration-time": "RT",
    "message-time": "MT",
    "fan-in": "FI",
    "fan-out": "FO",
    "fan-in-out": "FIFO",
}


class Report:
    """Collects numbers, checks them against targets, and writes them down."""

    def __init__(self, console: Console, output: Path) -> None:
        self.console = console
        self.output = output
        self.numbers: dict[str, object] = {}
        self.missed: list[str] = []

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Print a table and keep its rows."""
        table = Table(title=title, title_justify="left")
        for name in head:
            table.add_column(name, justify="left" if name == head[0] else "right")
        for row in rows:
            table.add_row(*("-" if cell is None else str(cell) for cell in row))
        self.console.print(table)
        self.numbers[title] = {"head": list(head), "rows": [list(row) for row in rows]}

    def check(self, name: str, value: float, limit: float, at_least: bool = False) -> None:
        """Compare a number with its target."""
        good = value >= limit if at_least else value <= limit
        sign = ">=" if at_least else "<="
        mark = "[green]reached[/]" if good else "[red]missed[/]"
        self.console.print(f"  {name}: {value:.3g} (target {sign} {limit:g}) {mark}")
        self.numbers[f"target: {name}"] = {"value": value, "limit": limit, "reached": good}
        if not good:
            self.missed.append(name)

    def write(self) -> None:
        """Write the numbers."""
        self.output.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.numbers, indent=1)
        (self.output / "numbers.json").write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="one repetition (the default)")
    size.add_argument("--full", action="store_true", help="ten repetitions, as in the thesis")
    parser.add_argument("--repetitions", type=int, help="of everything that is random")
    parser.add_argument("--simulate", action="store_true", help="in memory instead of in Pykka")
    parser.add_argument("--only", choices=list(STUDIES), action="append", help="some studies only")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"))
    options = parser.parse_args(arguments)
    report = Report(Console(width=170), options.output)
    repetitions = options.repetitions or (10 if options.full else 1)
    started = time.monotonic()
    with _lab(options.simulate) as lab:
        for name in options.only or STUDIES:
            STUDIES[name](report, lab, repetitions)
            report.write()
    report.console.print(f"{time.monotonic() - started:.0f} s; plots in {options.output}")
    for missed in report.missed:
        report.console.print(f"[red]target missed: {missed}[/]")
    return 1 if report.missed else 0


@contextlib.contextmanager
def _lab(simulated: bool) -> Iterator[Lab]:
    if simulated:
        yield SimulatedLab()
        return
    specs = {spec.id: spec for spec in [*thesis_specs(), *_hard_specs().values(), *_largest()]}
    with PykkaLab(list(specs.values())) as lab:
        yield lab


def study_analyses(report: Report, lab: Lab, repetitions: int) -> None:
    """Tables 7.2 and 7.3 and figure 7.3: how many executions each analysis needs."""
    analyses = (RT_N, RT_DD, RT_DD_O, SOCRATIC)
    found: dict[str, list[Result]] = {}
    for analysis in analyses:
        budget = BUDGET if analysis is RT_N else None
        found[analysis.label] = _repeat(lab, thesis_specs(), analysis, repetitions, budget)
    rows: list[tuple[object, ...]] = []
    for analysis in analyses:
        results = found[analysis.label]
        mean, median, timeouts = _summary(results)
        thesis = TABLE_7_2.get(analysis.label, (None, None))
        rows.append((analysis.label, mean, thesis[0], median, thesis[1], len(results), timeouts))
        if analysis.label in TARGETS:
            report.check(f"{analysis.label}, mean", mean or 0.0, TARGETS[analysis.label])
    head = ("analysis", "mean", "thesis", "median", "thesis", "analyses", "time-outs")
    report.table("Table 7.2: executions to find the seeded defect", head, rows)
    _by_system(report, found)
    right = sum(_is_right(result) for result in found["socratic"])
    report.check("socratic, right answers", right, len(found["socratic"]), at_least=True)
    executions = {
        name: [float(r.executions) for r in results if not r.timed_out]
        for name, results in found.items()
    }
    title = "Figure 7.3: executions to find the seeded defect"
    plots.boxes(report.output / "figure-7.3.svg", title, executions, "executions")


def _by_system(report: Report, found: Mapping[str, Sequence[Result]]) -> None:
    rows: list[list[object]] = []
    for label, results in found.items():
        groups = [[r for r in results if r.spec.number == n] for n in range(1, 11)]
        summaries = [_summary(group) for group in groups]
        rows.append([f"{label} mean", *(mean for mean, _, _ in summaries)])
        if label in TABLE_7_3:
            rows.append([f"{label} mean, thesis", *TABLE_7_3[label]])
        rows.append([f"{label} median", *(median for _, median, _ in summaries)])
        rows.append([f"{label} time-outs", *(timeouts for _, _, timeouts in summaries)])
    head = ["system"] + [f"{n} ({targets} {d})" for n, (targets, d) in enumerate(TABLE_7_1, 1)]
    report.table("Table 7.3: executions by system", head, rows)


def study_harder(report: Report, lab: Lab, repetitions: int) -> None:
    """What the thesis did not try: fewer hints, more defects, faults that need or undo others."""
    totals = [dataclasses.replace(spec, total_only=True) for spec in thesis_specs()]
    both = [dataclasses.replace(spec, kinds=("duplicate", "restart")) for spec in totals]
    rows = []
    for label, specs, analysis, limit in (
        ("only the total asserted", totals, SOCRATIC, TARGETS["socratic, total only"]),
        ("only the total, both fault kinds at once", both, SOCRATIC, None),
        (
            "no traces, every counter asserted",
            thesis_specs(),
            BLIND,
            TARGETS["socratic, no traces"],
        ),
        ("no traces, only the total asserted", totals, BLIND, TARGETS["socratic, no traces"]),
    ):
        results = _repeat(lab, specs, analysis, repetitions, None)
        mean, median, _ = _summary(results)
        right = sum(_is_right(result) for result in results)
        rows.append(
            (label, mean, median, max(r.executions for r in results), f"{right}/{len(results)}")
        )
        if limit is not None:
            report.check(f"socratic, {label}", mean or 0.0, limit)
    report.table("Socratic with fewer hints", ("systems", "mean", "median", "most", "right"), rows)
    _hard_systems(report, lab)


def _hard_systems(report: Report, lab: Lab) -> None:
    rows = []
    for label, spec in _hard_specs().items():
        first = analyse(lab, spec, SOCRATIC)
        every = analyse(lab, spec, SOCRATIC, max_defects=None, budget=1000)
        delta = analyse(lab, spec, RT_DD, budget=1000)
        wanted = {f"Node#{actor + 1}" for actor in spec.defects}
        blamed = {f.receiver for d in every.exploration.defects for f in d.scenario}
        report.check(f"{label}: defective actors found", len(blamed & wanted), len(wanted), True)
        report.check(f"{label}: healthy actors blamed", len(blamed - wanted), 0)
        shown = "; ".join(every.blamed)
        delta_cost = (
            delta.executions if delta.exploration.defects else f"none in {delta.executions}"
        )
        rows.append((label, first.executions, every.executions, delta_cost, shown))
    head = ("system", "first defect", "all, with sampling", "RT-DD, first", "found")
    report.table("Harder systems: executions", head, rows)


def _hard_specs() -> dict[str, Spec]:
    """Systems that each defeat one simpler way to search."""
    specs = {spec.number: spec for spec in thesis_specs()}
    edges = specs[5].edges
    one, other = leaves_alike(edges)
    hard = dataclasses.replace(specs[5], kinds=("duplicate", "restart"))
    return {
        "two faults needed together": dataclasses.replace(hard, number=11, defects={25: "M"}),
        "faults that compensate each other": dataclasses.replace(
            hard, number=12, defects={one: "D", other: "N"}, kinds=("duplicate",), total_only=True
        ),
        "three independent defects": dataclasses.replace(
            hard, number=13, defects={5: "D", 25: "R", 45: "D"}
        ),
        "three defects, only the total": dataclasses.replace(
            hard, number=14, defects={5: "D", 25: "R", 45: "D"}, total_only=True
        ),
    }


def study_prioritisers(report: Report, lab: Lab, repetitions: int) -> None:
    """Tables 7.4 to 7.6: naive and dd on the largest system in every order of faults."""
    orders = {"SHU": "shuffle"}
    for way in ("asc", "desc"):
        orders |= {f"{way[0].upper()}{SHORT[name]}": f"{name}-{way}" for name in RANKINGS}
    found: dict[tuple[str, str, int], list[Result]] = {}
    for explorer, budget in (("naive", BUDGET), ("dd", None)):
        for short, name in orders.items():
            analysis = Analysis(short, explorer, prioritiser=name)
            times = repetitions if name == "shuffle" else 1
            for place, spec in zip(PLACES, _largest(), strict=True):
                found[explorer, short, place] = _repeat(lab, [spec], analysis, times, budget)
    rows: list[list[object]] = []
    for explorer in ("naive", "dd"):
        cells = [_summary([r for p in PLACES for r in found[explorer, s, p]]) for s in orders]
        rows.append([f"{explorer} mean", *(mean for mean, _, _ in cells)])
        rows.append([f"{explorer} mean, thesis", *(TABLE_7_4[explorer][s] for s in orders)])
        rows.append([f"{explorer} median", *(median for _, median, _ in cells)])
        rows.append([f"{explorer} time-outs", *(timeouts for _, _, timeouts in cells)])
    report.table("Table 7.4: prioritisers on the largest system", ["", *orders], rows)
    for title, prefix in (("Table 7.5: ascending", "A"), ("Table 7.6: descending", "D")):
        shown = [short for short in orders if short == "SHU" or short.startswith(prefix)]
        head = ["", *(f"{e[0].upper()}-{p}" for e in ("naive", "dd") for p in PLACES)]
        report.table(
            f"{title} orders, mean executions by place of the defect",
            head,
            [
                [s, *(_summary(found[e, s, p])[0] for e in ("naive", "dd") for p in PLACES)]
                for s in shown
            ],
        )
    series = {s: [float(r.executions) for p in PLACES for r in found["dd", s, p]] for s in orders}
    title = "Figure 7.5: executions of RT-DD in every order of faults"
    plots.boxes(report.output / "figure-7.5.svg", title, series, "executions")


def study_overhead(report: Report, lab: Lab, repetitions: int) -> None:
    """Figure 7.4: how long one execution takes under ever more faults."""
    from chaokka.measures import measure_faults

    counts = list(range(0, 1001, 100 if repetitions > 1 else 250))
    series = {}
    for kind in ("duplicate", "restart"):
        spec = dataclasses.replace(_largest()[0], kinds=(kind,))
        series[kind] = measure_faults(lab, spec, counts, max(repetitions, 3))
    rows = [(kind, *(f"{seconds:.3f}" for _, seconds in line)) for kind, line in series.items()]
    head = ("seconds with faults", *(str(count) for count in counts))
    report.table("Figure 7.4: duration of one execution of the largest system", head, rows)
    plots.lines(
        report.output / "figure-7.4.svg",
        "Figure 7.4: overhead of faults",
        series,
        "faults",
        "seconds",
    )


def study_costs(report: Report, lab: Lab, repetitions: int) -> None:
    """Tracing, forks and memory. Always real, whatever the lab."""
    from chaokka.measures import measure_executors, measure_messages, measure_tracing

    rounds = 30 if repetitions > 1 else 15
    tracing = measure_tracing(_largest()[0], rounds)
    report.check("tracing, times the plain run", tracing.ratio, 1.25)
    forked, fresh = measure_executors(10.0 if repetitions > 1 else 4.0)
    report.check("fork server, times fresh processes", forked / fresh, 10, at_least=True)
    sizes = (2500, 5000, 10_000)
    sampled = {count: measure_messages(count) for count in sizes}
    report.check("peak MB for 10,000 messages", sampled[10_000][1], 1024)
    growth = (sampled[10_000][0] / sampled[2500][0]) / 4
    report.check("10,000 messages, times linear growth from 2,500", growth, 1.3)
    rows: list[tuple[object, ...]] = [
        ("plain run of 16,000 messages, CPU s", f"{tracing.plain:.3f}"),
        ("traced run, CPU s", f"{tracing.traced:.3f}"),
        ("making the trace afterwards, CPU s", f"{tracing.resolved:.3f}"),
        ("fork server, executions/s", f"{forked:.1f}"),
        ("fresh pytest processes, executions/s", f"{fresh:.2f}"),
    ]
    rows += [(f"{n} messages", f"{s:.1f} s, {mb:.0f} MB") for n, (s, mb) in sampled.items()]
    report.table("Costs", ("what", "measured"), rows)


STUDIES = {
    "analyses": study_analyses,
    "harder": study_harder,
    "prioritisers": study_prioritisers,
    "overhead": study_overhead,
    "costs": study_costs,
}


def _largest() -> list[Spec]:
    return [spec for spec in thesis_specs() if spec.number == 10]


def _repeat(
    lab: Lab, specs: Sequence[Spec], analysis: Analysis, times: int, budget: int | None
) -> list[Result]:
    found = []
    for seed in range(times):
        for spec in specs:
            print(f"\r{analysis.label} {seed + 1}/{times} {spec.id}\x1b[K", end="", file=sys.stderr)
            found.append(analyse(lab, spec, analysis, seed=seed, budget=budget))
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return found


def _summary(results: Sequence[Result]) -> tuple[float | None, float | None, int]:
    """Mean and median of those that ended, and the number of those that did not."""
    done = [result.executions for result in results if not result.timed_out]
    timeouts = len(results) - len(done)
    if not done:
        return None, None, timeouts
    return round(statistics.mean(done), 1), statistics.median(done), timeouts


def _is_right(result: Result) -> bool:
    """Exactly the seeded actor is blamed, with one fault."""
    (actor,) = result.spec.defects
    defects = result.exploration.defects
    return [[f.receiver for f in d.scenario] for d in defects] == [[f"Node#{actor + 1}"]]


if __name__ == "__main__":
    sys.exit(main())
