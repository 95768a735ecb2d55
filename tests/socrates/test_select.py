"""From all findings to those that are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates import registry
from socrates.findings import CheckResult, Finding, Severity, Span
from socrates.plugins import Contributed
from socrates.select import fails, finish, matches_file
from socrates.settings import Settings
from socrates_rules.assertion_roulette.rule import AssertionRoulette

INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR


def finding(code: str, severity: Severity, filename: str = "tests/test_a.py") -> Finding:
    return Finding(code, "name", severity, "m", filename, Span(1, 1, 1, 2))


def shown(*findings: Finding, **settings) -> list[tuple[str, Severity]]:
    result = finish(CheckResult(findings), Settings(Path(), **settings), registry.installed())
    return [(item.code, item.severity) for item in result.findings]


class Raised(AssertionRoulette):
    code = "ACME101"
    name = "raised"


class NotRaised(AssertionRoulette):
    code = "ACME102"
    name = "not-raised"
    strict_raises_info = False


@pytest.mark.parametrize(
    ("code", "severity", "expected"),
    [
        pytest.param("SOC101", INFO, WARNING, id="ours"),
        pytest.param("SOC101", ERROR, ERROR, id="error stays an error"),
        pytest.param("ACME101", INFO, WARNING, id="of a plugin"),
        pytest.param("ACME102", INFO, INFO, id="of a plugin that opts out"),
        pytest.param("ACME999", INFO, INFO, id="of no rule"),
    ],
)
def test_strict_raises_info_unless_the_rule_opts_out(code, severity, expected) -> None:
    rules = registry.build(
        [Contributed("acme", rule) for rule in (AssertionRoulette, Raised, NotRaised)]
    )
    found = CheckResult((finding(code, severity),))
    [shown] = finish(found, Settings(Path(), strict=True), rules).findings
    assert shown.severity is expected


def test_info_stays_info_without_strict() -> None:
    assert shown(finding("SOC101", INFO)) == [("SOC101", INFO)]


def test_strict_is_applied_before_min_severity() -> None:
    assert shown(finding("SOC101", INFO), strict=True, min_severity=WARNING) == [
        ("SOC101", WARNING)
    ]


def test_findings_are_sorted_by_place() -> None:
    found = [finding("SOC101", INFO, "b.py"), finding("SOC101", INFO, "a.py")]
    result = finish(CheckResult(tuple(found)), Settings(Path()), registry.installed())
    assert [item.filename for item in result.findings] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("tests/test_a.py", True),
        ("tests/*", True),
        ("tests", True),
        ("tests/", True),
        ("./tests", True),
        ("test_a.py", True),
        ("*_a.py", True),
        ("**/test_a.py", True),
        ("tests/**/test_a.py", True),
        ("test", False),
        ("a.py", False),
        ("sub/tests/*", False),
    ],
)
def test_glob(pattern: str, matches: bool) -> None:
    assert matches_file("tests/test_a.py", pattern) is matches


def test_double_star_also_matches_at_the_top() -> None:
    assert matches_file("test_a.py", "**/test_a.py")


@pytest.mark.parametrize(
    ("severity", "fail_on", "expected"),
    [(INFO, WARNING, False), (WARNING, WARNING, True), (ERROR, WARNING, True), (INFO, INFO, True)],
)
def test_verdict(severity, fail_on, expected) -> None:
    result = CheckResult((finding("SOC101", severity),))
    assert fails(result, Settings(Path(), fail_on=fail_on)) is expected
