"""Table 1 of Meiklejohn et al. (2021), again: how many executions the exhaustive search generates.

    python benchmarks/filibuster.py            in memory, half a minute
    python benchmarks/filibuster.py --real     real Flask services and calls, some minutes

The applications are rebuilt in memory (``filibuster_systems``) and as services
(``filibuster_apps``, all but Netflix). Prints our numbers beside the published ones, without and
with dynamic reduction. Exits with 1 if a number differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import filibuster_apps
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


def real_executions(name: str, reduction: bool) -> int:
    """The same of ``socrates amplify`` on real services."""
    with tempfile.TemporaryDirectory() as folder:
        filibuster_apps.write(name, Path(folder))
        flags = [] if reduction else ["--no-reduction"]
        command = [sys.executable, "-m", "socrates", "amplify", "--gate", "off"]
        command += ["--explorer", "exhaustive", "--output-format", "json", *flags]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    count = json.loads(done.stdout)["summary"]["executions"]
    assert isinstance(count, int)
    return count


def main() -> int:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", action="store_true", help="real services")
    real = parser.parse_args().real
    table = Table("application", "all", "published", "reduced", "published", "seconds")
    differs = False
    for name in filibuster_apps.APPS if real else SYSTEMS:
        started = time.perf_counter()
        if real:
            ours = (real_executions(name, False), real_executions(name, True))
        else:
            ours = (executions(SYSTEMS[name], False), executions(SYSTEMS[name], True))
        took = time.perf_counter() - started
        published = TABLE_1[name]
        differs = differs or ours != published
        numbers = (ours[0], published[0], ours[1], published[1])
        table.add_row(name, *map(str, numbers), f"{took:.1f}")
    Console().print(table)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
