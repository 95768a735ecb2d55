"""The HTML page in a real browser: what sorts, filters and opens, and what must not run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from socrates.findings import CheckResult, FileSummary, Finding, Severity, Span
from socrates.report import ReportContext, render

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason=f"no browser: none of {', '.join(NAMES)}"),
]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()
HOSTILE = "tests/test_b.py::test_</script><img src=x onerror=document.title='owned'>"

Visit = Callable[[str], str]


@pytest.fixture(scope="module")
def page(
    make_finding: Callable[..., Finding],
    context: ReportContext,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Four tests: one with a warning, one with an info, one with both, one clean."""
    names = ["test_warning", "test_info", "test_both", "test_clean"]
    tests = (*(f"tests/test_a.py::{name}" for name in names), HOSTILE)
    roulette = make_finding(filename="tests/test_a.py")
    guest = replace(
        roulette,
        code="SOC105",
        name="mystery-guest",
        severity=Severity.INFO,
        message=HOSTILE,
        span=Span(9, 16, 9, 30),
    )
    findings = (
        replace(roulette, test=tests[0]),
        replace(guest, test=tests[1]),
        replace(roulette, test=tests[2]),
        replace(guest, test=tests[2]),
        replace(guest, test=tests[4], filename="tests/test_b.py"),
    )
    files = (
        FileSummary("tests/test_a.py", tests[:4], (1, 2, 3, 4)),
        FileSummary("tests/test_b.py", tests[4:], (1,)),
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(CheckResult(findings, files), "html", context), encoding="utf-8")
    return path


@pytest.fixture
def visit(page: Path, tmp_path: Path) -> Visit:
    """The document after its script ran, opened with a state in the address."""

    def dump(state: str) -> str:
        command = [str(BROWSER), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
        done = subprocess.run(
            [*command, f"{page.as_uri()}#{state}"],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    return dump


def rows(document: str) -> list[str]:
    """The names of the tests that are shown, in their order."""
    tags = re.findall(r'<tr data-test="([^"]*)"([^>]*)>', document)
    shown = [name for name, attributes in tags if "hidden" not in attributes]
    return [name.split("::")[1][:12].split("<")[0] for name in shown]


def test_filter_keeps_rows_with_all_words(visit: Visit) -> None:
    assert rows(visit("q=mystery+test_a.py")) == ["test_info", "test_both"]


def test_sort_by_total_puts_the_smelliest_first(visit: Visit) -> None:
    assert rows(visit("sort=-4"))[0] == "test_both"


def test_sort_by_name(visit: Visit) -> None:
    assert rows(visit("q=test_a.py&sort=1")) == [
        "test_both",
        "test_clean",
        "test_info",
        "test_warning",
    ]


def test_hidden_severity_empties_tests_that_have_no_other(visit: Visit) -> None:
    assert rows(visit("hide=info&smelly=1")) == ["test_warning", "test_both"]


def test_number_of_rows_is_told(visit: Visit) -> None:
    assert '<output id="shown">3 of 5 rows</output>' in visit("q=mystery")


def test_hostile_name_runs_nothing(visit: Visit) -> None:
    document = visit("open=4")
    assert "<title>Socrates: test smells</title>" in document
    assert "<img" not in document


def test_detail_shows_the_message(visit: Visit) -> None:
    detail = visit("open=0").split('<aside id="detail"')[1].split("</aside>")[0]
    assert "2 assertions, 2 of them unexplained" in detail
    assert "hidden" not in detail.split(">")[0]
