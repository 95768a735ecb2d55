"""Workers that a test starts as processes of their own, under the probes, on a real Redis."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import redis

from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.rq import RqProbe

DONE = """
import redis

def done(what):
    return redis.Redis.from_url(URL).rpush(QUEUE, what)
"""
CELERY = """
from celery import Celery

app = Celery("shop", broker=URL, backend=URL, set_as_current=False)
app.conf.task_default_queue = QUEUE + "-tasks"
app.conf.worker_hijack_root_logger = False
app.conf.broker_connection_retry_on_startup = True

@app.task(name="shop.charge", acks_late=True, shared=False)
def charge(order):
    return done(order)

@app.task(name="shop.place", acks_late=True, shared=False)
def place(order):
    charge.delay(order)

@app.task(name="shop.total", acks_late=True, shared=False)
def total(counts):
    return done("total")
"""
DRAMATIQ = """
import dramatiq
from dramatiq.brokers.redis import RedisBroker

broker = RedisBroker(url=URL, namespace=QUEUE + "-tasks")

@dramatiq.actor(broker=broker)
def charge(order):
    done(order)

@dramatiq.actor(broker=broker)
def place(order):
    charge.send(order)
"""
RQ = """
from rq import Queue, Retry

queue = Queue(QUEUE + "-tasks", connection=redis.Redis.from_url(URL))

def charge(order):
    return done(order)

def place(order):
    queue.enqueue(charge, order, retry=Retry(max=1))
"""
COMMANDS: dict[str, list[str]] = {
    "celery": ["celery", "-A", "{app}", "worker", "--without-mingle", "--without-gossip", "-l", "ERROR", "-c", "1", "-P"],
    "dramatiq": ["dramatiq", "{app}:broker", "-p", "1", "-t", "1"],
    "rq": ["rq.cli", "worker", "--url", "{url}", "{queue}-tasks"],
}  # fmt: skip
PATIENCE = 30


class Shop:
    """An application in a file of its own, and a worker for it in a process of its own."""

    def __init__(self, folder: Path, url: str, kind: str, source: str, pool: str = "") -> None:
        name = f"shop_{uuid.uuid4().hex}"
        self.queue = f"done-{uuid.uuid4().hex}"
        self.connection = redis.Redis.from_url(url)
        head = f"URL = {url!r}\nQUEUE = {self.queue!r}\n"
        (folder / f"{name}.py").write_text(head + DONE + source)
        self._folder = folder
        command = [*COMMANDS[kind], *([pool] if pool else [])]
        self._command = [part.format(app=name, url=url, queue=self.queue) for part in command]
        self.app: ModuleType = importlib.import_module(name)

    def done(self) -> list[str]:
        """What tasks did, in order."""
        return [item.decode() for item in self.connection.lrange(self.queue, 0, -1)]  # type: ignore[union-attr]

    @contextlib.contextmanager
    def worker(self) -> Iterator[None]:
        """Around code that needs a worker."""
        self.connection.delete(self.queue)
        process = subprocess.Popen(
            [sys.executable, "-m", *self._command],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)

    def until(self, count: int) -> list[str]:
        """Wait for so many things to be done."""
        over = time.monotonic() + PATIENCE
        while len(self.done()) < count and time.monotonic() < over:
            time.sleep(0.02)
        return self.done()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where applications are found."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def celery(request: pytest.FixtureRequest, folder: Path, redis_url: str) -> Shop:
    """A shop on Celery, whose worker has the pool that the test asks for."""
    return Shop(folder, redis_url, "celery", CELERY, getattr(request, "param", "solo"))


@pytest.fixture
def charged(celery: Shop) -> Callable[[], Any]:
    """Code that has an order charged; the answer."""

    def code() -> Any:
        with celery.worker():
            return celery.app.charge.delay(7).get(timeout=PATIENCE)

    return code


@pytest.mark.parametrize("celery", ["solo", "prefork"], indirect=True)
@pytest.mark.parametrize(("kind", "counts"), [("duplicate", 1), ("restart", 2)])
def test_celery_which_answer_of_two_deliveries_counts(run, celery, charged, kind, counts):
    ran = run(charged, probe=CeleryProbe)
    again = run(charged, [ran.fault(kind, "charge(7)")], probe=CeleryProbe)
    assert (celery.done(), again.value, again.recorder.unapplied) == (["7", "7"], counts, [])


@pytest.mark.parametrize("celery", ["prefork"], indirect=True)
def test_celery_what_a_task_sends_is_caused_by_it(run, celery):
    def code() -> None:
        with celery.worker():
            celery.app.place.delay(4)
            celery.until(1)

    first, second = run(code, probe=CeleryProbe).sends
    assert second.cause == first.target


def test_celery_the_end_of_a_chord_is_caused_by_who_started_it(run, celery):
    from celery import chord

    app = celery.app

    def code() -> None:
        with celery.worker():
            chord(app.charge.s(order) for order in (1, 2))(app.total.s()).get(timeout=PATIENCE)

    assert [send.cause for send in run(code, probe=CeleryProbe).sends] == [None, None, None]


def test_nobody_says_in_which_order_a_process_works(run, celery):
    def code() -> None:
        with celery.worker():
            for result in [celery.app.charge.delay(1), celery.app.charge.delay(2)]:
                result.get(timeout=PATIENCE)

    assert run(code, probe=CeleryProbe).faults("reorder", "delay") == []


@pytest.fixture
def dramatiq(folder: Path, redis_url: str) -> Shop:
    """A shop on dramatiq."""
    return Shop(folder, redis_url, "dramatiq", DRAMATIQ)


@pytest.fixture
def rq(folder: Path, redis_url: str) -> Shop:
    """A shop on RQ."""
    return Shop(folder, redis_url, "rq", RQ)


@pytest.mark.parametrize("kind", ["duplicate", "restart"])
def test_dramatiq_a_message_is_delivered_twice(run, dramatiq, kind):
    def code() -> list[str]:
        with dramatiq.worker():
            dramatiq.app.place.send(4)
            return dramatiq.until(2 if faults else 1)

    faults: list[Any] = []
    faults.append(run(code, probe=DramatiqProbe).fault(kind, "charge(4)"))
    assert run(code, faults, probe=DramatiqProbe).value == ["4", "4"]


def test_a_worker_that_outlives_its_test_goes_on_by_itself(run, rq):
    with contextlib.ExitStack() as left:

        def code() -> None:
            left.enter_context(rq.worker())
            rq.app.queue.enqueue(rq.app.charge, 1)
            rq.until(1)

        run(code, probe=RqProbe)
        rq.app.queue.enqueue(rq.app.charge, 2)
        assert rq.until(2) == ["1", "2"]


@pytest.mark.parametrize("kind", ["duplicate", "restart"])
def test_rq_a_job_is_run_twice(run, rq, kind):
    def code() -> list[str]:
        with rq.worker():
            rq.app.queue.enqueue(rq.app.place, 4)
            return rq.until(2 if faults else 1)

    faults: list[Any] = []
    faults.append(run(code, probe=RqProbe).fault(kind, "charge(4)"))
    assert run(code, faults, probe=RqProbe).value == ["4", "4"]
