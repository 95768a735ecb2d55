"""JUnit XML, read back by a parser."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

from socrates.findings import CheckResult, Finding, Severity
from socrates.report import ReportContext, render

Make = Callable[..., Finding]


def parsed(result: CheckResult, context: ReportContext) -> ET.Element:
    return ET.fromstring(render(result, "junit", context).encode())


def test_every_test_is_a_case_named_as_pytest_names_it(
    result: CheckResult, context: ReportContext
) -> None:
    cases = parsed(result, context).findall("testsuite[1]/testcase")
    assert [(case.get("classname"), case.get("name"), case.get("line")) for case in cases] == [
        ("tests.test_cart", "test_total", "3"),
        ("tests.test_cart.TestPrice", "test_price", "8"),
        ("tests.test_cart.TestPrice", "test_free", "11"),
    ]


def test_only_warnings_and_errors_fail(result: CheckResult, context: ReportContext) -> None:
    failed = parsed(result, context).findall(".//testcase[failure]")
    assert [case.get("name") for case in failed] == ["test_total", "SOC000 syntax-error (line 1)"]


def test_infos_are_output_of_their_test(result: CheckResult, context: ReportContext) -> None:
    output = parsed(result, context).findtext(".//testcase[@name='test_price']/system-out")
    assert "SOC105 mystery-guest [info] opens 'prices'" in str(output)


def test_totals_add_up(result: CheckResult, context: ReportContext) -> None:
    suites = parsed(result, context)
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("4", "2", "0")


def test_several_findings_are_one_failure(make_finding: Make, context: ReportContext) -> None:
    guest = make_finding(code="SOC105", name="mystery-guest", severity=Severity.ERROR)
    (failure,) = parsed(CheckResult((make_finding(), guest)), context).iter("failure")
    assert failure.attrib == {
        "message": "2 findings: SOC101 assertion-roulette, SOC105 mystery-guest",
        "type": "error",
    }


def test_characters_that_xml_forbids_are_shown_as_escapes(
    make_finding: Make, context: ReportContext
) -> None:
    found = CheckResult((make_finding(message="\x00\x1b\ufffe\udc80 <&]]>", advice=""),))
    text = parsed(found, context).findtext(".//failure")
    assert str(text).endswith("\\x00\\x1b\\ufffe\\x80 <&]]>")
