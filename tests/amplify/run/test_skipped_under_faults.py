"""A test that skips itself under a fault has not survived it: nothing is known, and the report says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.version import Version

from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.run.choose_executor import make_executor

SHOP = """
import requests


def price():
    try:
        return requests.get("http://prices/7", timeout=1).json()["price"]
    except (requests.RequestException, KeyError, ValueError):
        return None


def stock():
    try:
        return requests.get("http://stock/7", timeout=1).json()["left"]
    except (requests.RequestException, KeyError, ValueError):
        return 3
"""

TESTS = """
import unittest

import pytest
import requests_mock
from shop import price, stock

RUNS = []


@pytest.fixture(autouse=True)
def services():
    with requests_mock.Mocker() as mocker:
        mocker.get("http://prices/7", json={"price": 7})
        mocker.get("http://stock/7", json={"left": 3})
        yield


def test_skips():
    if price() != 7:
        pytest.skip("no price today")


def test_expects_to_fail():
    if price() != 7:
        pytest.xfail("prices are flaky")


@pytest.mark.usefixtures("services")
def test_marks_itself(request):
    if price() != 7:
        request.applymarker(pytest.mark.xfail(reason="prices are flaky"))


def test_skips_under_some_faults():
    assert stock() == 3
    if price() != 7:
        pytest.skip("no price today")


def test_passes():
    assert stock() == 3


def test_skips_a_part(subtests):
    with subtests.test("always"):
        pytest.skip("not on this machine")
    with subtests.test("price"):
        if price() != 7:
            pytest.skip("no price today")


class PriceCase(unittest.TestCase):
    def test_skips_a_part(self):
        with self.subTest("price"):
            if price() != 7:
                self.skipTest("no price today")
        self.assertEqual(stock(), 3)


def test_skips_the_same_part_always(subtests):
    with subtests.test("always"):
        pytest.skip("not on this machine")
    assert stock() == 3


def test_skips_after_faults():
    RUNS.append(stock())
    if len(RUNS) == 3:
        pytest.skip("enough")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose tests skip themselves when a service does not answer."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


@pytest.fixture(scope="module", params=["fork"])
def executor(request: pytest.FixtureRequest, folder: Path) -> Iterator[Executor]:
    """An executor for the project."""
    made = make_executor(request.param, Suite(folder, pytest_args=("-p", "no:cacheprovider")))
    yield made
    made.close()


def under_a_fault(executor: Executor, name: str, rounds: Rounds | None = None) -> Outcome:
    """The test under a refused connection of its first call."""
    nodeid = f"test_shop.py::{name}"
    first = executor.run(nodeid, Scenario(), 60, rounds=rounds).trace.sends[0]
    fault = Fault(first.target, "connection-error", first.receiver, first.sender)
    return executor.run(nodeid, Scenario.of([fault]), 60, rounds=rounds)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("test_skips", "skipped under the fault: no price today"),
        ("test_expects_to_fail", "xfailed under the fault: expected to fail: prices are flaky"),
        ("test_marks_itself", "xpassed under the fault: no reason given"),
    ],
)
def test_a_test_that_declines_under_a_fault_is_unresolved(
    executor: Executor, name: str, reason: str
) -> None:
    outcome = under_a_fault(executor, name)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNRESOLVED, reason)


@pytest.mark.parametrize("executor", ["subprocess"], indirect=True)
def test_the_same_in_a_fresh_process(executor: Executor) -> None:
    outcome = under_a_fault(executor, "test_skips")
    assert outcome.reason == "skipped under the fault: no price today"


@pytest.mark.parametrize(
    ("name", "rounds", "reason"),
    [
        ("test_skips", Rounds(2, 1.0), "skipped under the fault: no price today"),
        (
            "test_skips_after_faults",
            Rounds(2, 1.0),
            "skipped in a further run without faults: Skipped: enough",
        ),
        ("test_skips_after_faults", Rounds(3, 1.0), "skipped under the fault: enough"),
    ],
)
def test_several_runs_that_end_with_a_skip_are_unresolved(
    executor: Executor, name: str, rounds: Rounds, reason: str
) -> None:
    outcome = under_a_fault(executor, name, rounds)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNRESOLVED, reason)


@pytest.fixture(scope="module")
def report(folder: Path, socrates) -> dict[str, dict[str, object]]:
    """What a whole run tells of each test."""
    done = socrates(folder, "amplify", "--gate", "off", "--jobs", "1", "--output-format", "json")
    return {test["nodeid"].partition("::")[2]: test for test in json.loads(done.stdout)["tests"]}


HAS_SUBTESTS = pytest.mark.skipif(
    Version(pytest.__version__) < Version("9"), reason="pytest knows subtests since 9"
)


@HAS_SUBTESTS
@pytest.mark.parametrize("name", ["test_skips_a_part", "PriceCase::test_skips_a_part"])
def test_a_subtest_that_is_skipped_under_a_fault_is_not_survived(report, name: str) -> None:
    test = report[name]
    assert (test["status"], "no price today" in test["note"]) == ("not-run", True)


@HAS_SUBTESTS
def test_a_subtest_that_is_always_skipped_says_nothing_about_faults(report) -> None:
    assert report["test_skips_the_same_part_always"]["status"] == "resilient"


@pytest.mark.parametrize("name", ["test_skips", "test_expects_to_fail", "test_marks_itself"])
def test_a_test_that_always_declines_is_not_resilient(report, name: str) -> None:
    test = report[name]
    assert (test["status"], "under the fault" in test["note"]) == ("not-run", True)


def test_one_skip_among_passes_is_not_resilient(report) -> None:
    test = report["test_skips_under_some_faults"]
    assert (test["status"], "skipped under the fault: no price today (in" in test["note"]) == (
        "not-run",
        True,
    )


def test_what_never_skips_is_resilient(report) -> None:
    assert report["test_passes"]["status"] == "resilient"
