"""Secrets of many shapes in tasks of Dramatiq and RQ are in nothing that Socrates shows or keeps."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

CANARIES = runpy.run_path(
    str(Path(__file__).parents[2] / "commands" / "test_no_secret_gets_out.py")
)
HIDDEN, LEAKS, ROWS = CANARIES["HIDDEN"], CANARIES["leaks"], CANARIES["_rows"]

VAULT = """
import json
from pathlib import Path

import dramatiq
from dramatiq.brokers.stub import StubBroker

SECRETS = json.loads((Path(__file__).parent / "secrets.json").read_text())
PASSWORD = "hUnT3r2xQ9vLp7Zt"
broker = StubBroker()
dramatiq.set_broker(broker)
kept = []


@dramatiq.actor(max_retries=0)
def keep(text, password=""):
    kept.append(text)


def store(text, password=""):
    kept.append(text)
    return {"kept": text, "password": password}


def twice():
    return [text for text in kept if kept.count(text) > 1]
"""
SUITE = """
import os

import dramatiq
import redis
import vault
from rq import Queue, Retry, SimpleWorker


def test_dramatiq():
    vault.kept.clear()
    worker = dramatiq.Worker(vault.broker, worker_timeout=10, worker_threads=1)
    worker.start()
    try:
        for text in vault.SECRETS:
            vault.keep.send(text, password=vault.PASSWORD)
        vault.broker.join("default", timeout=60_000)
        worker.join()
    finally:
        worker.stop()
    assert vault.twice() == []


def test_rq():
    vault.kept.clear()
    connection = redis.Redis.from_url(os.environ["VAULT"])
    connection.flushall()
    queue = Queue(connection=connection)
    for text in vault.SECRETS:
        queue.enqueue(vault.store, text, password=vault.PASSWORD, retry=Retry(max=1))
    SimpleWorker([queue], connection=connection).work(burst=True)
    connection.close()
    assert vault.twice() == []
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, redis_url: str, socrates) -> Path:
    """A project whose tests send every secret through both queues, amplified."""
    folder = tmp_path_factory.mktemp("vault")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "secrets.json").write_text(json.dumps(list(HIDDEN.values())))
    (folder / "vault.py").write_text(VAULT)
    (folder / "test_vault.py").write_text(SUITE)
    out = ("--output-format", "json", "--output-file", "report.json", "--report", "report.html")
    flags = ("--explorer", "naive", "--faults", "duplicate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VAULT", redis_url)
        done = socrates(folder, "amplify", "--gate", "off", *flags, *out)
    (folder / "said.txt").write_text(done.stdout + done.stderr)
    return folder


def kept(project: Path) -> Iterator[str | bytes]:
    """All that the run has shown and kept."""
    for name in ("report.json", "report.html", "said.txt"):
        yield (project / name).read_text("utf-8")
    for path in (project / ".socrates").rglob("*.json"):
        yield path.read_text("utf-8")
    yield from ROWS(project / ".socrates" / "store.sqlite")


@pytest.mark.slow
def test_each_secret_was_in_a_task_that_may_come_twice(project: Path) -> None:
    tests = json.loads((project / "report.json").read_text("utf-8"))["tests"]
    found = [(test["status"], test["targets"] >= len(HIDDEN)) for test in tests]
    assert found == [("defective", True)] * 2, (project / "said.txt").read_text("utf-8")


@pytest.mark.slow
def test_no_secret_is_in_anything_shown_or_kept(project: Path) -> None:
    assert [leak for text in kept(project) for leak in LEAKS(text)] == []
