"""The tables of the HTML page: tests by smells, and how far each smell has spread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from html import escape

from socrates.classes.lazy import dataclass
from socrates.findings import CheckResult, Finding
from socrates.printable import one_line
from socrates.report.statistics import Row, Share


@dataclass(slots=True)
class _Line:
    """One row: a test, or a file with findings that belong to no test."""

    filename: str
    test: str | None
    line: int | None = None
    findings: list[tuple[int, Finding]] = field(default_factory=list)


def table_of_tests(result: CheckResult) -> str:
    """One row per test, one column per smell that was found, one button per finding."""
    codes = {finding.code: finding.name for finding in result.findings}
    columns = sorted(codes)
    heads = [
        _head("text", "File"),
        _head("text", "Test"),
        *(_head("smell", code, codes[code]) for code in columns),
        _head("total", "Findings"),
    ]
    body = "\n".join(_row(line, columns) for line in _lines(result))
    return (
        f'<table id="tests"><thead><tr>{"".join(heads)}</tr></thead>\n<tbody>{body}</tbody></table>'
    )


def _lines(result: CheckResult) -> Iterable[_Line]:
    lines: dict[tuple[str, str | None], _Line] = {}
    for file in result.files:
        numbers = [*file.test_lines, *[None] * (len(file.tests) - len(file.test_lines))]
        for test, number in zip(file.tests, numbers, strict=False):
            lines[file.filename, test] = _Line(file.filename, test, number)
    for index, finding in enumerate(result.findings):
        key = (finding.filename, finding.test)
        lines.setdefault(key, _Line(*key)).findings.append((index, finding))
    return lines.values()


def _head(kind: str, title: str, subtitle: str = "") -> str:
    small = f"<small>{_shown(subtitle)}</small>" if subtitle else ""
    align = ' class="smell"' if kind == "smell" else ' class="number"' if kind == "total" else ""
    button = f'<button type="button">{_shown(title)}</button>'
    return f'<th scope="col" data-sort="{kind}" aria-sort="none"{align}>{button}{small}</th>'


def _row(line: _Line, columns: list[str]) -> str:
    cells = dict.fromkeys(columns, "")
    for index, finding in line.findings:
        severity = finding.severity.value
        label = _shown(f"{finding.code} {severity} in {line.test or line.filename}")
        cells[finding.code] += (
            f'<button type="button" class="cell {severity}" data-finding="{index}" '
            f'aria-expanded="false" aria-label="{label}">{severity}</button>'
        )
    smells = "".join(f'<td class="smell">{cell}</td>' for cell in cells.values())
    smelly = ' class="smelly"' if line.findings else ""
    return (
        f'<tr data-test="{_shown(line.test or line.filename)}"{smelly}>'
        f'<td class="file">{_breakable(line.filename)}</td><th scope="row">{_test(line)}</th>'
        f'{smells}<td class="number">{len(line.findings) or ""}</td></tr>'
    )


def _test(line: _Line) -> str:
    if line.test is None:
        return "<small>(the file itself)</small>"
    *classes, name = line.test.removeprefix(f"{line.filename}::").split("::")
    group = f'<span class="group">{_breakable("::".join(classes))}::</span>' if classes else ""
    number = f" <small>:{line.line}</small>" if line.line is not None else ""
    return f"{group}{_breakable(name)}{number}"


def diffusion(rows: Iterable[Row]) -> str:
    """The statistics as a table."""
    titles = ("Code", "Smell", "Findings", "Test files", "Test classes", "Test cases")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    body = "\n".join(
        f"<tr><td>{_shown(row.code or '')}</td><td>{_shown(row.name)}</td>"
        f'<td class="number">{row.findings:,}</td>'
        f"{_share(row.files)}{_share(row.classes)}{_share(row.tests)}</tr>"
        for row in rows
    )
    return f'<table class="narrow"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _share(share: Share) -> str:
    text = "-" if share.percent is None else f"{share.percent:.1f}% ({share.affected:,})"
    return f'<td class="number">{text}</td>'


def _shown(text: str) -> str:
    return escape(one_line(text))


def _breakable(text: str) -> str:
    """A long name may go on in the next line after ``/`` and ``_``."""
    return _shown(text).replace("/", "/<wbr>").replace("_", "_<wbr>")
