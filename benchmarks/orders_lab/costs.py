"""What a run costs that is traced, and one under control, against the same work without us.

Plain, traced and controlled runs take turns in one process, so all see the same machine. The time of
the processor counts, user and system, of all threads; of what only sleeps, the time that it takes.
A run is counted whole: probes in, the work, which files it executes, probes out, and its trace.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from orders_lab import rings
from socrates_amplify.extensions.own import present_probes
from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.base import Probe
from socrates_amplify.probes.orders.probe import UNFORCED
from socrates_amplify.record.executed import ExecutedFiles
from socrates_amplify.record.recorder import Recorder

TURNS = 4_000
NAME = "rings"
"""Where the numbers are kept among those of the subjects."""
MOST = 3.0
"""How many times as much a controlled run may cost."""

Work = Callable[[], None]
WORK: dict[str, Work] = {
    **{
        f"actors of Pykka, {messages}": partial(rings.actors, TURNS, messages)
        for messages in rings.MESSAGES
    },
    "threads, `queue.Queue`": partial(rings.threads, TURNS),
    "tasks, `asyncio.Queue`": partial(rings.tasks, TURNS),
}
SLEEPING = "threads that sleep"


def measure_costs(rounds: int) -> dict[str, dict[str, float]]:
    """For each ring, and for threads that sleep, the median seconds of each way to run it."""
    probes = [probe for probe in present_probes() if probe.available()]
    found = {
        name: _measured(work, probes, rounds, time.process_time) for name, work in WORK.items()
    }
    return {**found, SLEEPING: _measured(rings.sleepers, probes, 3, time.perf_counter)}


def _measured(
    work: Work, probes: list[Probe], rounds: int, clock: Callable[[], float]
) -> dict[str, float]:
    ways: dict[str, Work] = {
        "plain": work,
        "traced": partial(_recorded, work, probes, Scenario()),
        "controlled": partial(_recorded, work, probes, Scenario.of([UNFORCED])),
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(rounds + 1):
        for way, run in ways.items():
            for probe in probes:
                probe.warm_up()  # as executors do, once for all their processes
            gc.collect()
            started = clock()
            run()
            if number:  # the first round warms up
                seconds[way].append(clock() - started)
    return {way: statistics.median(found) for way, found in seconds.items()}


def _recorded(work: Work, probes: list[Probe], scenario: Scenario) -> None:
    root = str(Path(rings.__file__).parent)
    recorder = Recorder(scenario, root=root)
    recorder.test_file = __file__
    undos = [probe.install(recorder, {}) for probe in probes]
    executed = ExecutedFiles(root, __file__, cheaply=False)
    executed.begin()
    work()
    executed.end((), __file__)
    executed.close()
    for undo in reversed(undos):
        undo()
    recorder.trace()
    if recorder.unapplied:
        raise RuntimeError(f"not controlled: {recorder.unapplied[0][1]}")


def table(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """One row per ring; nothing where they were not measured."""
    costs: Mapping[str, Mapping[str, float]] = results.get(NAME, {}).get("costs", {})
    if not costs:
        return
    yield ""
    yield "| ring | plain | traced | controlled | traced / plain | controlled / plain |"
    yield "|---|---|---|---|---|---|"
    for name, one in costs.items():
        plain, traced, controlled = (one[way] for way in ("plain", "traced", "controlled"))
        scale, unit = (1.0, "s") if name == SLEEPING else (1e6 / TURNS, "µs per turn")
        cells = [f"{seconds * scale:.3g} {unit}" for seconds in (plain, traced, controlled)]
        cells += [f"{traced / plain:.2f}", f"{controlled / plain:.2f}"]
        yield f"| {name} | {' | '.join(cells)} |"


def bars(results: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Whether control costs as little as it may."""
    costs: Mapping[str, Mapping[str, float]] = results.get(NAME, {}).get("costs", {})
    for name, one in costs.items():
        ratio = one["controlled"] / one["plain"]
        most = 1.0 if name == SLEEPING else MOST
        yield f"controlled / plain, {name}: {ratio:.2f} (at most {most:g})", ratio <= most
