"""``junit``: every test as a test case, failed when it has findings at ``warning`` or worse."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from socrates.findings import CheckResult, FileSummary, Finding, Severity
from socrates.printable import visible
from socrates.report.context import ReportContext
from socrates.report.text import count

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(result: CheckResult, context: ReportContext) -> str:
    """One suite per file. Findings below ``warning`` are output of their test, not failures."""
    by_file: dict[str, list[Finding]] = {file.filename: [] for file in result.files}
    for finding in result.findings:
        by_file.setdefault(finding.filename, []).append(finding)
    files = {file.filename: file for file in result.files}
    suites = ET.Element("testsuites", {"name": "socrates"})
    for filename, findings in by_file.items():
        _suite(suites, files.get(filename, FileSummary(filename)), findings)
    for key in ("tests", "failures"):
        suites.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    suites.set("errors", "0")
    suites.set("time", f"{result.duration:.3f}")
    ET.indent(suites)
    body = ET.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _suite(parent: ET.Element, file: FileSummary, findings: list[Finding]) -> None:
    suite = ET.SubElement(parent, "testsuite", {"name": _legal(file.filename)})
    lines: dict[str, int | None] = dict.fromkeys(file.tests)
    lines.update(zip(file.tests, file.test_lines, strict=False))
    by_test: dict[str, list[Finding]] = {test: [] for test in lines}
    about_file = []
    for finding in findings:
        if finding.test is None:
            about_file.append(finding)
        else:
            by_test.setdefault(finding.test, []).append(finding)
    for test, found in by_test.items():
        classname, name = _names(test)
        _case(suite, classname, name, (file.filename, lines.get(test)), found)
    for finding in about_file:
        name = f"{finding.code} {finding.name} (line {finding.span.row})"
        place = (file.filename, finding.span.row)
        _case(suite, _names(file.filename)[0], name, place, [finding])
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
    suite.set("errors", "0")


def _case(
    suite: ET.Element,
    classname: str,
    name: str,
    place: tuple[str, int | None],
    findings: list[Finding],
) -> None:
    attributes = {"classname": classname, "name": name, "file": place[0]}
    if place[1] is not None:
        attributes["line"] = str(place[1])
    legal = {key: _legal(value) for key, value in attributes.items()}
    case = ET.SubElement(suite, "testcase", legal)
    failing = [each for each in findings if each.severity.at_least(Severity.WARNING)]
    if failing:
        codes = ", ".join(dict.fromkeys(f"{each.code} {each.name}" for each in failing))
        failure = ET.SubElement(
            case,
            "failure",
            {
                "message": _legal(f"{count(len(failing), 'finding')}: {codes}"),
                "type": max(failing, key=lambda each: each.severity.rank).severity.value,
            },
        )
        failure.text = _listing(failing)
    shown = [each for each in findings if not each.severity.at_least(Severity.WARNING)]
    if shown:
        ET.SubElement(case, "system-out").text = _listing(shown)


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
