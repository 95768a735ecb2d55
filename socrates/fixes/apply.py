"""Fix the files of a run: read, fix in rounds, write, and say what is left."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from socrates import baseline, registry
from socrates.baseline import Entry
from socrates.builtin import SyntaxErrorRule
from socrates.classes.lazy import dataclass
from socrates.config.find import shown
from socrates.discovery.files import TestFile, find_test_files, parse_target
from socrates.engine.analyse import Analyser
from socrates.failures import own_error
from socrates.files.writing import NotWritten, Refused, inside, write_over
from socrates.findings import CheckResult, FileSummary, Finding, PluginError
from socrates.fix import Fix
from socrates.fixes.ask import ask, is_able
from socrates.fixes.rounds import Change, Checked, Outcome, fix_in_rounds
from socrates.model.python.source import SourceError, decode, read
from socrates.select import Baseline, finish
from socrates.session import Session

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class FixedFile:
    """What became of one file. ``problem`` says why it is left as it was, for the user."""

    filename: str
    before: bytes = b""
    after: bytes = b""
    applied: tuple[Change, ...] = ()
    withdrawn: tuple[Change, ...] = ()
    held_back: int = 0
    unfixed: tuple[tuple[Finding, str], ...] = ()
    """Findings that no fix was found for, each with the reason."""
    problem: str = ""
    refused: bool = False
    """Whether the file is one that nothing may be written to."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class FixResult:
    """All files that fixes were asked for, and what a check finds after them."""

    files: tuple[FixedFile, ...]
    remaining: CheckResult
    errors: tuple[PluginError, ...] = ()


def fix_all(
    session: Session,
    result: CheckResult,
    *,
    unsafe: bool = False,
    write: bool = True,
    progress: Progress | None = None,
) -> FixResult:
    """Fix what a check has shown. With ``write`` off the files stay, and ``remaining`` tells
    what would be left.

    A file that can't be fixed, or was changed on disk in the meantime, is left alone and has a
    ``problem``; the others go on. So is a file that lies outside of the project, links followed,
    unless the user has named the folder where it lies.
    """
    job = _Job(session, unsafe, write)
    able = {rule.code for rule in session.rules if is_able(rule)}
    wanted = dict.fromkeys(
        f.filename for f in result.findings if f.code in able or f.code == SyntaxErrorRule.code
    )
    files: list[FixedFile] = []
    for number, filename in enumerate(wanted, start=1):
        job.tell = partial(progress, number - 1, len(wanted), filename) if progress else None
        files.append(job.fix_guarded(filename))
        if progress is not None:
            progress(number, len(wanted), filename)
    return FixResult(tuple(files), job.remaining(result), tuple(job.errors))


