"""A worker in the test's own process, and accounts to work on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from billing import Accounts, app, tasks
from celery.contrib.testing.worker import start_worker


@pytest.fixture(scope="session")
def worker() -> Iterator[None]:
    """A worker that handles what is sent, at once."""
    app.conf.broker_transport_options = {"polling_interval": 0.01}
    with start_worker(app, perform_ping_check=False):
        yield


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch, worker: None) -> Accounts:
    """Three customers, one of whom has an invoice, and a worker to serve them."""
    fresh = Accounts(fees={"Ada": 10, "Bob": 20, "Cid": 30}, invoices={"2025-12-0001": 20})
    monkeypatch.setattr(tasks, "accounts", fresh)
    return fresh
