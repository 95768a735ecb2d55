"""What production code starts may come far before that code goes on; real projects, each with a repaired twin."""

from __future__ import annotations

import json
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

APP = """
    import queue
    import threading
    import time
    from concurrent.futures import ThreadPoolExecutor

    import dramatiq
    from dramatiq.brokers.stub import StubBroker

    class Poller:
        def __init__(self, complete):
            self.out = queue.Queue()
            if complete:
                self.prefix = "got "
            threading.Thread(target=self.run, daemon=True).start()
            self.prefix = "got "

        def run(self):
            time.sleep(0.3)
            self.out.put(getattr(self, "prefix", "") + "one")

    def upload():
        time.sleep(0.3)  # less, and a busy machine shows the deadlock without our help

    class Tracker:
        def __init__(self, early):
            self.pool, self.lock, self.early = ThreadPoolExecutor(2), threading.Lock(), early
            self.finished = 0

        def submit(self):
            with self.lock:
                future = self.pool.submit(upload)
                if self.early:
                    future.add_done_callback(self.done)
            if not self.early:
                future.add_done_callback(self.done)
            return future

        def done(self, future):
            with self.lock:
                self.finished += 1

    broker = StubBroker()
    dramatiq.set_broker(broker)
    status = {}

    @dramatiq.actor
    def convert(name):
        status[name] = "done"

    def submit(name, before):
        if before:
            status[name] = "sent"
        convert.send(name)
        if not before:
            status[name] = "sent"
"""
TESTS = """
    import app
    import pytest
    from dramatiq import Worker

    def test_poller_bug():
        assert app.Poller(complete=False).out.get(timeout=5) == "got one"

    def test_poller_repaired():
        assert app.Poller(complete=True).out.get(timeout=5) == "got one"

    def test_callback_bug():
        tracker = app.Tracker(early=True)
        tracker.submit().result(5)
        tracker.pool.shutdown()
        assert tracker.finished == 1

    def test_callback_repaired():
        tracker = app.Tracker(early=False)
        tracker.submit().result(5)
        tracker.pool.shutdown()
        assert tracker.finished == 1

    @pytest.fixture
    def worker():
        app.status.clear()
        app.broker.flush_all()
        worker = Worker(app.broker, worker_timeout=100)
        worker.start()
        yield worker
        worker.stop()

    def test_status_bug(worker):
        app.submit("film", before=False)
        app.broker.join("default")
        worker.join()
        assert app.status["film"] == "done"

    def test_status_repaired(worker):
        app.submit("film", before=True)
        app.broker.join("default")
        worker.join()
        assert app.status["film"] == "done"
"""


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory, socrates: Callable[..., Any]
) -> dict[str, dict[str, Any]]:
    """The tests of the project by name, after orders alone were asked for."""
    folder = tmp_path_factory.mktemp("starts")
    (folder / "pyproject.toml").write_text("[tool.socrates]\n")
    (folder / "app.py").write_text(dedent(APP))
    (folder / "test_app.py").write_text(dedent(TESTS))
    flags = ("--faults", "order", "--gate", "off", "--output-format", "json")
    tests = json.loads(socrates(folder, "amplify", *flags).stdout)["tests"]
    return {test["nodeid"].rpartition("::test_")[2]: test for test in tests}


@pytest.mark.parametrize(
    ("bug", "told"),
    [
        ("poller", "what follows start at app.py:15 after put of run#1"),
        ("callback", "what follows start at app.py:32 after sleep of upload()#1"),
        ("status", "what test does next after convert('film')"),
    ],
)
def test_starter_stands_still_while_what_it_started_goes_on(
    found: dict[str, dict[str, Any]], bug: str, told: str
) -> None:
    defects = found[f"{bug}_bug"]["defects"]
    assert [[fault["message"] for fault in one["faults"]] for one in defects] == [[told]]


@pytest.mark.parametrize("bug", ["poller", "callback", "status"])
def test_repaired_twins_bear_it(found: dict[str, dict[str, Any]], bug: str) -> None:
    assert found[f"{bug}_repaired"]["defects"] == []
