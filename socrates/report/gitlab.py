"""``gitlab``: a Code Quality report for merge requests."""

from __future__ import annotations

import json

from socrates.findings import CheckResult, Severity
from socrates.printable import well_formed
from socrates.report.context import ReportContext
from socrates.report.fingerprint import fingerprints

_SEVERITIES = {Severity.INFO: "info", Severity.WARNING: "minor", Severity.ERROR: "major"}


def render(result: CheckResult, context: ReportContext) -> str:
    """A list with one entry per finding, each with a fingerprint that moved lines do not change."""
    names = fingerprints(result.findings, context.read_source)
    entries = [
        {
            "description": well_formed(f"{finding.code} {finding.name}: {finding.message}"),
            "check_name": finding.code,
            "fingerprint": name,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": well_formed(context.repository_path(finding.filename)),
                "lines": {"begin": finding.span.row, "end": finding.span.end_row},
            },
        }
        for finding, name in zip(result.findings, names, strict=True)
    ]
    return json.dumps(entries, indent=2) + "\n"
