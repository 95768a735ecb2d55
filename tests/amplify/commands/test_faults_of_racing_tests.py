"""Faults other than orders in tests that race: under control, so that no race decides what is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SHOP = """
import dramatiq
import pykka
from dramatiq.brokers.stub import StubBroker

broker = StubBroker()
dramatiq.set_broker(broker)
BOOKED, CANCELLED, SHIPPED = [], set(), set()


@dramatiq.actor
def book(order):
    BOOKED.append(order)


@dramatiq.actor
def pay(order):
    ship.send(order)


@dramatiq.actor
def ship(order):
    if order not in CANCELLED:
        SHIPPED.add(order)


@dramatiq.actor
def cancel(order):
    CANCELLED.add(order)


class Till(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.total = 0

    def on_receive(self, message):
        if isinstance(message, dict):
            self.total += message["amount"]
        return self.total
"""
TEST = """
import dramatiq
import pykka
import pytest
import shop


@pytest.fixture
def wait():
    worker = dramatiq.Worker(shop.broker, worker_timeout=100)
    worker.start()
    yield lambda: shop.broker.join("default")
    worker.stop()


def test_booked(wait):
    shop.book.send("A")
    shop.book.send("B")
    wait()
    assert sorted(shop.BOOKED) == ["A", "B"]


def test_cancelled(wait):
    shop.pay.send("A")
    shop.cancel.send("A")
    wait()
    assert not shop.SHIPPED


def test_paid():
    till = shop.Till.start()
    till.tell({"amount": 3})
    assert till.ask("total") == 3
    till.stop()
"""
SETTINGS = """
[tool.pytest.ini_options]
pythonpath = "."
[tool.socrates.amplify]
faults = ["duplicate", "restart"]
[tool.socrates.amplify.pykka]
at-least-once = ["dict"]
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text(SETTINGS)
    return folder


@pytest.fixture(scope="module")
def runs(shop: Path, socrates) -> list[dict[str, dict[str, object]]]:
    """What three runs that know nothing of each other say, by test."""
    told = []
    for _ in range(3):
        shutil.rmtree(shop / ".socrates", ignore_errors=True)
        done = socrates(shop, "amplify", "--output-format", "json")
        tests = json.loads(done.stdout)["tests"]
        told.append({test["nodeid"].partition("::")[2]: test for test in tests})
    return told


def faults_of(test: dict[str, object]) -> list[str]:
    """What breaks a test, for people."""
    return sorted(
        " + ".join(f"{fault['kind']} {fault['message']}" for fault in defect["faults"])
        for defect in test["defects"]
    )


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("test_booked", ["duplicate book('B')", "restart book('B')"]),
        ("test_cancelled", []),
        ("test_paid", ["duplicate {'amount': 3}"]),
    ],
)
def test_every_run_tells_the_same(runs, test: str, expected: list[str]) -> None:
    assert [faults_of(told[test]) for told in runs] == [expected] * 3


def test_a_race_that_was_not_asked_about_decides_nothing(runs) -> None:
    assert [told["test_cancelled"]["status"] for told in runs] == ["resilient"] * 3


@pytest.mark.parametrize(("test", "expected"), [("test_booked", True), ("test_paid", False)])
def test_only_what_races_is_replayed_under_control(
    runs, shop: Path, test: str, expected: bool
) -> None:
    file = shop / runs[-1][test]["defects"][0]["replay"]
    assert json.loads(file.read_text()).get("controlled", False) is expected


def test_the_fault_breaks_the_test_again(runs, shop: Path, python) -> None:
    file = runs[-1]["test_booked"]["defects"][0]["replay"]
    assert python(shop, "socrates", "replay", "-q", file).returncode == 1
