"""Verdicts, limits and durations are the same whatever a test or a project does to its clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from socrates_amplify.executors.base import Executor
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.run.choose_executor import make_executor

pytest.importorskip("freezegun")
pytest.importorskip("time_machine")

PLUGIN = """
import time

time.monotonic = time.perf_counter = lambda: 0.0
"""

CONFTEST = """
import itertools
import time

import freezegun
import pytest
import time_machine

sleep = time.sleep


def frozen():
    freezegun.freeze_time("2020-01-01").start()


def travelling():
    time_machine.travel("2020-01-01", tick=False).start()


def standing():
    time.monotonic = time.perf_counter = time.time = lambda: 0.0


def backwards():
    numbers = itertools.count(0, -1000)
    time.monotonic = time.perf_counter = time.time = lambda: float(next(numbers))


def impatient():
    time.sleep = lambda seconds: None


@pytest.fixture(params=[frozen, travelling, standing, backwards, impatient])
def clock(request):
    request.param()
"""

SHOP = """
import httpx
import requests
import requests_mock


def ask_requests():
    with requests_mock.Mocker() as mocker:
        mocker.get("http://prices/7", json=7)
        return requests.get("http://prices/7").json()


def ask_httpx():
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=7))
    with httpx.Client(transport=transport) as client:
        return client.get("http://prices/7").json()


async def ask_asynchronously():
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=7))
    async with httpx.AsyncClient(transport=transport) as client:
        return (await client.get("http://prices/7")).json()
"""

TESTS = """
import asyncio
import os

import pykka
import pytest
from conftest import sleep
from shop import ask_asynchronously, ask_httpx, ask_requests

REAL = os.times


def test_ends(clock):
    sleep(0.2)


def test_hangs(clock):
    sleep(1000)


@pytest.mark.parametrize(
    "ask",
    [ask_requests, ask_httpx, lambda: asyncio.run(ask_asynchronously())],
    ids=["requests", "httpx", "async"],
)
def test_waits(clock, ask):
    before = REAL().elapsed
    assert ask() == 7
    assert REAL().elapsed - before < 0.4, "slow"


class Counter(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.total = 0

    def add(self):
        self.total += 1
        return self.total


def test_counts(clock):
    counter = Counter.start().proxy()
    try:
        assert counter.add().get(timeout=20) == 1
    finally:
        counter.stop()
"""

CLOCKS = ["frozen", "travelling", "standing", "backwards", "impatient"]


@pytest.fixture(scope="module", params=["fork", "subprocess"])
def executor(request, tmp_path_factory, write_suite) -> Iterator[Executor]:
    """The tests above, in a project whose plugin stops all clocks while it is imported."""
    folder = tmp_path_factory.mktemp("clocks")
    files = {
        "shop.py": SHOP,
        "plugin.py": PLUGIN,
        "conftest.py": CONFTEST,
        "test_clocks.py": TESTS,
        "pytest.ini": "[pytest]\naddopts = -p plugin\npythonpath = .\n",
    }
    suite = write_suite(folder, files, (), {"http": {"slow": 0.5}})
    executor = make_executor(request.param, suite)
    yield executor
    executor.close()


Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def run(executor: Executor) -> Run:
    """Run one of the tests, with its first message under a fault if a kind of one is named.

    It is run with all clocks at once, since what these tests do is wait.
    """

    def execute(name: str, limit: float, kind: str) -> Outcome:
        nodeid = f"test_clocks.py::{name}"
        outcome = executor.run(nodeid, Scenario(), limit)
        if not kind:
            return outcome
        first = outcome.trace.sends[0]
        return executor.run(nodeid, Scenario.of([Fault(first.target, kind)]), limit)

    @cache
    def all_clocks(name: str, limit: float, kind: str) -> dict[str, Outcome]:
        with ThreadPoolExecutor(len(CLOCKS)) as threads:
            names = [name.format(clock) for clock in CLOCKS]
            outcomes = threads.map(lambda each: execute(each, limit, kind), names)
            return dict(zip(CLOCKS, outcomes, strict=True))

    return lambda clock, name, limit, kind="": all_clocks(name, limit, kind)[clock]


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_test_that_ends_passes_in_its_real_time(run: Run, clock: str) -> None:
    outcome = run(clock, "test_ends[{}]", 60)
    assert (outcome.status, outcome.failure) == ("passed", None)
    assert 0.2 <= outcome.duration < 60


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_test_that_hangs_is_ended_after_its_limit(run: Run, clock: str) -> None:
    outcome = run(clock, "test_hangs[{}]", 0.4)
    failure = outcome.failure
    assert failure is not None
    assert (failure.type, failure.message) == ("Hang", "did not end within 0.4 s")
    assert 0.2 <= outcome.duration < 60


@pytest.mark.parametrize("executor", ["fork"], indirect=True)
@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("client", ["requests", "httpx", "async"])
def test_a_slow_service_is_really_slow(run: Run, clock: str, client: str) -> None:
    outcome = run(clock, f"test_waits[{{}}-{client}]", 60, "slow")
    failure = outcome.failure
    assert failure is not None
    assert failure.message.startswith("slow")
    assert 0.5 <= outcome.duration < 60


@pytest.mark.parametrize("executor", ["fork"], indirect=True)
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_delayed_message_that_nothing_overtakes_is_delivered(run: Run, clock: str) -> None:
    outcome = run(clock, "test_counts[{}]", 60, "delay")
    assert (outcome.status, outcome.reason.rpartition(": ")[2]) == ("passed", "nothing overtook it")
