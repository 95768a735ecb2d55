"""A running service for each test, and the systems around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from dramatiq import Worker
from orders import Bank, Carrier, Mailbox, Store, broker, tasks

Wait = Callable[[], None]


@pytest.fixture
def wait() -> Iterator[Wait]:
    """Waits until all that was asked for is done."""
    worker = Worker(broker, worker_timeout=20, worker_threads=2)
    worker.start()

    def until_done() -> None:
        for queue in ("default", "mails"):
            broker.join(queue)
        worker.join()

    yield until_done
    worker.stop()
    broker.flush_all()


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """What the service knows: nothing yet."""
    monkeypatch.setattr(tasks, "store", fresh := Store())
    return fresh


@pytest.fixture
def bank(monkeypatch: pytest.MonkeyPatch) -> Bank:
    """Where the money goes."""
    monkeypatch.setattr(tasks, "bank", fresh := Bank())
    return fresh


@pytest.fixture
def carrier(monkeypatch: pytest.MonkeyPatch) -> Carrier:
    """Where the goods go."""
    monkeypatch.setattr(tasks, "carrier", fresh := Carrier())
    return fresh


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> Mailbox:
    """What customers are told."""
    monkeypatch.setattr(tasks, "mailbox", fresh := Mailbox())
    return fresh
