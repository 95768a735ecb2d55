"""Results to report on, built from the real data classes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.findings import CheckResult, FileSummary, Finding, Related, Severity, Span
from socrates.report import ReportContext, RuleInfo

FILE = "tests/test_cart.py"
SOURCE = """\
import os

def test_total(cart):
    assert cart.add(1) == 1
    assert cart.total == 3

class TestPrice:
    def test_price(self):
        assert open("prices").read() == "3"

    def test_free(self):
        assert True
"""


@pytest.fixture(scope="session")
def make_finding() -> Callable[..., Finding]:
    """A finding about ``test_total`` but for what a test says otherwise."""

    def make(**changes: object) -> Finding:
        values: dict[str, object] = {
            "code": "SOC101",
            "name": "assertion-roulette",
            "severity": Severity.WARNING,
            "message": "2 assertions, 2 of them unexplained",
            "filename": FILE,
            "span": Span(4, 12, 4, 28),
            "test": f"{FILE}::test_total",
            "advice": "Say why.",
        }
        return Finding(**(values | changes))  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def result(make_finding: Callable[..., Finding]) -> CheckResult:
    """Three tests of which two smell, and a file that does not parse."""
    return CheckResult(
        findings=(
            make_finding(related=(Related("another one", FILE, Span(5, 12, 5, 27)),)),
            make_finding(
                code="SOC105",
                name="mystery-guest",
                severity=Severity.INFO,
                message="opens 'prices'",
                span=Span(9, 16, 9, 30),
                test=f"{FILE}::TestPrice::test_price",
            ),
            make_finding(
                code="SOC000",
                name="syntax-error",
                severity=Severity.ERROR,
                message="invalid syntax",
                filename="tests/test_old.py",
                span=Span(1, 7, 1, 8),
                test=None,
                advice="",
            ),
        ),
        files=(
            FileSummary(
                FILE,
                (
                    f"{FILE}::test_total",
                    f"{FILE}::TestPrice::test_price",
                    f"{FILE}::TestPrice::test_free",
                ),
                (3, 8, 11),
                ("TestPrice",),
            ),
            FileSummary("tests/test_old.py"),
        ),
    )


@pytest.fixture(scope="session")
def context() -> ReportContext:
    """A project of one readable file and two known rules."""
    rules = [
        RuleInfo(
            code,
            name,
            f"About {name}.",
            "The way out.",
            f"What it does\n    Finds {name}.",
            url=f"https://example.org/{name}/",
        )
        for code, name in [("SOC101", "assertion-roulette"), ("SOC102", "eager-test")]
    ]
    return ReportContext(
        Path("project"),
        {FILE: SOURCE}.get,
        {rule.code: rule for rule in rules},
        version="1.2.3",
    )
