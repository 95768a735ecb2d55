"""``--statistics``: how far each smell has spread, after the diffusion table of the thesis."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from socrates.classes.lazy import dataclass
from socrates.findings import CheckResult, FileSummary, Finding
from socrates.printable import one_line
from socrates.report.context import ReportContext

_NO_SMELL = ("SOC000", "SOC001")  # a broken file and an idle comment say nothing about a test
_HEADINGS = ("code", "smell", "findings", "test files", "test classes", "test cases")


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    affected: int
    total: int

    @property
    def percent(self) -> float | None:
        """The share in percent, rounded to a tenth; None of nothing."""
        return round(100 * self.affected / self.total, 1) if self.total else None

    def as_dict(self) -> dict[str, object]:
        """The share as plain data."""
        return {"affected": self.affected, "total": self.total, "percent": self.percent}


@dataclass(frozen=True, slots=True)
class Row:
    """The spread of one smell, of any smell (no code), or of none (``clean``)."""

    code: str | None
    name: str
    findings: int
    files: Share
    classes: Share
    tests: Share

    def as_dict(self) -> dict[str, object]:
        """The row as plain data."""
        return {
            "code": self.code,
            "name": self.name,
            "findings": self.findings,
            "files": self.files.as_dict(),
            "classes": self.classes.as_dict(),
            "tests": self.tests.as_dict(),
        }


def statistics_rows(result: CheckResult, context: ReportContext) -> list[Row]:
    """A row for each known rule, by code, then ``any smell`` and ``clean``.

    A test file or class is affected when it holds at least one affected test; a finding about a
    file affects the file alone. Unreadable files and unused suppressions have rows when they
    occur, but are no smells: they leave a test clean.
    """
    names = {code: rule.name for code, rule in context.rules.items() if code not in _NO_SMELL}
    by_code: dict[str, list[Finding]] = {code: [] for code in names}
    for finding in result.findings:
        names.setdefault(finding.code, finding.name)
        by_code.setdefault(finding.code, []).append(finding)
    census = _Census(result)
    rows = [census.row(code, names[code], by_code[code]) for code in sorted(by_code)]
    smells = [finding for finding in result.findings if finding.code not in _NO_SMELL]
    spread = census.row(None, "any smell", smells)
    clean = Row(None, "clean", 0, _rest(spread.files), _rest(spread.classes), _rest(spread.tests))
    return [*rows, spread, clean]


def statistics(result: CheckResult, context: ReportContext, output_format: str = "full") -> str:
    """The table as text, or as a list of objects when the output format is ``json``."""
    rows = statistics_rows(result, context)
    if output_format == "json":
        return json.dumps([row.as_dict() for row in rows], indent=2) + "\n"
    if output_format == "json-lines":
        return "".join(f"{json.dumps(row.as_dict())}\n" for row in rows)
    return _table(rows)


class _Census:
    """The tests, classes and files of a run, and which of them findings affect."""

    def __init__(self, result: CheckResult) -> None:
        found = {finding.filename for finding in result.findings}
        files = [file for file in result.files if file.tests or file.filename in found]
        self._files = {file.filename for file in files}
        self._classes = {name for file in files for name in _class_ids(file)}
        self._tests = {test for file in files for test in file.tests}

    def row(self, code: str | None, name: str, findings: list[Finding]) -> Row:
        tests = {finding.test for finding in findings if finding.test is not None}
        classes = {parent for test in tests for parent in _parents(test)}
        files = {finding.filename for finding in findings}
        return Row(
            code,
            name,
            len(findings),
            Share(len(files & self._files), len(self._files)),
            Share(len(classes & self._classes), len(self._classes)),
            Share(len(tests & self._tests), len(self._tests)),
        )


def _class_ids(file: FileSummary) -> Iterator[str]:
    for name in file.classes:
        yield name if name.startswith(f"{file.filename}::") else f"{file.filename}::{name}"


def _parents(node_id: str) -> Iterator[str]:
    """The node ids of the classes around a test, the inner ones too."""
    filename, *rest = node_id.split("::")
    for depth in range(1, len(rest)):
        yield "::".join([filename, *rest[:depth]])


def _rest(share: Share) -> Share:
    return Share(share.total - share.affected, share.total)


def _table(rows: Iterable[Row]) -> str:
    body = [
        (
            row.code or "",
            one_line(row.name),
            f"{row.findings:,}" if row.name != "clean" else "",
            *(_cell(share) for share in (row.files, row.classes, row.tests)),
        )
        for row in rows
    ]
    table = [_HEADINGS, *body]
    widths = [max(len(line[column]) for line in table) for column in range(len(_HEADINGS))]
    lines = [_line(line, widths) for line in table]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:-2], rule, *lines[-2:]]) + "\n"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    texts = [f"{cell:<{width}}" for cell, width in zip(cells[:2], widths[:2], strict=True)]
    numbers = [f"{cell:>{width}}" for cell, width in zip(cells[2:], widths[2:], strict=True)]
    return "  ".join([*texts, *numbers]).rstrip()


def _cell(share: Share) -> str:
    if share.percent is None:
        return "-"
    return f"{share.affected:,}/{share.total:,} {share.percent:5.1f}%"
