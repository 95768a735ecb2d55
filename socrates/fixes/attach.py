"""Fixes for reports: computed for the findings that are shown, and for no others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from socrates import registry
from socrates.discovery.files import TestFile
from socrates.engine.analyse import Analyser
from socrates.findings import CheckResult, Finding, PluginError
from socrates.fixes.ask import ask, is_able
from socrates.model.python.source import SourceError, read
from socrates.session import Session


def attach(session: Session, result: CheckResult, *, unsafe: bool = False) -> CheckResult:
    """The result with ``data["fix"]`` filled in, as plain data, where a rule knows a fix.

    Files without findings of such rules are not looked at again. Rules whose fixes are all unsafe
    are asked only with ``unsafe``: working them out for a whole suite takes longer than the check.
    """
    able = {rule.code for rule in session.rules if is_able(rule) and (unsafe or rule.fixes_safely)}
    by_file: dict[str, list[Finding]] = {}
    for finding in result.findings:
        if finding.code in able:
            by_file.setdefault(finding.filename, []).append(finding)
    if not by_file:
        return result
    analyser = Analyser(session.settings, session.rules, registry.installed().names)
    errors: list[PluginError] = []
    fixes: dict[Finding, Mapping[str, object]] = {}
    for filename, findings in by_file.items():
        path = session.settings.root / filename
        try:
            data = _text(session, filename, path)
        except SourceError:
            continue
        found = ask(analyser, TestFile(path), data, findings, errors)
        fixes.update({finding: fix.as_dict() for finding, fix in found.items()})
    return replace(
        result,
        findings=tuple(_with_fix(finding, fixes.get(finding)) for finding in result.findings),
        errors=(*result.errors, *errors),
    )


def _text(session: Session, filename: str, path: Path) -> bytes:
    if session.stdin is not None and filename == session.stdin_name:
        return session.stdin[1]
    return read(path)


def _with_fix(finding: Finding, fix: Mapping[str, object] | None) -> Finding:
    return finding if fix is None else replace(finding, data={**finding.data, "fix": dict(fix)})
