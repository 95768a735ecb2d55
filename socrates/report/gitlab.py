"""``gitlab``: a Code Quality report for merge requests."""

from __future__ import annotations

from collections.abc import Iterator

from socrates.findings import CheckResult, Finding, Severity
from socrates.printable import well_formed
from socrates.report.context import ReportContext
from socrates.report.fingerprint import fingerprints
from socrates.report.pretty import pretty_items

_SEVERITIES = {Severity.INFO: "info", Severity.WARNING: "minor", Severity.ERROR: "major"}


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """A list with one entry per finding, each with a fingerprint that moved lines do not change."""
    names = fingerprints(result.findings, context.source)
    named = zip(result.findings, names, strict=True)
    yield from pretty_items(_entry(finding, name, context) for finding, name in named)
    yield "\n"


def _entry(finding: Finding, fingerprint: str, context: ReportContext) -> dict[str, object]:
    return {
        "description": well_formed(f"{finding.code} {finding.name}: {finding.message}"),
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": well_formed(context.repository_path(finding.filename)),
            "lines": {"begin": finding.span.row, "end": finding.span.end_row},
        },
    }
