"""The HTML page under a hand: clicks and keys, driven in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from socrates.findings import CheckResult
from socrates.report import ReportContext, render

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DRIVER and BROWSER), reason="no chromium with chromedriver"),
]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --window-size=1200,900"
).split()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser with a fresh profile for the whole module."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, result: CheckResult, context: ReportContext, tmp_path: Path) -> Any:
    """The sample report, freshly opened."""
    path = tmp_path / "report.html"
    path.write_text(render(result, "html", context), encoding="utf-8")
    browser.get(path.as_uri())
    return browser


Find = Callable[[str], list[Any]]


@pytest.fixture
def find(page: Any) -> Find:
    """All elements of the page that a CSS selector names."""
    return lambda selector: list(page.find_elements("css selector", selector))


def shown(find: Find) -> list[str]:
    rows = [row for row in find("#tests tbody tr") if row.is_displayed()]
    return [row.get_attribute("data-test").split("::")[-1] for row in rows]


def test_click_on_a_cell_shows_its_message(find: Find) -> None:
    find(".cell.warning")[0].click()
    assert "2 assertions, 2 of them unexplained" in find("#detail")[0].text


def test_click_on_a_row_shows_all_its_findings(find: Find) -> None:
    find("tr.smelly td.file")[1].click()
    assert "SOC105 mystery-guest" in find("#detail h3")[0].text


def test_escape_closes_the_message(find: Find) -> None:
    find(".cell.warning")[0].click()
    find("body")[0].send_keys("\ue00c")
    assert not find("#detail")[0].is_displayed()


def test_click_on_a_heading_sorts_and_a_second_one_turns_round(find: Find) -> None:
    heading = find("thead button")[1]
    heading.click()
    up = shown(find)
    heading.click()
    assert (up[0], shown(find)[-1]) == ("tests/test_old.py", "tests/test_old.py")


def test_switched_off_severity_takes_its_cells_away(find: Find) -> None:
    find("[data-severity=info]")[0].click()
    assert not find("tbody .cell.info")[0].is_displayed()


def test_box_leaves_only_tests_with_findings(find: Find) -> None:
    find("#smelly")[0].click()
    assert shown(find) == ["test_total", "test_price", "tests/test_old.py"]


def test_typing_filters(page: Any, find: Find) -> None:
    find("#query")[0].send_keys("free\n")
    assert shown(find) == ["test_free"]
    assert page.current_url.endswith("#q=free")


def test_button_turns_light_into_dark(page: Any, find: Find) -> None:
    before = find("html")[0].get_attribute("data-theme")
    find("#theme")[0].click()
    assert find("html")[0].get_attribute("data-theme") != before


def test_page_breaks_none_of_its_own_rules(page: Any) -> None:
    assert page.get_log("browser") == []
