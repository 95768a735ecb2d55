"""Table 1 of Meiklejohn et al. (2021), again: how many executions the exhaustive search generates.

    python benchmarks/filibuster.py                in memory, half a minute
    python benchmarks/filibuster.py --real         real Flask services and calls
    python benchmarks/filibuster.py --corpus DIR   the original applications

The applications are rebuilt in memory (``outages.systems``) and as services
(``outages.apps``); the original ones are taken from a checkout of their corpus
(``outages.corpus``). Prints our numbers beside the published ones, without and with dynamic
reduction. ``--only NAME`` runs one of them; with real services Netflix takes hours. Exits with 1
if a number differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from outages import apps, corpus
from outages.systems import SYSTEMS, TABLE_1
from rich.console import Console
from rich.table import Table

from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.services import Services


def executions(system: Services, reduction: bool) -> int:
    """How many executions the search takes, the first one without faults included."""
    control = system.run(Scenario()).trace
    gateway = Gateway(
        control,
        system.faults_of(control),
        system.run,
        faults_of=system.faults_of,
        budget=None,
    )
    ExhaustiveExplorer().explore(gateway, ExploreOptions(reduction=reduction))
    return gateway.calls


def real_executions(name: str, reduction: bool) -> int:
    """The same of ``socrates amplify`` on real services."""
    with tempfile.TemporaryDirectory() as folder:
        apps.write(name, Path(folder))
        flags = [] if reduction else ["--no-reduction"]
        command = [sys.executable, "-m", "socrates", "amplify", "--gate", "off"]
        command += ["--explorer", "exhaustive", "--output-format", "json", *flags]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    count = json.loads(done.stdout)["summary"]["executions"]
    assert isinstance(count, int)
    return count


def original_executions(checkout: Path, threads: bool, name: str, reduction: bool) -> int:
    """The same of ``socrates amplify`` on an original application."""
    with tempfile.TemporaryDirectory() as folder:
        return corpus.executions(checkout, threads, Path(folder), name, reduction)


def compared(names: list[str], count: Callable[[str, bool], int]) -> bool:
    """Print our numbers and the published ones; whether they are the same."""
    table = Table("application", "all", "published", "reduced", "published", "seconds")
    same = True
    for name in names:
        started = time.perf_counter()
        ours = (count(name, False), count(name, True))
        took = time.perf_counter() - started
        published = TABLE_1[name]
        same = same and ours == published
        numbers = (ours[0], published[0], ours[1], published[1])
        table.add_row(name, *map(str, numbers), f"{took:.1f}")
        print(name, *ours, file=sys.stderr, flush=True)
    Console().print(table)
    return same


def main() -> int:
    """Run them all, or those that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--real", action="store_true", help="real services")
    how.add_argument("--corpus", type=Path, metavar="DIR", help="a checkout of the originals")
    parser.add_argument("--threads", action="store_true", help="originals in one process")
    parser.add_argument("--only", action="append", choices=TABLE_1, metavar="NAME")
    arguments = parser.parse_args()
    names = arguments.only or list(TABLE_1)
    if arguments.corpus:
        complaint = corpus.complaint(arguments.corpus, names)
        if complaint:
            parser.exit(2, f"error: {complaint}\n")
        same = compared(names, partial(original_executions, arguments.corpus, arguments.threads))
    elif arguments.real:
        same = compared(names, real_executions)
    else:
        same = compared(names, lambda name, reduction: executions(SYSTEMS[name], reduction))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
