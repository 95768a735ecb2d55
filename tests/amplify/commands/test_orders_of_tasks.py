"""Tasks of queues from end to end: an order of two senders breaks a test every time, its repaired twin never."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SHOP = """
import dramatiq
from dramatiq.brokers.stub import StubBroker

broker = StubBroker()
dramatiq.set_broker(broker)
SHIPPED, CANCELLED = set(), set()


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


@dramatiq.actor
def recall(order):
    CANCELLED.add(order)
    SHIPPED.discard(order)
"""
TEST = """
import dramatiq
import pytest
import shop


@pytest.fixture
def wait():
    worker = dramatiq.Worker(shop.broker, worker_timeout=100)
    worker.start()
    yield lambda: shop.broker.join("default")
    worker.stop()


def test_cancelled(wait):
    shop.pay.send("A")
    shop.cancel.send("A")
    wait()
    assert not shop.SHIPPED


def test_recalled(wait):
    shop.pay.send("A")
    shop.recall.send("A")
    wait()
    assert not shop.SHIPPED
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = '.'\n")
    return folder


@pytest.fixture(scope="module")
def asked(shop: Path, socrates) -> dict[str, dict[str, object]]:
    """What the search for orders says, by test."""
    done = socrates(shop, "amplify", "--faults", "order", "--output-format", "json")
    return {test["nodeid"].partition("::")[2]: test for test in json.loads(done.stdout)["tests"]}


def test_the_order_of_two_senders_is_told_in_the_words_of_the_tasks(asked) -> None:
    told = [
        fault["message"] for one in asked["test_cancelled"]["defects"] for fault in one["faults"]
    ]
    assert told == ["cancel('A') after ship of pay"]


def test_the_repaired_twin_is_resilient(asked) -> None:
    assert asked["test_recalled"]["status"] == "resilient"


def test_the_order_breaks_the_test_again(asked, shop, python) -> None:
    file = asked["test_cancelled"]["defects"][0]["replay"]
    assert python(shop, "socrates", "replay", "-q", file).returncode == 1
