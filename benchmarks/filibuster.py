"""Table 1 of Meiklejohn et al. (2021), again: how many executions the exhaustive search generates.

    python benchmarks/filibuster.py

The applications are rebuilt in memory (see ``filibuster_systems``). Prints our numbers beside the
published ones, without and with dynamic reduction, and what the default search needs. Exits with 1
if a number differs.
"""

from __future__ import annotations

import sys
import time

from filibuster_systems import SYSTEMS, TABLE_1
from rich.console import Console
from rich.table import Table

from socrates_amplify.analysis import ExploreOptions
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.services import Services
from socrates_amplify.faults import Scenario


def executions(system: Services, reduction: bool) -> int:
    """How many executions the search takes, the first one without faults included."""
    baseline = system.run(Scenario()).trace
    gateway = Gateway(
        baseline,
        system.faults_of(baseline),
        system.run,
        faults_of=system.faults_of,
        budget=None,
    )
    ExhaustiveExplorer().explore(gateway, ExploreOptions(reduction=reduction))
    return gateway.calls


def main() -> int:
    """Run them all."""
    table = Table("application", "all", "published", "reduced", "published", "seconds")
    differs = False
    for name, system in SYSTEMS.items():
        started = time.perf_counter()
        ours = (executions(system, False), executions(system, True))
        took = time.perf_counter() - started
        published = TABLE_1[name]
        differs = differs or ours != published
        table.add_row(
            name,
            str(ours[0]),
            str(published[0]),
            str(ours[1]),
            str(published[1]),
            f"{took:.1f}",
        )
    Console().print(table)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
