"""``json``: a list of findings, the contract that other tools rely on."""

from __future__ import annotations

from collections.abc import Iterator

from socrates.findings import CheckResult, Finding, Related, Span
from socrates.printable import well_formed
from socrates.report.context import ReportContext
from socrates.report.pretty import pretty_items


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """Every finding in order, as an indented list."""
    yield from pretty_items(as_dict(finding, context) for finding in result.findings)
    yield "\n"


def as_dict(finding: Finding, context: ReportContext) -> dict[str, object]:
    """One finding as plain data; rows and columns start at 1 and the end is exclusive."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": well_formed(finding.message),
        "filename": well_formed(finding.filename),
        **_place(finding.span),
        "test": None if finding.test is None else well_formed(finding.test),
        "related": [_related(related) for related in finding.related],
        "fix": context.fix(finding),
        "url": context.url_of(finding),
    }


def _related(related: Related) -> dict[str, object]:
    return {
        "message": well_formed(related.message),
        "filename": well_formed(related.filename),
        **_place(related.span),
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "location": {"row": span.row, "column": span.column},
        "end_location": {"row": span.end_row, "column": span.end_column},
    }