class _Job:
    """The state of one run: the analyser, the test files by name, and the latest answers."""

    def __init__(self, session: Session, unsafe: bool, write: bool) -> None:
        self.session = session
        self.unsafe = unsafe
        self.write = write
        self.tell: Callable[[], None] | None = None
        """Called at each round of a file, so that a bar can move while a large one is fixed."""
        self.errors: list[PluginError] = []
        self._analyser = Analyser(session.settings, session.rules, registry.installed().names)
        self._accepted = _accepted(session)
        self._latest: dict[str, tuple[Checked, FileSummary]] = {}
        self._files = self._test_files()
        self._summary = FileSummary("")
        self._reasons: dict[Finding, str] = {}

    def fix_guarded(self, filename: str) -> FixedFile:
        """Fix one file; a defect of ours leaves that file alone and is named."""
        try:
            return self.fix(filename)
        except Exception as error:
            self._latest.pop(filename, None)
            self.errors.append(own_error(error, f"fixing {filename}"))
            return FixedFile(filename, problem="Socrates has failed, see below")

    def fix(self, filename: str) -> FixedFile:
        """Fix one file, in memory and then on disk."""
        path = self.session.settings.root / filename
        file = self._files.get(filename) or TestFile(Path(os.path.normpath(path)))
        is_stdin = filename == self.session.stdin_name
        if self.write and not is_stdin:
            try:
                _require_python(file.path, inside(file.path, self._border(file.path)))
            except Refused as reason:
                return FixedFile(filename, problem=str(reason), refused=True)
        try:
            data = self.session.stdin[1] if is_stdin and self.session.stdin else read(file.path)
            first = self._check(file, data)
        except SourceError as error:
            return FixedFile(filename, problem=error.message)
        if first is None:
            return FixedFile(filename, data, data, problem="it does not parse")
        outcome = self._rounds(file, data, first)
        done = FixedFile(
            filename,
            data,
            outcome.data,
            outcome.applied,
            outcome.withdrawn,
            outcome.held_back,
            tuple(self._reasons.items()),
        )
        if done.changed and self.write and not is_stdin:
            try:
                write_over(file.path, data, outcome.data, self._border(file.path))
            except NotWritten as reason:
                self._analyser.forget(file.path)
                return replace(done, after=data, applied=(), problem=str(reason))
        if done.changed:
            self._check(file, outcome.data)
            self._latest[filename] = (outcome.checked, self._summary)
        return done

    def remaining(self, result: CheckResult) -> CheckResult:
        """The result with new answers for the files that were fixed."""
        findings = [f for f in result.findings if f.filename not in self._latest]
        for checked, _ in self._latest.values():
            findings += checked.shown
        files = [
            self._latest[file.filename][1] if file.filename in self._latest else file
            for file in result.files
        ]
        return replace(
            result,
            findings=tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key)),
            files=tuple(files),
        )

    def _rounds(self, file: TestFile, data: bytes, first: Checked) -> Outcome:
        def asked(text: bytes, findings: Sequence[Finding]) -> dict[Finding, Fix]:
            if self.tell is not None:
                self.tell()
            self._reasons = {}
            return ask(self._analyser, file, text, findings, self.errors, reasons=self._reasons)

        return fix_in_rounds(
            data, first, asked, lambda text: self._check(file, text), unsafe=self.unsafe
        )

    def _check(self, file: TestFile, data: bytes) -> Checked | None:
        found = self._analyser.analyse(file, data)
        if any(finding.code == SyntaxErrorRule.code for finding in found.findings):
            return None
        self._summary = found.summary
        name = found.summary.filename
        text = decode(data)
        session = self.session
        accepted = None
        if self._accepted is not None:
            accepted = Baseline(
                self._accepted,
                lambda entry: False,
                lambda other: text if other == name else session.read_source(other),
                lambda entry: self._is_gone(entry, found.summary),
            )
        shown_findings = finish(
            CheckResult(found.findings), session.settings, session.registry, accepted
        ).findings
        own = tuple(finding for finding in shown_findings if finding.filename == name)
        return Checked(found.findings, own, frozenset(found.summary.tests))

    def _is_gone(self, entry: Entry, summary: FileSummary) -> bool:
        """Whether a file, as the fixes have left it so far, has no such test any more."""
        by_nodeid = any("::" in target for target in self.session.targets)
        return (
            entry.filename == summary.filename and not by_nodeid and entry.test not in summary.tests
        )

    def _border(self, path: Path) -> Path:
        """The folder that a fix of a file must not leave: the project's, or else the user's target."""
        root = self.session.settings.root
        if root not in path.parents:
            for target in self.session.targets:
                named = parse_target(target, self.session.cwd).path
                if path == named:
                    return named.parent
                if named in path.parents:
                    return named
        return root

    def _test_files(self) -> dict[str, TestFile]:
        session = self.session
        if session.stdin is not None:
            return {}
        targets = [parse_target(target, session.cwd) for target in session.targets]
        found = find_test_files(targets, session.settings)
        return {self._analyser.project(file.path).relative(file.path): file for file in found}


def _require_python(path: Path, target: Path) -> None:
    """A link may stand for a file of another kind, which no fix was made for."""
    if path.suffix == ".py" != target.suffix:
        raise Refused(f"it is a link to {target}, which is no Python file")


def _accepted(session: Session) -> list[Entry] | None:
    path = session.baseline_path
    return None if path is None else baseline.load(path, shown(path))
