"""Orders from end to end: the subjects break every time, their repaired twins never.

Nothing is asked for: orders are tried wherever a test has any.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

OF_ACTORS = [
    "Action",
    "Shop",
    "Server",
    "Registry",
    "Coordinator",
    "Connection",
    "Picture",
    "Service",
    "Player",
]
OF_THREADS = ["Bank", "Journal", "Counter", "Status", "Jobs", "Chord", "Box"]
OF_STRANGERS = ["Lazy", "Lending", "Viewer"]
NAMES = [*OF_ACTORS, *OF_THREADS, *OF_STRANGERS, "Stock", "Profile", "Pool"]
SUBJECTS = Path(__file__).parents[3] / "benchmarks" / "orders"


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the subjects."""
    return Path(shutil.copytree(SUBJECTS, tmp_path_factory.mktemp("orders") / "subjects"))


@pytest.fixture(scope="module")
def asked(subjects: Path, socrates) -> dict[str, dict[str, object]]:
    """What a search for orders says, by the parameter of each test."""
    done = socrates(subjects, "amplify", "--output-format", "json")
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


def test_a_wake_up_that_is_wiped_out_takes_two(asked) -> None:
    assert [len(defect["faults"]) for defect in asked["Indexer"]["defects"]] == [2]


def test_a_found_order_breaks_the_test_again(asked, subjects, at_terminal) -> None:
    file = asked["Action"]["defects"][0]["replay"]
    assert at_terminal(subjects, "replay", "-q", file).returncode == 1


@pytest.mark.parametrize(("name", "kind"), [("Store", "duplicate"), ("Desk", "restart")])
def test_an_order_that_only_hurts_beside_another_fault_is_found_with_both(
    asked, name, kind
) -> None:
    found = [sorted(fault["kind"] for fault in one["faults"]) for one in asked[name]["defects"]]
    assert found == [sorted([kind, "order"])]


@pytest.mark.parametrize("name", ["Store", "Desk"])
def test_a_repaired_twin_bears_both(asked, name) -> None:
    assert asked[f"Repaired{name}"]["status"] == "resilient"


@pytest.mark.parametrize(("name", "orders"), [("RepairedAction", 4), ("RepairedRegistry", 2)])
def test_all_orders_of_a_small_test_are_told(asked, name, orders) -> None:
    assert (asked[name]["orders"]["orders"], asked[name]["note"]) == (
        orders,
        f"orders: all {orders} orders",
    )


def test_coverage_is_told_of_each_test(asked) -> None:
    told = asked["RepairedShop"]["orders"]
    assert (told["criterion"], told["both"] + told["impossible"]) == ("pr", told["pairs"])


def test_an_order_of_messages_that_are_no_longer_sent_finds_no_target(
    asked, subjects, at_terminal
) -> None:
    file = subjects / asked["Action"]["defects"][0]["replay"]
    old = file.with_name("old.json")
    old.write_text(file.read_text().replace("Terminator#1", "Supervisor#1"))
    done = at_terminal(subjects, "replay", "-q", str(old))
    assert (done.returncode, "found no target any more" in done.stdout + done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("Action", "paper/listing_1.py", "Flush", "Rinse"),
        ("Journal", "threads.py", "def close", "def finish"),
    ],
)
def test_an_order_of_an_older_version_of_the_code_finds_no_target(
    asked, subjects, python, tmp_path, name, file, old, new
) -> None:
    newer = Path(shutil.copytree(subjects, tmp_path / "newer"))
    code = newer / file
    code.write_text(code.read_text().replace(old, new).replace("=self.close)", "=self.finish)"))
    done = python(newer, "socrates", "replay", "-q", asked[name]["defects"][0]["replay"])
    assert (done.returncode, "found no target any more" in done.stdout + done.stderr) == (2, True)


@pytest.fixture(scope="module")
def traced(asked, subjects, socrates):
    """``socrates trace --orders``, which asks the store first."""
    return socrates(subjects, "trace", "--orders", asked["Action"]["nodeid"])


def test_trace_shows_the_order_that_passes_and_the_one_that_fails(traced) -> None:
    rows = [line.split() for line in traced.stdout.splitlines()]
    letters = [mark for row in rows for mark in row[:4] if mark in "AB" and "from" in row]
    assert (traced.returncode, letters) == (0, ["A", "B", "B", "A"])


def test_trace_shows_what_was_seen_of_each_receiver(traced) -> None:
    assert "   3 Flush(terminator=Terminator#1) of Terminator#1  x  ◐" in traced.stdout


def test_orders_are_no_mermaid(subjects, socrates) -> None:
    done = socrates(subjects, "trace", "--orders", "--output-format", "mermaid", "test_paper.py")
    assert (done.returncode, done.stderr.count("--output-format mermaid: ")) == (2, 1)
