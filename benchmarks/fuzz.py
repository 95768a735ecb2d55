"""Does anything get past us? Mutated files, settings, results and messages, and what becomes of them.

    python benchmarks/fuzz.py                        100,000 mutants
    python benchmarks/fuzz.py --mutants 600          fewer: what the suite does
    python benchmarks/fuzz.py --seconds 60           as many as a minute takes
    python benchmarks/fuzz.py --kind stores --seed 7 one kind, with another seed
    python benchmarks/fuzz.py --kind settings --only 4711     one mutant again, with what it said

Each mutant is a function of the seed, its kind and its number. It is handed to the command or the
reader that it is meant for, in a process of ours, or as a message to a real ``socrates lsp``. It
has to be accepted, or refused with a message; of test files and production files every fourth is
checked once more together with others, uncached, cached and by two processes, with the same output. A process that says nothing
for a minute hangs, and is ended. Fails on the first internal error, hang or difference, after all
figures are printed; the mutant is named, so that ``--only`` shows it again.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fuzzing.child import KINDS
from fuzzing.drivers import ACCEPTED, BROKEN, DIFFERENT, REFUSED

HANG = "hang"
PATIENCE = 60.0
"""Seconds after which a mutant hangs."""
_PER_PROCESS = 2000
_COLUMNS = (REFUSED, ACCEPTED, BROKEN, HANG, DIFFERENT)
_BAD = (BROKEN, HANG, DIFFERENT)
_SHOWN = 20


def main() -> int:
    """Run and print; 1 if anything got past us."""
    args = arguments()
    names = [args.kind] if args.kind else list(KINDS)
    total = sum(KINDS[name].share for name in names)
    bad = 0
    print(f"seed {args.seed}", flush=True)
    print(f"{'kind':<18}{'mutants':>9}" + "".join(f"{name:>16}" for name in _COLUMNS))
    for name in names:
        share = KINDS[name].share / total
        mutants = round(args.mutants * share) if args.seconds is None else sys.maxsize
        seconds = None if args.seconds is None else args.seconds * share
        first = 0 if args.only is None else args.only
        last = mutants if args.only is None else first + 1
        bad += one_kind(name, args, range(first, last), seconds)
    return 1 if bad else 0


def one_kind(name: str, args: argparse.Namespace, numbers: range, seconds: float | None) -> int:
    """Run one kind and print its row; how many mutants got past us."""
    found: Counter[str] = Counter()
    told: list[str] = []
    end = None if seconds is None else time.monotonic() + seconds
    for number, said, detail in handed_over(name, args.seed, numbers, end):
        found[said] += 1
        if said in _BAD or args.only is not None:
            told.append(f"  {said}: --kind '{name}' --seed {args.seed} --only {number}: {detail}")
    figures = "".join(f"{found[column]:>16,}" for column in _COLUMNS)
    print(f"{name:<18}{found.total():>9,}{figures}", *told[:_SHOWN], sep="\n", flush=True)
    return sum(found[column] for column in _BAD)


def handed_over(
    name: str, seed: int, numbers: range, end: float | None
) -> Iterator[tuple[int, str, str]]:
    """The verdict on each mutant, by processes that are replaced now and then, or when they hang."""
    at = numbers.start
    while at < numbers.stop and (end is None or time.monotonic() < end):
        last = min(at + _PER_PROCESS, numbers.stop)
        with tempfile.TemporaryDirectory() as folder:
            for number, said, detail in _by_one_process(name, seed, at, last, folder, end):
                yield number, said, detail
                at = number + 1
            if end is not None and time.monotonic() >= end:
                return


def _by_one_process(
    name: str, seed: int, first: int, last: int, folder: str, end: float | None
) -> Iterator[tuple[int, str, str]]:
    here = Path(__file__).parent
    command = [sys.executable, "-m", "fuzzing.child", name, str(seed), str(first), str(last)]
    work = Path(folder).resolve() / "project"
    started = subprocess.Popen(
        [*command, str(work)],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(here), "TMPDIR": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert started.stdout is not None
    next_number = first
    try:
        while next_number < last:
            ready, _, _ = select.select([started.stdout], [], [], PATIENCE)
            line = started.stdout.readline() if ready else b""
            if not line:
                said = BROKEN if ready else HANG
                yield next_number, said, f"the process ended with {started.poll()}" if ready else ""
                return
            number, said, detail = json.loads(line)
            yield number, said, detail
            next_number = number + 1
            if end is not None and time.monotonic() >= end:
                return
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.stdout.close()
        started.wait()
        shutil.rmtree(work, ignore_errors=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--only", type=int, help="one mutant of --kind")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
