"""The contract of ``json`` and ``json-lines``."""

from __future__ import annotations

import json
from collections.abc import Callable

from socrates.findings import CheckResult, Finding
from socrates.report import ReportContext, render


def test_json_is_a_list_of_the_agreed_objects(result: CheckResult, context: ReportContext) -> None:
    assert json.loads(render(result, "json", context))[0] == {
        "code": "SOC101",
        "name": "assertion-roulette",
        "severity": "warning",
        "message": "2 assertions, 2 of them unexplained",
        "filename": "tests/test_cart.py",
        "location": {"row": 4, "column": 12},
        "end_location": {"row": 4, "column": 28},
        "test": "tests/test_cart.py::test_total",
        "related": [
            {
                "message": "another one",
                "filename": "tests/test_cart.py",
                "location": {"row": 5, "column": 12},
                "end_location": {"row": 5, "column": 27},
            }
        ],
        "fix": None,
        "url": "https://example.org/assertion-roulette/",
    }


def test_finding_about_a_file_has_no_test(result: CheckResult, context: ReportContext) -> None:
    assert json.loads(render(result, "json", context))[2]["test"] is None


def test_fix_is_passed_on(make_finding: Callable[..., Finding], context: ReportContext) -> None:
    fix = {"applicability": "safe", "edits": []}
    found = CheckResult((make_finding(data={"fix": fix}),))
    assert json.loads(render(found, "json", context))[0]["fix"] == fix


def test_nothing_found_is_an_empty_list(context: ReportContext) -> None:
    assert json.loads(render(CheckResult(), "json", context)) == []


def test_json_lines_are_the_same_objects(result: CheckResult, context: ReportContext) -> None:
    lines = render(result, "json-lines", context).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render(result, "json", context))
