"""What GitHub Actions and GitLab read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from socrates.findings import ACT, CheckResult, Finding, Severity, Span
from socrates.report import ReportContext, render

Make = Callable[..., Finding]


def test_github_annotates_the_exact_place(make_finding: Make, context: ReportContext) -> None:
    assert render(CheckResult((make_finding(),)), "github", context) == (
        "::warning file=tests/test_cart.py,line=4,col=12,endLine=4,endColumn=28,"
        "title=SOC101 assertion-roulette::test_total: 2 assertions, 2 of them unexplained%0ASay why.\n"
    )


@pytest.mark.parametrize(
    ("severity", "command"),
    [(Severity.INFO, "notice"), (Severity.WARNING, "warning"), (Severity.ERROR, "error")],
)
def test_github_has_a_command_for_each_severity(
    severity: Severity, command: str, make_finding: Make, context: ReportContext
) -> None:
    text = render(CheckResult((make_finding(severity=severity),)), "github", context)
    assert text.startswith(f"::{command} file=")


def test_github_gets_no_columns_for_several_lines(
    make_finding: Make, context: ReportContext
) -> None:
    found = CheckResult((make_finding(span=Span(4, 12, 6, 2)),))
    assert "line=4,endLine=6,title=" in render(found, "github", context)


def test_github_escapes_what_would_end_a_property_or_a_line(
    make_finding: Make, context: ReportContext
) -> None:
    hostile = make_finding(filename="a,b:c%\n.py", message="50%\r\n::error::x", advice="")
    text = render(CheckResult((hostile,)), "github", context)
    assert "file=a%2Cb%3Ac%25%0A.py,line=" in text
    assert text.endswith("::test_total: 50%25%0D%0A::error::x\n")


def test_github_annotates_the_line_to_act_on(make_finding: Make, context: ReportContext) -> None:
    found = CheckResult((make_finding(data={ACT: [5, 5, 5, 27]}),))
    assert ",line=5,col=5,endLine=5,endColumn=27," in render(found, "github", context)


@pytest.mark.parametrize("output_format", ["github", "gitlab"])
def test_paths_start_at_the_repository(
    output_format: str, make_finding: Make, context: ReportContext
) -> None:
    nested = replace(context, prefix="backend")
    text = render(CheckResult((make_finding(),)), output_format, nested)
    assert "backend/tests/test_cart.py" in text


def test_gitlab_entry(make_finding: Make, context: ReportContext) -> None:
    (entry,) = json.loads(render(CheckResult((make_finding(),)), "gitlab", context))
    assert entry.pop("fingerprint").isalnum()
    assert entry == {
        "description": "SOC101 assertion-roulette: 2 assertions, 2 of them unexplained",
        "check_name": "SOC101",
        "severity": "minor",
        "location": {"path": "tests/test_cart.py", "lines": {"begin": 4, "end": 4}},
    }


def test_gitlab_fingerprints_are_unique(make_finding: Make, context: ReportContext) -> None:
    entries = json.loads(render(CheckResult((make_finding(),) * 3), "gitlab", context))
    assert len({entry["fingerprint"] for entry in entries}) == 3
