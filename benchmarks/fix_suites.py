"""What fixes do to real suites: every test's outcome, and what other tools say, before and after.

    python benchmarks/fix_suites.py --python VENV/bin/python PROJECT [PROJECT ...]

Each PROJECT is a folder with the sources and tests of a library whose tests run with that
interpreter. It is copied; the copy's tests run, get the safe fixes, run again, get the unsafe fixes,
and run once more. Where the project has settings of ruff, black or mypy, and VENV has the
tool, that looks at the changed files before and after. With --results FOLDER, a run that was
interrupted goes on where it ended; use a new folder for another version of Socrates. Two tables
go to standard output, as Markdown; what got worse goes to standard error, and makes the exit
code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from socrates.fixes.apply import FixResult, fix_all
from socrates.fixes.style import style_of
from socrates.session import Session, check, prepare

Outcomes = dict[str, str]
"""The outcome of every test, by its node id."""
_COMPLAINT = re.compile(r"(\S+?\.py):\d+(?::\d+)?: ")
_BAD = ("failed", "error")
_WATCH = """
import json, os
_found = {}
def pytest_runtest_logreport(report):
    outcome = "error" if report.failed and report.when != "call" else report.outcome
    if _found.get(report.nodeid, "passed") == "passed":
        _found[report.nodeid] = outcome
def pytest_sessionfinish(session):
    with open(os.environ["FIX_SUITES_REPORT"], "w") as stream:
        json.dump(_found, stream)
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One project under one kind of fixes."""

    project: str
    kind: str
    before: Outcomes
    after: Outcomes
    found: Counter[str]
    fixed: Counter[str]
    merged: int
    again: int
    tools: dict[str, int] = field(default_factory=dict)
    """By tool, how many complaints there are more than before, or fewer if no file has more."""

    @property
    def worse(self) -> list[str]:
        """Tests, by old name or new, that fail or break only after the fixes."""
        return [
            name
            for name, outcome in self.after.items()
            if outcome in _BAD and self.before.get(name) not in _BAD
        ]

    @property
    def changed(self) -> int:
        """Tests that have another outcome, or none, or are new: zero for safe fixes."""
        names = self.before.keys() | self.after.keys()
        return sum(self.before.get(name) != self.after.get(name) for name in names)

    @property
    def lost(self) -> int:
        """Tests that no longer run in any form; tests merged with subTest count as one."""
        return max(0, len(self.before) - len(self.after) - self.merged)

    @property
    def is_worse(self) -> bool:
        """Whether anything is worse than before."""
        moved = self.kind == "safe" and self.changed > 0
        return bool(self.worse or self.lost or moved or any(n > 0 for n in self.tools.values()))


def main() -> int:
    """Measure all projects; 1 if anything is worse in one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    parser.add_argument("--python", default=sys.executable, help="runs the projects' tests")
    parser.add_argument("--keep", type=Path, help="keep the fixed copies in this folder")
    parser.add_argument("--results", type=Path, help="go on where a run with this folder ended")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one run of a suite")
    args = parser.parse_args()
    print("| project | fixes | tests | findings | fixed | changed | worse | again | other tools |")
    print("|---|---|---|---|---|---|---|---|---|")
    every: list[Measured] = []
    for project in args.projects:
        try:
            suite = Suite(project.resolve(), args.python, args.timeout, args.keep)
            measured = _measured_before(suite, args.results) if args.results else suite.measure()
        except (subprocess.TimeoutExpired, OSError, ValueError) as error:
            print(f"{project.name}: not measured: {error}", file=sys.stderr)
            continue
        for one in measured:
            print(_row(one), flush=True)
            _complain(one)
        every += measured
    _print_rules(every)
    return int(any(one.is_worse for one in every))


