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
