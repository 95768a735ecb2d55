"""Schedule coverage by the criterion PR: pairs that were seen in both orders, after the same executions.

The pairs are those that any run of ours or of chance has shown to be free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from orders_lab.subjects import Subject, open_runner
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.orders.explorer import SchedulesExplorer
from socrates_amplify.exploration.orders.sampling import Sampling
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.orders import Pair, Schedule, order_kind, pair_of
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.probes.orders.probe import UNFORCED
from socrates_amplify.run.suite_runner import SuiteRunner

DELAY = 0.3


def measure_coverage(runner: SuiteRunner, subject: Subject, most: int) -> dict[str, object]:
    """How many pairs of the repaired twin are seen in both orders: by us, by chance, by delays."""
    traces: list[Trace] = []
    control = runner.control_runs(subject.twin)

    def run(scenario: Scenario) -> Outcome:
        outcome = runner.run(subject.twin, scenario, control)
        traces.append(outcome.trace)
        return outcome

    gateway = Gateway(
        control.trace,
        [UNFORCED],
        run,
        faults_of=runner.faults_of,
        budget=most,
    )
    SchedulesExplorer().explore(gateway, ExploreOptions())
    ours = [trace for trace in traces if trace.events]
    # Once everything was seen, further executions by chance are not the search's own.
    free = set(_free(ours))
    needed = _needed(ours, free)
    chance = [
        run(Scenario.of([fault])).trace
        for fault in Sampling(UNFORCED, ours[0], seed=7).faults(needed)
    ]
    with open_runner(DELAY) as delayed:
        slow = delayed.control_runs(subject.twin)
        late = [delayed.run(subject.twin, Scenario(), slow).trace for _ in range(needed)]
    free |= set(_free(chance))
    return {
        "pairs": len(free),
        "executions": needed,
        "ours": _both(ours[:needed], free),
        "chance": _both(chance, free),
        "delays": _both(late, free),
    }


def _free(traces: Iterable[Trace]) -> Iterator[frozenset[str]]:
    kind = order_kind()
    for trace in traces:
        for send in trace.sends:
            for offer in send.offers:
                pair = pair_of(offer.detail) if offer.kind == kind else None
                if pair is not None:
                    yield frozenset(pair)


def _needed(traces: list[Trace], free: set[frozenset[str]]) -> int:
    """After how many executions nothing was gained any more."""
    reached = _both(traces, free)
    counts = (n for n in range(1, len(traces) + 1) if _both(traces[:n], free) == reached)
    return next(counts, len(traces))


def _both(traces: Iterable[Trace], free: set[frozenset[str]]) -> int:
    seen: set[Pair] = {pair for trace in traces for pair in Schedule.of(trace).pairs}
    return sum((one, other) in seen and (other, one) in seen for one, other in map(sorted, free))
