"""What the probes of task queues cost a test without faults, as a ratio to the same work without them.

    python benchmarks/probe_costs.py [--rounds N]

Each line does the same work by turns with the probe off and on, in one process, so both see the same
machine; the processor's time counts, since others may use the machine too. The ratio is that of the
medians. Tasks do nothing at all, which is the worst case. RQ is measured if a ``redis-server`` is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.probe import QueueProbe
from socrates_amplify.probes.queues.rq import RqProbe
from socrates_amplify.record.recorder import Recorder

Work = Callable[[], None]


@contextlib.contextmanager
def dramatiq_work() -> Iterator[Work]:
    """500 messages through a ``StubBroker`` and a ``Worker`` with one thread."""
    import dramatiq
    from dramatiq.brokers.stub import StubBroker

    broker = StubBroker()
    task = dramatiq.actor(lambda number, text: None, actor_name="task", broker=broker)

    def work() -> None:
        for number in range(500):
            task.send(number, "text")
        broker.join(task.queue_name)

    worker = dramatiq.Worker(broker, worker_timeout=10, worker_threads=1)
    worker.start()
    yield work
    worker.stop()


def _app() -> tuple[Any, Any]:
    from celery import Celery

    app = Celery("costs", broker="memory://", backend="cache+memory://")

    def task(number: int, text: str) -> int:
        return number

    return app, app.task(task, name="costs.task", acks_late=True)


@contextlib.contextmanager
def celery_eager_work() -> Iterator[Work]:
    """500 tasks with ``task_always_eager``."""
    app, task = _app()
    app.conf.task_always_eager = True
    yield lambda: [task.delay(number, "text") for number in range(500)] and None


@contextlib.contextmanager
def celery_worker_work() -> Iterator[Work]:
    """200 messages through the in-memory broker and a worker that starts with them."""
    from celery.contrib.testing.worker import start_worker

    app, task = _app()
    app.conf.broker_transport_options = {"polling_interval": 0.001}

    def work() -> None:
        with start_worker(app, perform_ping_check=False, loglevel="ERROR"):
            started = time.process_time()
            for result in [task.delay(number, "text") for number in range(200)]:
                result.get(timeout=30, interval=0.001)
            work.seconds = time.process_time() - started  # type: ignore[attr-defined]

    yield work


@contextlib.contextmanager
def rq_work() -> Iterator[Work]:
    """100 jobs through Redis and a ``SimpleWorker`` in bursts."""
    import redis
    from rq import Queue, SimpleWorker

    with socket.socket() as listening, tempfile.TemporaryDirectory() as folder:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        listening.close()
        command = ["redis-server", "--port", str(port), "--save", "", "--dir", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client = redis.Redis(port=port)
        while True:
            with contextlib.suppress(redis.ConnectionError):
                client.ping()
                break
            time.sleep(0.02)
        queue = Queue(connection=client)

        def work() -> None:
            for number in range(100):
                queue.enqueue("builtins.abs", number)
            SimpleWorker([queue], connection=client).work(burst=True)

        yield work
        server.terminate()
        server.wait()


CASES: tuple[tuple[str, type[QueueProbe], Callable[[], Any]], ...] = (
    ("dramatiq, StubBroker", DramatiqProbe, dramatiq_work),
    ("Celery, task_always_eager", CeleryProbe, celery_eager_work),
    ("Celery, memory:// and start_worker", CeleryProbe, celery_worker_work),
    ("RQ, Redis and SimpleWorker", RqProbe, rq_work),
)


def seconds(work: Work) -> float:
    """How long it took; work that says so itself leaves its set-up out."""
    started = time.process_time()
    work()
    return float(getattr(work, "seconds", time.process_time() - started))


def measure(probe: QueueProbe, work: Work, rounds: int) -> tuple[float, float]:
    """Medians without and with the probe."""
    plain, probed = [], []
    seconds(work)
    for _ in range(rounds):
        plain.append(seconds(work))
        recorder = Recorder()
        undo = probe.install(recorder, {})
        try:
            probed.append(seconds(work))
        finally:
            undo()
        recorder.trace()
    return statistics.median(plain), statistics.median(probed)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    logging.disable(logging.CRITICAL)
    print("| queue | plain, CPU ms | with the probe, CPU ms | ratio |")
    print("|---|---|---|---|")
    for name, probe, case in CASES:
        if probe is RqProbe and shutil.which("redis-server") is None:
            continue
        with case() as work:
            plain, probed = measure(probe(), work, rounds)
        print(
            f"| {name} | {plain * 1e3:.1f} | {probed * 1e3:.1f} | {probed / plain:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
