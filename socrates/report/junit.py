"""``junit``: every test as a test case, failed when it has findings at ``warning`` or worse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from socrates.classes.lazy import dataclass
from socrates.findings import CheckResult, FileSummary, Finding, Severity
from socrates.printable import visible
from socrates.report.context import ReportContext
from socrates.report.text import count

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """One suite per file. Findings below ``warning`` are output of their test, not failures."""
    by_file: dict[str, list[Finding]] = {file.filename: [] for file in result.files}
    for finding in result.findings:
        by_file.setdefault(finding.filename, []).append(finding)
    files = {file.filename: file for file in result.files}
    cases = {
        name: _cases(files.get(name, FileSummary(name)), found) for name, found in by_file.items()
    }
    head = {"name": "socrates", **_totals(case for suite in cases.values() for case in suite)}
    top = ET.Element("testsuites", {**head, "time": f"{result.duration:.3f}"})
    opened = ET.tostring(top, encoding="unicode", short_empty_elements=not cases)
    yield f'<?xml version="1.0" encoding="utf-8"?>\n{opened.removesuffix("</testsuites>")}'
    for filename, suite in cases.items():
        yield f"\n  {_suite(filename, suite)}"
    yield "\n</testsuites>\n" if cases else "\n"


@dataclass(frozen=True, slots=True)
class _Case:
    """A test with its findings, or a finding about a file as a case of its own."""

    classname: str
    name: str
    line: int | None
    findings: Sequence[Finding]

    @property
    def failing(self) -> list[Finding]:
        return [each for each in self.findings if each.severity.at_least(Severity.WARNING)]

    @property
    def shown(self) -> list[Finding]:
        return [each for each in self.findings if not each.severity.at_least(Severity.WARNING)]


def _cases(file: FileSummary, findings: Iterable[Finding]) -> list[_Case]:
    lines: dict[str, int | None] = dict.fromkeys(file.tests)
    lines.update(zip(file.tests, file.test_lines, strict=False))
    by_test: dict[str, list[Finding]] = {test: [] for test in lines}
    about_file = []
    for finding in findings:
        if finding.test is None:
            title = f"{finding.code} {finding.name} (line {finding.span.row})"
            classname = _names(file.filename)[0]
            about_file.append(_Case(classname, title, finding.span.row, (finding,)))
        else:
            by_test.setdefault(finding.test, []).append(finding)
    tests = [_Case(*_names(test), lines.get(test), found) for test, found in by_test.items()]
    return [*tests, *about_file]


def _totals(cases: Iterable[_Case]) -> dict[str, str]:
    failed = [bool(case.failing) for case in cases]
    return {"tests": str(len(failed)), "failures": str(sum(failed)), "errors": "0"}


def _suite(filename: str, cases: Sequence[_Case]) -> str:
    """The suite of one file, indented by one level."""
    suite = ET.Element("testsuite", {"name": _legal(filename), **_totals(cases)})
    for case in cases:
        attributes = {"classname": case.classname, "name": case.name, "file": filename}
        if case.line is not None:
            attributes["line"] = str(case.line)
        legal = {key: _legal(value) for key, value in attributes.items()}
        _add_findings(ET.SubElement(suite, "testcase", legal), case)
    ET.indent(suite, level=1)
    return ET.tostring(suite, encoding="unicode")


def _add_findings(element: ET.Element, case: _Case) -> None:
    failing, shown = case.failing, case.shown
    if failing:
        codes = ", ".join(dict.fromkeys(f"{each.code} {each.name}" for each in failing))
        attributes = {
            "message": _legal(f"{count(len(failing), 'finding')}: {codes}"),
            "type": max(failing, key=lambda each: each.severity.rank).severity.value,
        }
        ET.SubElement(element, "failure", attributes).text = _listing(failing)
    if shown:
        ET.SubElement(element, "system-out").text = _listing(shown)


def _listing(findings: Iterable[Finding]) -> str:
    lines = []
    for finding in findings:
        place = f"{finding.filename}:{finding.span.row}:{finding.span.column}"
        verdict = f"{finding.code} {finding.name} [{finding.severity.value}]"
        lines.append(f"{place}: {verdict} {finding.message}")
        if finding.advice:
            lines.append(f"  {finding.advice}")
    return _legal("\n".join(lines))


def _names(node_id: str) -> tuple[str, str]:
    """The class name and name as pytest's own JUnit report gives them."""
    filename, *rest = node_id.split("::")
    module = filename.removesuffix(".py").replace("/", ".")
    return ".".join([module, *rest[:-1]]), rest[-1] if rest else ""


def _legal(text: str) -> str:
    """``text`` with what XML 1.0 forbids, and what steers a terminal, as visible escapes."""
    shown = "\n".join(visible(line) for line in text.split("\n"))
    return _ILLEGAL.sub(lambda match: f"\\u{ord(match[0]):04x}", shown)
