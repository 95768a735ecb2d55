"""Would the tests notice? Changes the code in one small place at a time and runs the tests on it.

    python benchmarks/mutants.py                                  30 changes, a third in each package
    python benchmarks/mutants.py --seed 7 --sample 100 --jobs 2   another sample, two at once
    python benchmarks/mutants.py --package socrates_amplify       of one package only
    python benchmarks/mutants.py --verdicts FILE                  in pieces: what is judged stays so
    python benchmarks/mutants.py --only socrates/select.py:58     every change of a line

A sample is drawn with a seed: first lines, then one change of each, so that tables of constants
do not outweigh code. Docstrings, annotations, imports, assertions, messages and what is declared
for readers only are never changed. Each change is made in a scratch copy, never in the working
tree. Only tests that execute the changed block are run, those next to the code and the quickest
first, until one fails: those of a few seconds in forks of one process, then for what is left all of
them in processes of their own. Which tests those are is found out once per test file and kept in
benchmarks/results: at first for the tests next to the code, for all others only where a change was
not noticed (all of them together take as long as the whole suite).

A test that fails on a change has to pass without it, else its verdict does not count.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from mutation import reach
from mutation.operators import Mutation, mutations
from mutation.reach import Reach
from mutation.scratch import PACKAGES, Scratch

PROJECT = Path(__file__).parents[1]
KEPT = PROJECT / "benchmarks" / "results" / "mutants.json"
_BATCHES = (3.0, 20.0, 60.0, float("inf"))
"""Tests of so many seconds are run by one pytest: the likeliest ones alone first."""
_OPEN = "open"
"""What is said of a change that no quick test noticed in a fork."""
_NEW = 0.02
"""Seconds that a test takes which was never traced."""
_AT_ONCE = 8
"""Changes that are tried by the forks of one process."""
_IN_FORKS = 5.0
"""Seconds of tests per change that are tried in forks."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    package: str
    file: Path
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.file}:{self.mutation.line}  {self.mutation}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tests said of it: ``killed``, ``survived`` or ``timed out``, and which test."""

    mutant: Mutant
    said: str
    by: str = ""
    tests: int = 0
    seconds: float = 0.0


def main() -> int:
    """Draw, run, print the table and those that survived."""
    options = _options()
    drawn = _drawn(options)
    if options.list:
        print("\n".join(map(str, drawn)))
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        kept = Reach.load(KEPT)
        kept.forget_changed(PROJECT)
        outdated = kept.outdated(reach.test_files(PROJECT), PROJECT)
        near = [file for file in outdated if any(_likeness(file, one) for one in drawn)]
        if near and not options.as_traced:
            _trace(kept, near, folder / "near")
        lab = _Lab(kept, folder, options.jobs, options.limit)
        verdicts = lab.judge_all(drawn, _Told(options.verdicts))
        far = [file for file in outdated if file not in near]
        left = [verdict.mutant for verdict in verdicts if verdict.said == "survived"]
        if far and left and not options.as_traced:
            _trace(kept, far, folder / "far")
            again = {one.mutant: one for one in lab.judge_all(left, _Told(options.verdicts))}
            verdicts = [again.get(verdict.mutant, verdict) for verdict in verdicts]
    _print(verdicts, options)
    return 0


def _trace(kept: Reach, test_files: Sequence[Path], folder: Path) -> None:
    print(f"finding out what {len(test_files)} test files execute", flush=True)
    kept.update(Scratch(PROJECT, folder), test_files, KEPT)


class _Told:
    """Verdicts in a file, so that a sample can be judged in pieces."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, list[str]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                mutant, *verdict = json.loads(line)
                self._known[mutant] = verdict

    def known(self, mutant: Mutant) -> Verdict | None:
        said = self._known.get(str(mutant))
        if said is None or said[0] == _OPEN:
            return None
        return Verdict(mutant, *said)  # type: ignore[arg-type]

    def is_new(self, mutant: Mutant) -> bool:
        return str(mutant) not in self._known

    def tell(self, verdict: Verdict) -> None:
        mutant, line = str(verdict.mutant), [verdict.said, verdict.by, verdict.tests]
        told = f"  by {verdict.by}" if verdict.by else f"  {verdict.tests} tests"
        print(f"{verdict.said:9}  {mutant}{told}  {verdict.seconds:.0f} s", flush=True)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([mutant, *line]) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=30, help="number of changes, of all packages")
    parser.add_argument("--package", choices=list(PACKAGES), action="append")
    parser.add_argument("--only", metavar="FILE:LINE", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=180.0, help="seconds of tests per change")
    parser.add_argument(
        "--verdicts", type=Path, metavar="FILE", help="keep verdicts there, and go on from them"
    )
    parser.add_argument(
        "--as-traced", action="store_true", help="run only tests that were traced before"
    )
    parser.add_argument("--list", action="store_true", help="print the sample, run nothing")
    return parser.parse_args()


