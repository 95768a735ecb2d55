"""``github``: workflow commands that GitHub Actions turns into annotations."""

from __future__ import annotations

from collections.abc import Iterator

from socrates.findings import CheckResult, Finding, Severity
from socrates.printable import visible
from socrates.report.concise import test_name
from socrates.report.context import ReportContext

_COMMANDS = {Severity.INFO: "notice", Severity.WARNING: "warning", Severity.ERROR: "error"}


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """One command per line; whatever a name or message holds, it stays within its own line."""
    return (f"{_command(finding, context)}\n" for finding in result.findings)


def _command(finding: Finding, context: ReportContext) -> str:
    span = finding.act
    properties = {
        "file": context.repository_path(finding.filename),
        "line": str(span.row),
        "endLine": str(span.end_row),
        "title": f"{finding.code} {finding.name}",
    }
    if span.row == span.end_row:
        # Actions drops the columns, with a complaint, from an annotation of several lines.
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    order = ("file", "line", "col", "endLine", "endColumn", "title")
    listed = ",".join(f"{key}={_property(properties[key])}" for key in order if key in properties)
    test = test_name(finding)
    message = f"{test}: {finding.message}" if test else finding.message
    if finding.advice:
        message += f"\n{finding.advice}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
