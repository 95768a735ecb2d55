"""Orders from end to end: the subjects break every time, their repaired twins never."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NAMES = ["Action", "Shop", "Server", "Registry", "Bank", "Journal", "Counter", "Stock", "Profile"]
SUBJECTS = Path(__file__).parents[3] / "benchmarks" / "orders"


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the subjects."""
    return Path(shutil.copytree(SUBJECTS, tmp_path_factory.mktemp("orders") / "subjects"))


@pytest.fixture(scope="module")
def asked(subjects: Path, socrates) -> dict[str, dict[str, object]]:
    """What a search for orders says, by the parameter of each test."""
    done = socrates(subjects, "amplify", "--explorer", "schedules", "--output-format", "json")
    return {
        test["nodeid"].partition("[")[2].rstrip("]"): test
        for test in json.loads(done.stdout)["tests"]
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_order_that_breaks_a_subject_is_found_with_one_message_held(asked, name) -> None:
    found = [[fault["kind"] for fault in defect["faults"]] for defect in asked[name]["defects"]]
    assert found == [["order"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_repaired_twin_is_resilient(asked, name) -> None:
    assert asked[f"Repaired{name}"]["status"] == "resilient"


def test_a_found_order_breaks_the_test_again(asked, subjects, python) -> None:
    file = asked["Action"]["defects"][0]["replay"]
    assert python(subjects, "socrates", "replay", "-q", file).returncode == 1


def test_without_being_asked_for_orders_are_not_tried(subjects, socrates) -> None:
    nodeid = "test_paper.py::test_every_result_is_written[RepairedAction]"
    done = socrates(subjects, "amplify", nodeid)
    assert "no-targets" in done.stdout
