"""Fixes for reports: worked out file by file as the report asks for them, and kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from socrates import registry
from socrates.discovery.files import TestFile
from socrates.engine.analyse import Analyser
from socrates.engine.cache import Cache
from socrates.engine.gc_tuning import after_file
from socrates.findings import CheckResult, Finding, PluginError
from socrates.fixes.ask import ask, is_able
from socrates.model.python.source import SourceError, read
from socrates.rule import Rule
from socrates.session import Session

FixData = Mapping[str, object]


class ReportedFixes:
    """The fixes of the findings that are shown, as plain data; only those of one file at a time.

    Files without findings of rules that fix are not looked at again. Rules whose fixes are all
    unsafe are asked only with ``unsafe``: working them out for a whole suite takes longer than
    the check. Rules that fail to make a fix are added to ``errors``.
    """

    def __init__(
        self,
        session: Session,
        result: CheckResult,
        errors: list[PluginError],
        *,
        unsafe: bool = False,
        use_cache: bool = True,
    ) -> None:
        self._errors = errors
        self._session = session
        self._unsafe = unsafe
        keeps = use_cache and session.stdin is None
        self._cache = Cache(session.settings, session.rules) if keeps else None
        self._analyser: Analyser | None = None
        self._asked: dict[str, list[Finding]] = {}
        self._filename: str | None = None
        self._fixes: Mapping[Finding, FixData] = {}
        able = {rule.code for rule in session.rules if _is_asked(rule, unsafe)}
        for finding in result.findings:
            if finding.code in able:
                self._asked.setdefault(finding.filename, []).append(finding)

    def of(self, finding: Finding) -> FixData | None:
        """The fix of a finding. Cheap when findings come file by file."""
        if finding.filename != self._filename:
            self._filename = finding.filename
            asked = self._asked.get(finding.filename, ())
            self._fixes = self._fixes_of(finding.filename, asked) if asked else {}
        return self._fixes.get(finding)

    def _fixes_of(self, filename: str, findings: Sequence[Finding]) -> Mapping[Finding, FixData]:
        path = self._session.settings.root / filename
        kept = self._cache.get_fixes(path, findings, self._unsafe) if self._cache else None
        if kept is not None:
            return kept
        failed = len(self._errors)
        fixes, dependencies = self._worked_out(filename, path, findings)
        if self._cache is not None and len(self._errors) == failed:
            self._cache.put_fixes(path, findings, self._unsafe, dependencies, fixes)
        return fixes

    def _worked_out(
        self, filename: str, path: Path, findings: Sequence[Finding]
    ) -> tuple[Mapping[Finding, FixData], Sequence[str]]:
        if self._analyser is None:
            rules = self._session.rules
            known = registry.installed().names
            self._analyser = Analyser(self._session.settings, rules, known)
        project = self._analyser.project(path)
        project.dependencies = {f"file:{path}"}
        try:
            data = _text(self._session, filename, path)
        except SourceError:
            return {}, sorted(project.dependencies)
        found = ask(self._analyser, TestFile(path), data, findings, self._errors, last=True)
        after_file()
        unsafe = self._unsafe
        fixes = {f: fix.as_dict() for f, fix in found.items() if unsafe or fix.is_safe}
        return fixes, sorted(project.dependencies)


def _is_asked(rule: Rule, unsafe: bool) -> bool:
    return is_able(rule) and (unsafe or rule.fixes_safely)


def _text(session: Session, filename: str, path: Path) -> bytes:
    if session.stdin is not None and filename == session.stdin_name:
        return session.stdin[1]
    return read(path)
