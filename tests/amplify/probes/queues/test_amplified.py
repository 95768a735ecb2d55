"""``socrates amplify`` on tests whose tasks run in processes of their own, with no settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

CONFTEST = """
import os, subprocess, sys
import pytest, redis

@pytest.fixture
def bank():
    client = redis.Redis.from_url(os.environ["BANK"])
    client.flushall()
    yield client
    client.close()

@pytest.fixture
def lazy_worker(bank):
    command = ["-m", "rq.cli", "worker", "--url", os.environ["BANK"]]
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    yield
    bank.rpush("morning", 1, 2)
    process.terminate()
    process.wait()

@pytest.fixture
def worker(bank):
    command = "celery -A billing worker -P solo --without-mingle --without-gossip -l ERROR".split()
    process = subprocess.Popen([sys.executable, "-m", *command])
    yield
    process.terminate()
    process.wait()
"""
BILLING = """
import os
import redis
from celery import Celery

app = Celery("billing", broker=os.environ["BANK"], backend=os.environ["BANK"])
app.conf.broker_connection_retry_on_startup = True
bank = redis.Redis.from_url(os.environ["BANK"])

@app.task(acks_late=True)
def charge(order, amount):
    return bank.incrby("taken", amount)

def pay(order, amount):
    bank.incrby("taken", amount)

def pay_once(order, amount):
    bank.hset("payments", order, amount)

def pay_and_rest(order, amount):
    pay(order, amount)
    bank.blpop("morning", timeout=30)
"""
TESTS = """
import subprocess, sys, time
from rq import Queue, Retry, Worker
import billing

UNSEEN = '''
import sys; sys.path.insert(0, ".")
import redis, rq, os
connection = redis.Redis.from_url(os.environ["BANK"])
rq.SimpleWorker(["default"], connection=connection).work(burst=True)
'''

def test_forked(bank):
    queue = Queue(connection=bank)
    queue.enqueue(billing.pay, "A-1", 30, retry=Retry(max=1))
    Worker([queue], connection=bank).work(burst=True)
    assert int(bank.get("taken")) == 30

def test_started(bank, worker):
    billing.charge.delay("A-1", 30).get(timeout=30)
    assert int(bank.get("taken")) == 30

def test_repaired(bank):
    queue = Queue(connection=bank)
    queue.enqueue(billing.pay_once, "A-1", 30, retry=Retry(max=1))
    Worker([queue], connection=bank).work(burst=True)
    assert bank.hgetall("payments") == {b"A-1": b"30"}

def test_impatient(bank, lazy_worker):
    Queue(connection=bank).enqueue(billing.pay_and_rest, "A-1", 30, retry=Retry(max=1))
    while not bank.get("taken"):
        time.sleep(0.01)
    assert int(bank.get("taken")) == 30

def test_unseen(bank):
    Queue(connection=bank).enqueue(billing.pay, "A-1", 30, retry=Retry(max=1))
    subprocess.run([sys.executable, "-I", "-c", UNSEEN], check=True)
    assert int(bank.get("taken")) == 30
"""


@pytest.fixture(scope="module")
def amplified(
    tmp_path_factory: pytest.TempPathFactory, redis_url: str
) -> dict[str, dict[str, Any]]:
    """Each test of a small project, after one run of the command."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "billing.py").write_text(BILLING)
    (folder / "test_billing.py").write_text(TESTS)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n")
    ran = subprocess.run(
        [sys.executable, "-m", "socrates", "amplify", "--gate", "off", "--output-format", "json"],
        cwd=folder,
        env={**os.environ, "BANK": redis_url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    tests = json.loads(ran.stdout)["tests"]
    return {test["nodeid"].rpartition("::")[2]: test for test in tests}


@pytest.mark.parametrize("name", ["test_forked", "test_started"])
def test_a_task_that_is_not_safe_to_repeat_is_found(amplified, name):
    kinds = {defect["faults"][0]["kind"] for defect in amplified[name]["defects"]}
    assert kinds == {"duplicate", "restart"}


def test_a_task_that_is_safe_to_repeat_survives(amplified):
    assert amplified["test_repaired"]["status"] == "resilient"


def test_a_worker_that_can_not_be_seen_is_no_sign_of_resilience(amplified):
    test = amplified["test_unseen"]
    assert (test["status"], test["note"]) == (
        "no-targets",
        "no worker was seen to handle billing.pay: "
        "run its worker in the test, or let the test start it as a Python process",
    )


def test_a_test_that_does_not_wait_for_its_worker_has_no_answer(amplified):
    test = amplified["test_impatient"]
    reason = "the test did not wait for its worker to be done with it" in test["note"]
    assert (test["status"], reason) == ("error", True)
