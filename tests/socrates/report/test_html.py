"""The HTML page as markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from socrates.findings import CheckResult, FileSummary, Finding, Severity, Span
from socrates.report import ReportContext, render


@pytest.fixture(scope="module")
def page(result: CheckResult, context: ReportContext) -> str:
    """The page of the sample result."""
    return render(result, "html", context)


def data(page: str) -> Any:
    return json.loads(page.split('id="findings">')[1].split("</script>")[0])


@pytest.mark.parametrize("tag", ["style", "script"])
def test_policy_allows_exactly_what_the_page_brings(tag: str, page: str) -> None:
    text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"{tag}-src &#x27;sha256-{digest}&#x27;" in page


def test_policy_forbids_everything_else(page: str) -> None:
    assert 'content="default-src &#x27;none&#x27;;' in page


def test_page_loads_nothing(page: str) -> None:
    assert re.findall(r"\b(?:src|href|srcset|action)=|@import|url\(", page) == []


def test_every_test_has_a_row_and_so_has_a_file_that_does_not_parse(page: str) -> None:
    assert re.findall(r'<tr data-test="([^"]*)"', page) == [
        "tests/test_cart.py::test_total",
        "tests/test_cart.py::TestPrice::test_price",
        "tests/test_cart.py::TestPrice::test_free",
        "tests/test_old.py",
    ]


@pytest.mark.parametrize(
    ("findings", "cards"),
    [
        ([Severity.WARNING], ["0% of them clean", "1 warning", "0 infos"]),
        ([Severity.WARNING] * 2, ["0% of them clean", "2 warnings", "0 infos"]),
        ([Severity.INFO, Severity.ERROR], ["0% of them clean", "1 error", "0 warnings", "1 info"]),
    ],
)
def test_cards_count_by_severity(
    findings: list[Severity], cards: list[str], context: ReportContext
) -> None:
    result = CheckResult(
        tuple(
            Finding("SOC101", "x", severity, "", "test_a.py", Span(1, 1, 1, 2), "test_a.py::test_a")
            for severity in findings
        ),
        (FileSummary("test_a.py", ("test_a.py::test_a",)),),
    )
    page = render(result, "html", context)
    shown = re.findall(r'<li class="\w*"><b>(.*?)</b><span>(.*?)</span></li>', page)
    assert [" ".join(card) for card in shown] == ["1 tests", *cards]


def test_only_smells_that_were_found_have_columns(page: str) -> None:
    heads = re.findall(r'data-sort="smell".*?<button type="button">(\w+)</button>', page)
    assert heads == ["SOC000", "SOC101", "SOC105"]


def test_each_finding_is_a_button_with_its_data(page: str) -> None:
    indexes = [int(index) for index in re.findall(r'data-finding="(\d+)"', page)]
    assert sorted(indexes) == list(range(len(data(page))))


def test_finding_carries_its_code_frame(page: str) -> None:
    assert "4 |     assert cart.add(1) == 1" in data(page)[0]["frame"]


def test_known_rule_gives_the_link(page: str) -> None:
    assert data(page)[0]["url"] == "https://example.org/assertion-roulette/"


def test_large_suite_stays_small_enough_to_open(
    make_finding: Callable[..., Finding], context: ReportContext
) -> None:
    tests = tuple(f"tests/test_cart.py::test_{number}" for number in range(5000))
    findings = tuple(make_finding(test=test) for test in tests[::3])
    big = CheckResult(findings, (FileSummary("tests/test_cart.py", tests),))
    assert len(render(big, "html", context)) < 4_000_000
