"""Results and fixes as JSON, and back: what is not exactly of the expected form is a ValueError."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from socrates.engine.result import FileResult
from socrates.findings import FileSummary, Finding, Related, Severity, Span

_T = TypeVar("_T")


def result_to(result: FileResult) -> dict[str, object]:
    """A result as plain data."""
    summary = result.summary
    return {
        "filename": summary.filename,
        "tests": summary.tests,
        "lines": summary.test_lines,
        "classes": summary.classes,
        "suppressed": result.suppressed,
        "findings": [finding_to(finding) for finding in result.findings],
    }


def result_from(data: Mapping[str, object]) -> FileResult:
    """A result from plain data. Raises ValueError, KeyError or TypeError."""
    summary = FileSummary(
        _text(data["filename"]),
        _tuple(data["tests"], _text),
        _tuple(data["lines"], _number),
        _tuple(data["classes"], _text),
    )
    findings = _tuple(data["findings"], _finding_from)
    return FileResult(summary, findings, _number(data["suppressed"]))


def finding_to(finding: Finding) -> list[object]:
    """A finding as plain data."""
    span = finding.span
    return [
        finding.code,
        finding.name,
        finding.severity.value,
        finding.message,
        finding.filename,
        [span.row, span.column, span.end_row, span.end_column],
        finding.test,
        [
            [r.message, r.filename, [r.span.row, r.span.column, r.span.end_row, r.span.end_column]]
            for r in finding.related
        ],
        finding.advice,
        dict(finding.data),
    ]


def _finding_from(data: object) -> Finding:
    if not isinstance(data, list) or len(data) != 10 or not isinstance(data[9], dict):
        raise ValueError(data)
    code, name, severity, message, filename, span, test, related, advice, extra = data
    return Finding(
        _text(code),
        _text(name),
        Severity(severity),
        _text(message),
        _text(filename),
        _span(span),
        None if test is None else _text(test),
        _related(related),
        _text(advice),
        extra,
    )


def _related(data: object) -> tuple[Related, ...]:
    """Related places from JSON, in one loop for speed: most of an entry are such places."""
    if not isinstance(data, list):
        raise ValueError(data)
    found = []
    for message, filename, span in data:
        if type(message) is not str or type(filename) is not str:
            raise ValueError(data)
        found.append(Related(message, filename, _span(span)))
    return tuple(found)


def _span(data: object) -> Span:
    if not isinstance(data, list) or len(data) != 4:
        raise ValueError(data)
    row, column, end_row, end_column = data
    if not type(row) is type(column) is type(end_row) is type(end_column) is int or min(data) < 1:
        raise ValueError(data)
    return Span(row, column, end_row, end_column)


def _tuple(data: object, convert: Callable[[object], _T]) -> tuple[_T, ...]:
    if not isinstance(data, list):
        raise ValueError(data)
    return tuple([convert(item) for item in data])


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise ValueError(data)
    return data


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise ValueError(data)
    return data


def fix_from(data: object) -> dict[str, object]:
    """A fix as ``Fix.as_dict`` gives it, from data that may be anything. Raises ValueError."""
    if not isinstance(data, dict) or data.keys() != {"applicability", "message", "edits"}:
        raise ValueError(data)
    if data["applicability"] not in ("safe", "unsafe"):
        raise ValueError(data)
    edits = _tuple(data["edits"], _edit)
    return {
        "applicability": data["applicability"],
        "message": _text(data["message"]),
        "edits": list(edits),
    }


def _edit(data: object) -> dict[str, object]:
    if not isinstance(data, dict) or data.keys() != {"content", "location", "end_location"}:
        raise ValueError(data)
    return {
        "content": _text(data["content"]),
        "location": _place(data["location"]),
        "end_location": _place(data["end_location"]),
    }


def _place(data: object) -> dict[str, object]:
    if not isinstance(data, dict) or data.keys() != {"row", "column"}:
        raise ValueError(data)
    return {"row": _number(data["row"]), "column": _number(data["column"])}
