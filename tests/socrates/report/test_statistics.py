"""The diffusion table."""

from __future__ import annotations

import json
from dataclasses import replace
from textwrap import dedent

import pytest

from socrates.findings import CheckResult
from socrates.report import ReportContext, statistics, statistics_rows
from socrates.report.statistics import Row, Share


def row(result: CheckResult, context: ReportContext, name: str) -> Row:
    return next(each for each in statistics_rows(result, context) if each.name == name)


def test_table(result: CheckResult, context: ReportContext) -> None:
    assert statistics(result, context) == dedent("""\
        code    smell               findings  test files  test classes  test cases
        ------  ------------------  --------  ----------  ------------  ----------
        SOC000  syntax-error               1  1/2  50.0%    0/1   0.0%  0/3   0.0%
        SOC101  assertion-roulette         1  1/2  50.0%    0/1   0.0%  1/3  33.3%
        SOC102  eager-test                 0  0/2   0.0%    0/1   0.0%  0/3   0.0%
        SOC105  mystery-guest              1  1/2  50.0%    1/1 100.0%  1/3  33.3%
        ------  ------------------  --------  ----------  ------------  ----------
                any smell                  2  1/2  50.0%    1/1 100.0%  2/3  66.7%
                clean                         1/2  50.0%    0/1   0.0%  1/3  33.3%
        """)


def test_a_test_with_two_findings_of_a_smell_counts_once(
    result: CheckResult, context: ReportContext
) -> None:
    twice = replace(result, findings=(result.findings[0],) * 2)
    roulette = row(twice, context, "assertion-roulette")
    assert (roulette.findings, roulette.tests) == (2, Share(1, 3))


def test_smell_in_a_nested_class_affects_the_outer_one(
    result: CheckResult, context: ReportContext
) -> None:
    test = "t.py::TestOuter::TestInner::test_x"
    summary = replace(
        result.files[0],
        filename="t.py",
        tests=(test,),
        classes=("TestOuter", "t.py::TestOuter::TestInner"),
    )
    found = replace(result.findings[0], filename="t.py", test=test)
    nested = CheckResult((found,), (summary,))
    assert row(nested, context, "assertion-roulette").classes == Share(2, 2)


@pytest.mark.parametrize("code", ["SOC000", "SOC001"])
def test_findings_about_the_run_leave_a_test_clean(
    code: str, result: CheckResult, context: ReportContext
) -> None:
    about_run = replace(result, findings=(replace(result.findings[0], code=code),))
    assert row(about_run, context, "clean").tests == Share(3, 3)


def test_shares_of_nothing_are_no_number(context: ReportContext) -> None:
    assert row(CheckResult(), context, "clean").tests.percent is None


def test_json_has_a_row_for_each_smell_then_any_then_clean(
    result: CheckResult, context: ReportContext
) -> None:
    rows = json.loads(statistics(result, context, "json"))
    assert [entry["name"] for entry in rows][-2:] == ["any smell", "clean"]
    assert rows[1]["tests"] == {"affected": 1, "total": 3, "percent": 33.3}


def test_json_lines_are_the_same_rows(result: CheckResult, context: ReportContext) -> None:
    lines = statistics(result, context, "json-lines").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(statistics(result, context, "json"))
