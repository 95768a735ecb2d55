"""The probes on real brokers: dramatiq on Redis and RabbitMQ, Celery on Redis."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import dramatiq
import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from dramatiq import Broker, Worker
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.brokers.redis import RedisBroker

from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe

KINDS = ["duplicate", "restart", "reorder"]
DONE = {
    "duplicate": [1, 1, 2],
    "restart": [1, 1, 2],
    "reorder": [2, 1],
}
"""What is done when the first of two messages has a fault."""


@pytest.fixture
def done() -> list[object]:
    """What tasks did, in order."""
    return []


@pytest.fixture(params=["redis", pytest.param("rabbitmq", marks=pytest.mark.slow)])
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker of dramatiq on a real server, in a namespace of its own."""
    url = request.getfixturevalue(f"{request.param}_url")
    made: Broker
    if request.param == "redis":
        made = RedisBroker(url=url, namespace=uuid.uuid4().hex)
    else:
        made = RabbitmqBroker(url=url, confirm_delivery=True)
    yield made
    made.close()


@pytest.fixture
def drain(broker: Broker, done: list[object]) -> Callable[[], list[object]]:
    """Sends two messages and has one worker handle them; what was done."""
    name = f"queue-{uuid.uuid4().hex}"
    quickly = {"min_successes": 3, "idle_time": 20} if isinstance(broker, RabbitmqBroker) else {}

    @dramatiq.actor(broker=broker, queue_name=name, actor_name="charge")
    def charge(order: int) -> None:
        done.append(order)

    def code() -> list[object]:
        done.clear()
        charge.send(1)
        charge.send(2)
        worker = Worker(broker, worker_timeout=50, worker_threads=1)
        worker.start()
        try:
            broker.join(name, timeout=10_000, **quickly)
            worker.join()
        finally:
            worker.stop(timeout=5_000)
        return list(done)

    return code


@pytest.mark.parametrize("kind", KINDS)
def test_dramatiq_on_a_real_broker(run, drain, kind):
    ran = run(drain, probe=DramatiqProbe)
    assert run(drain, [ran.fault(kind, "charge(1)")], probe=DramatiqProbe).value == DONE[kind]


@pytest.fixture
def app(redis_url: str) -> Iterator[Celery]:
    """A Celery app on a real Redis."""
    fresh = Celery("shop", broker=redis_url, backend=redis_url, set_as_current=False)
    fresh.conf.task_default_queue = f"queue-{uuid.uuid4().hex}"
    fresh.conf.worker_hijack_root_logger = False
    yield fresh
    fresh.close()


@pytest.mark.filterwarnings("ignore:Call to deprecated setex")
@pytest.mark.parametrize("kind", KINDS)
def test_celery_on_redis(run, app, done, kind):
    @app.task(name="shop.charge", acks_late=True, shared=False)
    def charge(order: int) -> None:
        done.append(order)

    def code() -> Any:
        done.clear()
        with start_worker(app, perform_ping_check=False, loglevel="ERROR"):
            for result in [charge.delay(1), charge.delay(2)]:
                result.get(timeout=10)
        return list(done)

    ran = run(code, probe=CeleryProbe)
    assert run(code, [ran.fault(kind, "charge(1)")], probe=CeleryProbe).value == DONE[kind]