def _drawn(options: argparse.Namespace) -> list[Mutant]:
    if options.only:
        places = [place.rpartition(":")[::2] for place in options.only]
        return [
            mutant
            for mutant in _all(PACKAGES)
            if (str(mutant.file), str(mutant.mutation.line)) in places
        ]
    packages = options.package or list(PACKAGES)
    drawn: list[Mutant] = []
    for number, package in enumerate(packages):
        size = options.sample // len(packages) + (number < options.sample % len(packages))
        drawn += sample(list(_all([package])), size, f"{options.seed} {package}")
    return drawn


def _all(packages: Iterable[str]) -> Iterable[Mutant]:
    for file in reach.source_files(PROJECT):
        for package in packages:
            if PACKAGES[package] in file.parents:
                for mutation in mutations((PROJECT / file).read_text(encoding="utf-8")):
                    yield Mutant(package, file, mutation)


def sample(mutants: Sequence[Mutant], size: int, seed: str) -> list[Mutant]:
    """Lines at random, and one change of each."""
    chance = random.Random(seed)
    lines: dict[tuple[Path, int], list[Mutant]] = {}
    for mutant in mutants:
        lines.setdefault((mutant.file, mutant.mutation.line), []).append(mutant)
    drawn = chance.sample(sorted(lines), min(size, len(lines)))
    return sorted(
        (chance.choice(lines[line]) for line in drawn),
        key=lambda mutant: (mutant.file, mutant.mutation.line),
    )


class _Lab:
    """Scratch copies, one per job, in which changes are judged."""

    def __init__(self, kept: Reach, folder: Path, jobs: int, limit: float) -> None:
        self._kept = kept
        self._limit = limit
        self._free: SimpleQueue[Scratch] = SimpleQueue()
        self._sound: dict[str, bool] = {}
        for number in range(jobs):
            scratch = Scratch(PROJECT, folder / f"job-{number}")
            self._free.put(scratch)
        self._there = scratch.collected()

    def judge_all(self, mutants: Sequence[Mutant], told: _Told) -> list[Verdict]:
        """A verdict for each, in the same order: in forks first, then in processes."""
        known = {mutant: one for mutant in mutants if (one := told.known(mutant)) is not None}
        new = [mutant for mutant in mutants if told.is_new(mutant)]
        for start in range(0, len(new), _AT_ONCE):
            for verdict in self._in_forks(new[start : start + _AT_ONCE]):
                told.tell(verdict)
                if verdict.said != _OPEN:
                    known[verdict.mutant] = verdict

        def judge(mutant: Mutant) -> Verdict:
            if mutant in known:
                return known[mutant]
            scratch = self._free.get()
            try:
                verdict = self._judge(scratch, mutant)
            finally:
                self._free.put(scratch)
            told.tell(verdict)
            return verdict

        with ThreadPoolExecutor(self._free.qsize()) as pool:
            return list(pool.map(judge, mutants))

    def _in_forks(self, mutants: Sequence[Mutant]) -> Iterator[Verdict]:
        """Verdicts on those changes that quick tests notice in a fork."""
        asked, quick = [], {}
        for number, mutant in enumerate(mutants):
            if reach.block_at(PROJECT / mutant.file, mutant.mutation.line) is None:
                continue  # it runs on import, which is over in a fork
            batches = _batches(_ranked(self._tests(mutant), mutant), _IN_FORKS)
            quick[number] = [test for batch in batches for test in batch]
            change = mutant.mutation
            place = (number, str(mutant.file), change.start, change.before, change.after)
            asked.append([*place, quick[number]])
        names = sorted({test for tests in quick.values() for test in tests})
        if not names:
            return
        scratch = self._free.get()
        try:
            for number, by in scratch.fork(asked, names):
                said = "killed" if by else _OPEN
                yield Verdict(mutants[number], said, by, len(quick[number]))
        finally:
            self._free.put(scratch)

    def _tests(self, mutant: Mutant) -> dict[str, float]:
        """The tests that could notice, with the seconds that each takes; new ones next to the code are quick."""
        block = reach.block_at(PROJECT / mutant.file, mutant.mutation.line)
        known = self._kept.noticing(mutant.file, block)
        found = {test: seconds for test, seconds in known.items() if test in self._there}
        new = (test for test in self._there if test not in self._kept.tests)
        near = (test for test in new if _likeness(Path(test.partition("::")[0]), mutant))
        return {**dict.fromkeys(near, _NEW), **found}

    def _judge(self, scratch: Scratch, mutant: Mutant) -> Verdict:
        started = time.monotonic()
        tests = self._tests(mutant)
        count = 0
        for batch in _batches(_ranked(tests, mutant), self._limit):
            left = list(batch)
            while left:
                limit = 30 + 10 * sum(tests[test] for test in left)
                with scratch.changed(mutant.file, mutant.mutation):
                    code, output = scratch.pytest(_arguments(scratch, left), limit)
                if code is None and self._ends(scratch, left, limit):
                    return Verdict(mutant, "timed out", "", count, time.monotonic() - started)
                if code is None:
                    break  # the machine is too busy for these tests to say anything
                count += len(left)
                if code == 0:
                    break
                by = _failed(output)
                if not by or by not in left or self._is_sound(scratch, by, tests[by]):
                    return Verdict(mutant, "killed", by, count, time.monotonic() - started)
                left = left[left.index(by) + 1 :]
        return Verdict(mutant, "survived", "", count, time.monotonic() - started)

    def _ends(self, scratch: Scratch, tests: Sequence[str], limit: float) -> bool:
        """Whether tests end in time without any change."""
        code, _ = scratch.pytest(_arguments(scratch, tests), limit)
        return code is not None

    def _is_sound(self, scratch: Scratch, test: str, seconds: float) -> bool:
        """Whether a test passes without any change."""
        if test not in self._sound:
            code, _ = scratch.pytest(_arguments(scratch, [test]), 60 + 10 * seconds)
            self._sound[test] = code == 0
        return self._sound[test]


