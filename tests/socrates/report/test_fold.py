"""The same finding in several classes is one line for people."""

from __future__ import annotations

from collections.abc import Callable

from socrates.findings import Finding, Severity
from socrates.report.fold import folded


def test_an_inherited_test_is_shown_once(make_finding: Callable[..., Finding]) -> None:
    findings = [make_finding(test=f"tests/test_a.py::Test{n}::test_x") for n in range(3)]
    (shown,) = folded(findings)
    assert shown.message.endswith("(in 3 classes that inherit the test)")


def test_the_worst_severity_counts(make_finding: Callable[..., Finding]) -> None:
    mild = make_finding(test="a.py::A::test_x", severity=Severity.INFO)
    bad = make_finding(test="a.py::B::test_x", severity=Severity.WARNING)
    assert [finding.severity for finding in folded([mild, bad])] == [Severity.WARNING]


def test_findings_at_other_places_stay(make_finding: Callable[..., Finding]) -> None:
    findings = [make_finding(message="one"), make_finding(message="two")]
    assert folded(findings) == findings
