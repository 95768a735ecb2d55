"""What fixes do to real suites: how many are applied, and how many tests change their outcome.

    python benchmarks/fix_suites.py --python VENV/bin/python PROJECT [PROJECT ...]

Each PROJECT is a folder with the sources and tests of a library whose tests run with that
interpreter. It is copied; the copy's tests run, are fixed, and run again: once with the safe
fixes only, once with all. The table goes to standard output, as Markdown.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from socrates.fixes.apply import FixResult, fix_all
from socrates.session import check, prepare

Outcomes = Counter[tuple[str, str]]
"""How often each test (by class and name) had an outcome."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One project under one kind of fixes."""

    project: str
    kind: str
    tests: int
    tests_after: int
    findings: int
    fixes: Counter[str]
    merged: int
    withdrawn: int
    lost: Outcomes
    new: Outcomes
    again: int

    @property
    def newly_bad(self) -> int:
        """Tests, by old name or new, that fail or break only after the fixes."""
        return sum(n for (_, outcome), n in self.new.items() if outcome in ("failed", "error"))

    @property
    def lost_rows(self) -> int:
        """Tests that no longer run in any form; tests merged with subTest count as one."""
        return max(0, self.tests - self.tests_after - self.merged)

    @property
    def changed(self) -> int:
        """Tests that have another outcome, or none, or are new: zero for safe fixes."""
        return max(sum(self.lost.values()), sum(self.new.values()))


def main() -> int:
    """Measure all projects; 1 if a safe fix changed an outcome or any fix made a test fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    parser.add_argument("--python", default=sys.executable, help="runs the projects' tests")
    parser.add_argument("--keep", type=Path, help="keep the fixed copies in this folder")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one run of a suite")
    args = parser.parse_args()
    print(
        "| project | fixes | tests | after | findings | applied | withdrawn | changed | newly failing | second run |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    bad = False
    for project in args.projects:
        for kind in ("safe", "all"):
            measured = measure(project.resolve(), kind, args.python, args.timeout, args.keep)
            print(_row(measured), flush=True)
            bad |= bool(measured.newly_bad) or (kind == "safe" and bool(measured.changed))
            bad |= measured.lost_rows > 0
            for (name, outcome), number in measured.new.items():
                if outcome in ("failed", "error"):
                    print(
                        f"{project.name}: {outcome} only after fixes: {name} ({number})",
                        file=sys.stderr,
                    )
    return int(bad)


def measure(project: Path, kind: str, python: str, timeout: int, keep: Path | None) -> Measured:
    """Copy, run, fix, run again."""
    with tempfile.TemporaryDirectory(prefix="fix-suites-") as name:
        copy = Path(name) / project.name
        shutil.copytree(
            project, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv")
        )
        before = outcomes(copy, python, timeout)
        found, fixed = _fix(copy, unsafe=kind == "all")
        after = outcomes(copy, python, timeout)
        _, again = _fix(copy, unsafe=kind == "all")
        if keep is not None:
            shutil.copytree(copy, keep / f"{project.name}-{kind}", dirs_exist_ok=True)
    return Measured(
        project.name,
        kind,
        sum(before.values()),
        sum(after.values()),
        found,
        _applied(fixed),
        _merged_by_subtest(fixed),
        sum(len(file.withdrawn) for file in fixed.files),
        before - after,
        after - before,
        sum(_applied(again).values()),
    )


def outcomes(folder: Path, python: str, timeout: int) -> Outcomes:
    """The outcome of every test of a project, in a pytest of its own."""
    report = folder / "fix-suites.xml"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout, check=False)
    found: Outcomes = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        outcome = next(
            (
                word
                for tag, word in (("failure", "failed"), ("error", "error"), ("skipped", "skipped"))
                if tag in kinds
            ),
            "passed",
        )
        found[f"{case.get('classname')}::{case.get('name')}", outcome] += 1
    report.unlink()
    return found


def _fix(folder: Path, *, unsafe: bool) -> tuple[int, FixResult]:
    session = prepare([], isolated=True, cwd=folder)
    result = check(session, use_cache=False)
    return len(result.findings), fix_all(session, result, unsafe=unsafe)


def _applied(fixed: FixResult) -> Counter[str]:
    return Counter(
        change.findings[0].name for file in fixed.files if file.changed for change in file.applied
    )


def _merged_by_subtest(fixed: FixResult) -> int:
    """How many tests fewer there are because unittest counts sub-tests as part of a test."""
    return sum(
        len(change.findings) - 1
        for file in fixed.files
        for change in file.applied
        if change.fix.message.endswith("with subTest")
    )


def _row(measured: Measured) -> str:
    kinds = ", ".join(f"{number} {name}" for name, number in sorted(measured.fixes.items()))
    cells = [
        measured.project,
        measured.kind,
        measured.tests,
        measured.tests_after,
        measured.findings,
        kinds or "none",
        measured.withdrawn,
        measured.changed,
        measured.newly_bad,
        measured.again,
    ]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


if __name__ == "__main__":
    sys.exit(main())
