"""Every report of one check, word for word as the files in ``data`` have it (see ``kept``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from socrates.findings import (
    CheckResult,
    FileSummary,
    Finding,
    PluginError,
    Related,
    Severity,
    Span,
)
from socrates.report import FORMATS, ReportContext, render, statistics
from tests.socrates.report.conftest import FILE

FIX = {
    "applicability": "safe",
    "message": "Say why",
    "edits": [
        {
            "content": "assert cart.add(1) == 1, 'adds'",
            "location": {"row": 4, "column": 5},
            "end_location": {"row": 5, "column": 27},
        }
    ],
}


@pytest.fixture
def everything(result: CheckResult, make_finding: Callable[..., Finding]) -> CheckResult:
    """Findings of every kind, and all that a check can tell beside them."""
    act = {"act": [8, 5, 8, 30], "fix": FIX, "count": 2}
    more = (
        make_finding(span=Span(4, 5, 5, 27), data=act),
        make_finding(
            code="SOC102",
            name="eager-test",
            message="calls | and <b>",
            test=f"{FILE}::TestPrice::test_price",
            span=Span(8, 5, 9, 44),
            related=(Related("elsewhere", "tests/gone.py", Span(1, 1, 1, 2)),),
            advice="",
        ),
        make_finding(code="X1", name="unknown", severity=Severity.INFO, test=f"{FILE}::test_free"),
        make_finding(span=Span(0, 0, 0, 0), filename="a b/test_%41.py", test="a b/test_%41.py::t"),
    )
    found = sorted((*result.findings, *more), key=lambda finding: finding.sort_key)
    return replace(
        result,
        findings=tuple(found),
        files=(*result.files, FileSummary("a b/test_%41.py", ("a b/test_%41.py::t",))),
        errors=(PluginError("acme", "boom", "acme.py:3"),),
        suppressed=1,
        baselined=1200,
        fixed_baseline=("tests/a.py::t SOC101", "tests/b.py SOC102"),
        warnings=("an old setting",),
        duration=1.5,
    )


def outline(page: str) -> str:
    """A page without its style and its script, one element per line."""
    page = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    page = re.sub(r"sha256-[\w+/=]*", "", page)
    return page.replace("><", ">\n<")


@pytest.mark.parametrize("name", FORMATS)
def test_whole_report(
    name: str,
    everything: CheckResult,
    context: ReportContext,
    kept: Callable[[str, str], str],
) -> None:
    told = render(everything, name, replace(context, prefix="sub/", errors=[]))
    told = outline(told) if name == "html" else told
    assert told == kept(f"check.{name}.txt", told)


@pytest.mark.parametrize("name", ["full", "concise", "grouped"])
@pytest.mark.usefixtures("coloured_terminal")
def test_whole_report_in_colour(
    name: str,
    everything: CheckResult,
    context: ReportContext,
    kept: Callable[[str, str], str],
) -> None:
    told = render(everything, name, replace(context, color=True, width=60))
    assert told == kept(f"check.{name}.colour.txt", told)


@pytest.mark.parametrize("name", ["full", "json", "json-lines"])
def test_whole_statistics(
    name: str, everything: CheckResult, context: ReportContext, kept: Callable[[str, str], str]
) -> None:
    told = statistics(everything, context, name)
    assert told == kept(f"statistics.{name}.txt", told)
