"""What rules give, looked at before anybody relies on it: a wrong answer is its rule's mistake."""

from __future__ import annotations

import json

from socrates.findings import Finding, Related, Severity, Span
from socrates.fix import Edit, Fix


def accepted(finding: object) -> Finding:
    """What a rule found, if it can be sorted, shown, kept and sent to another process.

    Raises TypeError or ValueError.
    """
    if not isinstance(finding, Finding):
        raise TypeError(f"gave {finding!r}, which is not a Finding")
    if not isinstance(finding.severity, Severity):
        raise TypeError(f"gave a Finding with the severity {finding.severity!r}")
    _texts(finding, finding.code, finding.name, finding.message, finding.filename, finding.advice)
    _texts(finding, "" if finding.test is None else finding.test)
    _span(finding.span)
    for related in finding.related:
        if not isinstance(related, Related):
            raise TypeError(f"gave {related!r} as a related place")
        _texts(related, related.message, related.filename)
        _span(related.span)
    if finding.data:
        json.dumps(finding.data)
    return finding


def accepted_fix(fix: object) -> Fix:
    """How a rule would fix a finding, if it can be applied, shown and kept. Raises TypeError."""
    if not isinstance(fix, Fix) or fix.applicability not in ("safe", "unsafe"):
        raise TypeError(f"gave {fix!r}, which is not a Fix")
    if not isinstance(fix.edits, tuple):
        raise TypeError(f"gave {fix.edits!r} as edits, which is not a tuple")
    _texts(fix, fix.message)
    for edit in fix.edits:
        if not isinstance(edit, Edit):
            raise TypeError(f"gave {edit!r}, which is not an Edit")
        _texts(edit, edit.text)
        _span(edit.span)
    return fix


def _texts(owner: object, *values: object) -> None:
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"gave a {type(owner).__name__} with {value!r} in place of a text")


def _span(span: object) -> None:
    if not isinstance(span, Span) or not all(type(number) is int for number in span):
        raise TypeError(f"gave {span!r}, which is not a Span")
    if min(span) < 1:
        raise ValueError(f"gave {span!r}; rows and columns start at 1")
