"""The gate: which tests are clean enough to be worth amplifying, by the linter's own word."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from socrates import plugins
from socrates.engine.gc_tuning import collecting_rarely
from socrates.findings import ALSO, FileSummary, Finding, Severity
from socrates.session import Session, check


class Gate:
    """Knows the codes of every test with a finding at or above a severity.

    Tests are matched by file and name, not by node id: pytest and the linter may disagree on
    where a node id starts. All parameters of a test share the findings of its function; a finding
    about a file without a test is not held against its tests.
    """

    def __init__(
        self,
        findings: Iterable[Finding],
        root: Path,
        level: Severity | None,
        files: Iterable[FileSummary] = (),
        warnings: Iterable[str] = (),
    ) -> None:
        self.warnings = tuple(warnings)
        self._codes: dict[tuple[Path, str], dict[str, None]] = {}
        self._lines = {
            _key(root, test): line
            for file in files
            for test, line in zip(file.tests, file.test_lines, strict=False)
        }
        for finding in findings:
            held = level is not None and finding.severity.at_least(level)
            for test in _tests(finding) if held else ():
                self._codes.setdefault(_key(root, test), {})[finding.code] = None

    def codes(self, nodeid: str, rootdir: Path) -> tuple[str, ...]:
        """What stands against this test, sorted; nothing when it is clean."""
        return tuple(sorted(self._codes.get(_key(rootdir, nodeid), {})))

    def location(self, nodeid: str, rootdir: Path) -> str:
        """``file:line`` of the test, relative to ``rootdir``; empty when the linter saw no such test."""
        line = self._lines.get(_key(rootdir, nodeid))
        return "" if line is None else f"{nodeid.partition('::')[0]}:{line}"


def level_of(gate: str | None, fail_on: Severity) -> Severity | None:
    """The severity that closes the gate, or None when it stands open."""
    if gate is None:
        return fail_on
    return None if gate == "off" else Severity(gate)


def make_gate(files: Iterable[Path], level: Severity | None, session: Session) -> Gate:
    """The gate for these test files, under the settings of ``session``; open when ``level`` is None.

    A rule that fails closes nothing, which ``warnings`` says. Plugins that fail as such, in a hook
    or at their import, are told of by the run itself.
    """
    targets = tuple(str(file) for file in files)
    if not targets:
        return Gate((), session.settings.root, level)
    with collecting_rarely():
        result = check(replace(session, targets=targets))
    failed = [
        f"plugin {error.plugin} failed in the gate: {error.message} ({error.location})"
        for error in result.errors
        if error not in plugins.installed().errors
    ]
    return Gate(result.findings, session.settings.root, level, result.files, failed)


class Gatekeeper:
    """The gate of one run. The linter is asked about a file at most once, and only when it is told to."""

    def __init__(self, rootdir: Path, level: Severity | None, session: Session) -> None:
        self._rootdir = rootdir
        self._level = level
        self._session = session
        self._gates: dict[str, Gate] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the linter's work."""
        heard = (text for gate in self._gates.values() for text in gate.warnings)
        return tuple(dict.fromkeys(heard))

    def ask(self, nodeids: Iterable[str]) -> None:
        """Have the linter look at the files of these tests."""
        self._ask(dict.fromkeys(map(_file_of, nodeids)))

    def ask_until_clean(self, nodeids: Iterable[str]) -> None:
        """The same, the smallest files first, until one of the tests is clean: not all are smelly then."""
        tests: dict[str, list[str]] = {}
        for nodeid in nodeids:
            tests.setdefault(_file_of(nodeid), []).append(nodeid)
        waiting = sorted(tests, key=self._size)
        count = 1
        while waiting:
            files, waiting = waiting[:count], waiting[count:]
            self._ask(files)
            if not all(self.codes(nodeid) for file in files for nodeid in tests[file]):
                return
            count *= 2

    def codes(self, nodeid: str) -> tuple[str, ...]:
        """What stands against this test, sorted; nothing when it is clean, or the linter was not asked."""
        gate = self._gates.get(_file_of(nodeid))
        return gate.codes(nodeid, self._rootdir) if gate is not None else ()

    def location(self, nodeid: str) -> str:
        """``file:line`` of the test; empty when the linter saw no such test."""
        gate = self._gates.get(_file_of(nodeid))
        return gate.location(nodeid, self._rootdir) if gate is not None else ""

    def _ask(self, files: Iterable[str]) -> None:
        asked = [file for file in files if file not in self._gates]
        paths = [path for file in asked if (path := self._rootdir / file).is_file()]
        self._gates.update(dict.fromkeys(asked, make_gate(paths, self._level, self._session)))

    def _size(self, file: str) -> int:
        path = self._rootdir / file
        return path.stat().st_size if path.is_file() else 0


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _tests(finding: Finding) -> Iterator[str]:
    """The test that a finding is about, and those that inherit the same code."""
    if finding.test is not None:
        yield finding.test
        also = finding.data.get(ALSO)
        yield from map(str, also if isinstance(also, list) else ())


def _key(root: Path, nodeid: str) -> tuple[Path, str]:
    file, _, name = nodeid.partition("::")
    return _resolved(root, file), name.partition("[")[0]


@functools.lru_cache(maxsize=1024)
def _resolved(root: Path, file: str) -> Path:
    return (root / file).resolve()