def _arguments(scratch: Scratch, tests: Sequence[str]) -> list[str]:
    names = scratch.root.parent / "tests.txt"
    names.write_text("\n".join(tests) + "\n", encoding="utf-8")
    return ["-x", f"@{names}"]


def _failed(output: str) -> str:
    """The node id of the test that failed; nothing when the change breaks what all tests import."""
    for line in output.splitlines():
        if line.startswith("FAILED "):
            return line.removeprefix("FAILED ").partition(" - ")[0]
    return ""


def _likeness(test_file: Path, mutant: Mutant) -> int:
    """How many names the path of a test file has in common with that of the code."""
    words = {part.removesuffix(".py") for part in mutant.file.parts[1:]}
    return len(words & {part.removesuffix(".py").removeprefix("test_") for part in test_file.parts})


def _ranked(tests: dict[str, float], mutant: Mutant) -> list[tuple[str, float]]:
    """File by file: those whose path is like that of the code first, then the quickest."""
    files: dict[str, float] = {}
    for test, seconds in tests.items():
        file = test.partition("::")[0]
        files[file] = files.get(file, 0.0) + seconds

    def rank(item: tuple[str, float]) -> tuple[int, float, str, float]:
        file = item[0].partition("::")[0]
        return (-_likeness(Path(file), mutant), files[file], file, item[1])

    return sorted(tests.items(), key=rank)


def _batches(ranked: Sequence[tuple[str, float]], limit: float) -> Iterable[list[str]]:
    """Tests in batches of so many seconds; those beyond the limit are left out."""
    batch: list[str] = []
    sizes = iter(_BATCHES)
    size, taken, total = next(sizes), 0.0, 0.0
    for test, seconds in ranked:
        if batch and taken + seconds > size:
            yield batch
            batch, taken = [], 0.0
            size = next(sizes, float("inf"))
        if total + seconds > limit and total:
            continue
        batch.append(test)
        taken, total = taken + seconds, total + seconds
    if batch:
        yield batch


def _print(verdicts: Sequence[Verdict], options: argparse.Namespace) -> None:
    print(f"\nseed {options.seed}, {len(verdicts)} mutants\n")
    row = "{:18} {:>8} {:>8} {:>9} {:>10} {:>7}"
    print(row.format("package", "mutants", "killed", "survived", "timed out", "share"))
    groups = {name: [v for v in verdicts if v.mutant.package == name] for name in PACKAGES}
    for name, group in {**groups, "all": list(verdicts)}.items():
        if group:
            said = [verdict.said for verdict in group]
            counts = [said.count(word) for word in ("killed", "survived", "timed out")]
            share = 1 - counts[1] / len(group)
            print(row.format(name, len(group), *counts, f"{share:.2f}"))
    survived = [verdict for verdict in verdicts if verdict.said == "survived"]
    if survived:
        print("\nsurvived:")
    for verdict in survived:
        print(f"  {verdict.mutant}  ({verdict.tests} tests ran)")


if __name__ == "__main__":
    sys.exit(main())
