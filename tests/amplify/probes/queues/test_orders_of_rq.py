"""Orders of RQ's jobs from end to end: a real Redis and a fake one, a bug and its repaired twin."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SHOP = """
{connection}
from rq import Queue

queue = Queue(connection=connection)
SHIPPED, CANCELLED = set(), set()


def pay(order):
    queue.enqueue(ship, order)


def ship(order):
    if order not in CANCELLED:
        SHIPPED.add(order)


def cancel(order):
    CANCELLED.add(order)


def recall(order):
    CANCELLED.add(order)
    SHIPPED.discard(order)
"""
TEST = """
import pytest
import shop
from rq import SimpleWorker


@pytest.fixture
def wait():
    shop.connection.flushall()
    return lambda: SimpleWorker([shop.queue], connection=shop.connection).work(burst=True)


def test_cancelled(wait):
    shop.queue.enqueue(shop.pay, "A")
    shop.queue.enqueue(shop.cancel, "A")
    wait()
    assert not shop.SHIPPED


def test_recalled(wait):
    shop.queue.enqueue(shop.pay, "A")
    shop.queue.enqueue(shop.recall, "A")
    wait()
    assert not shop.SHIPPED
"""
Asked = dict[str, list[str]]


@pytest.fixture(scope="module", params=["redis-server", "fakeredis"])
def asked(
    request, tmp_path_factory: pytest.TempPathFactory, socrates: Callable[..., object]
) -> Asked:
    """The orders that break each test of the shop."""
    if request.param == "fakeredis":
        pytest.importorskip("fakeredis")
        connection = "import fakeredis\nconnection = fakeredis.FakeRedis()"
    else:
        url = request.getfixturevalue("redis_url")
        connection = f"import redis\nconnection = redis.Redis.from_url({url!r})"
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP.format(connection=connection))
    (folder / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = '.'\n")
    done = socrates(folder, "amplify", "--faults", "order", "--output-format", "json")
    return {
        test["nodeid"].partition("::")[2]: [
            fault["message"] for defect in test["defects"] for fault in defect["faults"]
        ]
        for test in json.loads(done.stdout)["tests"]
        if test["status"] in ("defective", "resilient")
    }


def test_a_job_overtakes_one_that_another_job_asked_for(asked: Asked) -> None:
    assert asked["test_cancelled"] == ["cancel('A') after ship of shop.pay"]


def test_the_repaired_twin_bears_every_order(asked: Asked) -> None:
    assert asked["test_recalled"] == []