class Suite:
    """One project, measured under both kinds of fixes."""

    def __init__(self, project: Path, python: str, timeout: int, keep: Path | None) -> None:
        self.project = project
        self.python = python
        self.timeout = timeout
        self.keep = keep

    def measure(self) -> list[Measured]:
        """Copy, run, fix, run again. Raises ValueError when no test passes to begin with."""
        with tempfile.TemporaryDirectory(prefix="fix-suites-") as name:
            copy, untouched = Path(name) / self.project.name, Path(name) / "untouched"
            ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__")
            shutil.copytree(self.project, copy, symlinks=True, ignore=ignored)
            before = self.outcomes(copy)
            if "passed" not in before.values():
                raise ValueError("none of its tests passes here")
            shutil.copytree(copy, untouched, symlinks=True)
            session = prepare([], isolated=True, cwd=copy)
            found = [
                self._measured(session, untouched, kind, before) for kind in ("safe", "unsafe")
            ]
            if self.keep is not None:
                shutil.copytree(copy, self.keep / copy.name, dirs_exist_ok=True)
        return found

    def outcomes(self, folder: Path) -> Outcomes:
        """The outcome of every test of a project, in a pytest of its own."""
        report = folder.parent / "report.json"
        report.unlink(missing_ok=True)
        (folder.parent / "fix_suites_watch.py").write_text(_WATCH)
        paths = [folder.parent, folder / "src", folder]
        environment = {**os.environ, "FIX_SUITES_REPORT": str(report)}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
        command = [self.python, "-m", "pytest", "-q", "-p", "fix_suites_watch"]
        command += ["-p", "no:cacheprovider", "--continue-on-collection-errors"]
        subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=self.timeout,
            check=False,
        )
        found: Outcomes = json.loads(report.read_text()) if report.is_file() else {}
        return found

    def _measured(self, session: Session, untouched: Path, kind: str, before: Outcomes) -> Measured:
        """One kind of fixes; ``unsafe`` goes on where ``safe`` has ended."""
        copy, unsafe = session.cwd, kind == "unsafe"
        result = check(session, use_cache=False)
        fixed = fix_all(session, result, unsafe=unsafe)
        changed = [file.filename for file in fixed.files if file.changed]
        again: Counter[str] = Counter()
        if changed:
            again = _applied(fix_all(session, check(session, use_cache=False), unsafe=unsafe))
        return Measured(
            self.project.name,
            kind,
            before,
            self.outcomes(copy) if changed else before,
            Counter(finding.name for finding in result.findings),
            _applied(fixed),
            _merged_by_subtest(fixed),
            sum(again.values()),
            self._tools(untouched, copy, changed) if changed else {},
        )

    def _tools(self, old: Path, new: Path, changed: Sequence[str]) -> dict[str, int]:
        """How many complaints more other tools have about the changed files."""
        found: dict[str, int] = {}
        for tool, arguments in self._tools_of(old).items():
            before = self._complaints(old, arguments, changed)
            after = self._complaints(new, arguments, changed)
            if before is not None and after is not None:
                more = after - before
                found[tool] = sum(more.values()) or sum(after.values()) - sum(before.values())
                for complaint, number in more.items():
                    print(f"{self.project.name}: {tool}: {complaint} ({number})", file=sys.stderr)
        return found

    def _tools_of(self, folder: Path) -> dict[str, list[str]]:
        """The tools that the project has settings for."""
        names = ("pyproject.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "mypy.ini")
        text = "".join(_text(folder / name) for name in names)
        has_ruff = "[tool.ruff" in text or any((folder / n).is_file() for n in names[1:3])
        found = {}
        if has_ruff:
            found["ruff"] = ["ruff", "check", "--no-cache", "--output-format=concise"]
        if style_of(folder / "tests" / "x.py", folder).formatted:
            if has_ruff and "[tool.black" not in text:
                found["ruff format"] = ["ruff", "format", "--no-cache", "--check"]
            else:
                found["black"] = ["black", "--check"]
        if re.search(r"\[(tool\.)?mypy\]", text):
            found["mypy"] = ["mypy", "--no-incremental", "--follow-imports=silent"]
        return found

    def _complaints(
        self, folder: Path, arguments: Sequence[str], changed: Sequence[str]
    ) -> Counter[str] | None:
        """How many complaints each file has; None if the tool does not run.

        Seven tests without types that become one with two parameters are fewer complaints, though
        some have another code.
        """
        command = [self.python, "-m", *arguments, *changed]
        try:
            ran = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        if ran.returncode not in (0, 1):
            return None
        found: Counter[str] = Counter()
        for line in (ran.stdout + ran.stderr).splitlines():
            if match := _COMPLAINT.match(line):
                found[match.group(1)] += 1
            elif line.lower().startswith("would reformat"):
                found[line.replace(str(folder), "")] += 1
        return found


def _measured_before(suite: Suite, folder: Path) -> list[Measured]:
    """What was measured of a project is kept by its name: a run that was ended goes on."""
    kept = folder / f"{suite.project.name}.json"
    if not kept.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        names = [one.name for one in fields(Measured)]
        rows = [{name: getattr(one, name) for name in names} for one in suite.measure()]
        kept.write_text(json.dumps(rows))
    rows = json.loads(kept.read_text())
    for row in rows:
        row.update(found=Counter(row["found"]), fixed=Counter(row["fixed"]))
    return [Measured(**row) for row in rows]


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.is_file() else ""


def _applied(fixed: FixResult) -> Counter[str]:
    """How many findings of each rule got a fix; a finding that got two counts once."""
    mended = {
        (finding.name, finding.test, finding.filename)
        for file in fixed.files
        if file.changed
        for change in file.applied
        for finding in change.findings
    }
    return Counter(name for name, _, _ in mended)


def _merged_by_subtest(fixed: FixResult) -> int:
    """How many tests fewer there are because unittest counts sub-tests as part of a test."""
    return sum(
        len(change.findings) - 1
        for file in fixed.files
        for change in file.applied
        if change.fix.message.endswith("with subTest")
    )


def _row(one: Measured) -> str:
    tools = ", ".join(
        f"{name} {more:+d}" if more else f"{name} =" for name, more in one.tools.items()
    )
    cells = [
        one.project,
        one.kind,
        len(one.before),
        sum(one.found.values()),
        sum(one.fixed.values()),
        one.changed,
        len(one.worse) + one.lost,
        one.again,
        tools or "-",
    ]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _complain(one: Measured) -> None:
    for name in one.worse:
        print(f"{one.project} ({one.kind}): worse after fixes: {name}", file=sys.stderr)
    if one.kind == "safe":
        for name in sorted(one.before.keys() ^ one.after.keys()):
            print(f"{one.project}: another test after safe fixes: {name}", file=sys.stderr)


def _print_rules(every: Sequence[Measured]) -> None:
    """How many findings of each rule got a fix, over all projects."""
    print("\n| rule | findings | safe fixes | unsafe fixes |\n|---|---|---|---|")
    found: Counter[str] = sum((one.found for one in every if one.kind == "safe"), Counter())
    fixed = {
        kind: sum((one.fixed for one in every if one.kind == kind), Counter())
        for kind in ("safe", "unsafe")
    }
    for name, number in sorted(found.items()):
        print(f"| {name} | {number} | {fixed['safe'][name]} | {fixed['unsafe'][name]} |")


if __name__ == "__main__":
    sys.exit(main())
