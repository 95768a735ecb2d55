"""What tracing, forking and long tests cost: times and memory, measured on this machine."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chaokka.lab import LIMIT, PROJECT, Lab, PykkaLab, traffic, write_project
from chaokka.systems import Spec
from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.record.index import Known
from socrates_amplify.record.recorder import Recorder

MESSAGES_TEST = "test_generated.py::test_messages"


@dataclass(frozen=True, slots=True)
class Tracing:
    """CPU seconds of the best run of each way to run a test; see ``measure_tracing``."""

    plain: float
    traced: float
    resolved: float

    @property
    def ratio(self) -> float:
        """How many times longer the test itself takes while it is traced."""
        return self.traced / self.plain


def measure_tracing(spec: Spec, rounds: int) -> Tracing:
    """Run one system's messages in this process, in turn plain and traced; the best of each.

    ``traced`` is the work under the probe; ``resolved`` is what turning the notes into a trace
    costs afterwards, when the test is over. CPU time of all threads, and the least of many
    rounds, because both are disturbed least by other work on the machine.
    """
    import pykka

    sys.path.insert(0, str(PROJECT))
    import nodes

    edges = [spec.edges[number] for number in sorted(spec.edges)]

    def work() -> None:
        actors = nodes.start(edges, {})
        for number in range(8):
            actors[0].tell(nodes.Update(-1, str(number)))
        nodes.settle(actors)
        pykka.ActorRegistry.stop_all()

    work()
    plain, traced, resolved = [], [], []
    for _ in range(rounds):
        plain.append(_cpu_seconds(work))
        recorder = Recorder(Scenario(), Known(), str(PROJECT))
        undo = PykkaProbe().install(recorder, {})
        traced.append(_cpu_seconds(work))
        undo()
        resolved.append(_cpu_seconds(recorder.trace))
    return Tracing(min(plain), min(traced), min(resolved))


def measure_executors(seconds: float) -> tuple[float, float]:
    """Executions a second of a small test: by the fork server, and by fresh pytest processes."""
    with PykkaLab((), messages=3) as lab:
        lab.executor.run(MESSAGES_TEST, Scenario(), LIMIT)
        forked = _rate(lambda: lab.executor.run(MESSAGES_TEST, Scenario(), LIMIT), seconds)
    with tempfile.TemporaryDirectory() as folder:
        write_project(Path(folder), (), 3)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", MESSAGES_TEST]
        fresh = _rate(
            lambda: subprocess.run(command, cwd=folder, check=True, capture_output=True), seconds
        )
    return forked, fresh


def measure_messages(count: int) -> tuple[float, float]:
    """Seconds and peak MB of amplifying a test with ``count`` messages, in a fresh process."""
    command = [sys.executable, "-m", "chaokka.measures", str(count)]
    here = Path(__file__).parents[1]
    answer = subprocess.run(
        command, cwd=here, check=True, capture_output=True, text=True
    ).stdout.split()
    return float(answer[0]), float(answer[1])


def measure_faults(
    lab: Lab, spec: Spec, counts: list[int], rounds: int
) -> list[tuple[float, float]]:
    """Seconds of the best of some executions with so many faults (figure 7.4)."""
    faults = traffic(lab.control(spec), spec.kinds)
    found = []
    for count in counts:
        scenario = Scenario.of(faults[:count])
        times = [lab.run(spec, scenario).duration for _ in range(rounds)]
        found.append((float(min(count, len(faults))), min(times)))
    return found


def _amplify_messages(count: int) -> None:
    """ControlRuns, all faults together and one alone; then say what it took."""
    started = time.perf_counter()
    with PykkaLab((), messages=count) as lab:
        control = lab.executor.run(MESSAGES_TEST, Scenario(), LIMIT * 5).trace
        faults = traffic(control, ("duplicate", "restart"))
        assert len(faults) == 2 * count
        duplicates = [fault for fault in faults if fault.kind == "duplicate"]
        lab.executor.run(MESSAGES_TEST, Scenario.of(duplicates), LIMIT * 5)
        lab.executor.run(MESSAGES_TEST, Scenario.of(faults[:1]), LIMIT * 5)
    seconds = time.perf_counter() - started
    kilobytes = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(seconds, kilobytes / 1024)


def _cpu_seconds(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def _rate(work: Callable[[], object], seconds: float) -> float:
    started = time.perf_counter()
    done = 0
    while time.perf_counter() - started < seconds or done < 3:
        work()
        done += 1
    return done / (time.perf_counter() - started)


if __name__ == "__main__":
    _amplify_messages(int(sys.argv[1]))
