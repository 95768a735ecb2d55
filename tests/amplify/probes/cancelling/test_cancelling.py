"""Tasks of asyncio that are cancelled at a step: what is offered, what is done, and what breaks by it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.cancelling.probe import CancellingProbe
from socrates_amplify.record.recorder import Recorder

POOL = """
import asyncio

class Pool:
    free = 1

async def query(pool):
    pool.free -= 1
    await asyncio.sleep(0)
    pool.free += 1

async def careful_query(pool):
    pool.free -= 1
    try:
        await asyncio.sleep(0)
    finally:
        pool.free += 1
"""
TESTS = """
import asyncio
import pool

async def used(query):
    one = pool.Pool()
    await asyncio.wait([asyncio.ensure_future(query(one))])
    return one.free

def test_query():
    assert asyncio.run(used(pool.query)) == 1

def test_careful_query():
    assert asyncio.run(used(pool.careful_query)) == 1

def test_awaited():
    async def main():
        await asyncio.gather(pool.careful_query(pool.Pool()))
        return 1

    assert asyncio.run(main()) == 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pool")
    (made / "pool.py").write_text(POOL)
    (made / "test_pool.py").write_text(TESTS)
    (made / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = '.'\n")
    return made


Query = Callable[[Any], Awaitable[None]]
Cancelling = Callable[..., tuple[Recorder, int]]


@pytest.fixture(scope="module")
def pool(folder: Path) -> ModuleType:
    """The module of production code: a query takes a connection and gives it back."""
    spec = importlib.util.spec_from_file_location("pool", folder / "pool.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def cancelling(request: pytest.FixtureRequest, folder: Path, pool: ModuleType) -> Cancelling:
    """Runs a query in a task of its own, with steps followed: the recorder, and what is free then."""

    def run(query: Query, *faults: Fault, steps: bool = True) -> tuple[Recorder, int]:
        recorder = Recorder(Scenario.of(faults), root=str(folder))
        recorder.test_file = str(request.path)
        undo = CancellingProbe().install(recorder, {"steps": True} if steps else {})

        async def used() -> int:
            one = pool.Pool()
            await asyncio.wait([asyncio.ensure_future(query(one))])
            return int(one.free)

        try:
            return recorder, asyncio.run(used())
        finally:
            undo()

    return run


def offered(trace: Trace) -> list[Fault]:
    return CancellingProbe().faults_of(trace, ["cancel"])


def test_every_step_of_a_task_that_has_begun_is_offered(cancelling, pool) -> None:
    recorder, _ = cancelling(pool.query)
    assert [fault.sender for fault in offered(recorder.trace())] == ["query#1"]


def test_a_coroutine_of_the_test_is_not_offered_where_it_waits_itself(cancelling) -> None:
    async def own(_: object) -> None:
        await asyncio.sleep(0)

    recorder, _ = cancelling(own)
    assert offered(recorder.trace()) == []


def test_a_coroutine_of_the_test_is_offered_where_production_code_waits(cancelling, pool) -> None:
    async def client(one: object) -> None:
        await pool.query(one)

    recorder, _ = cancelling(client)
    assert [fault.sender for fault in offered(recorder.trace())] == ["client#1"]


def test_nothing_is_followed_unless_it_is_asked_for(cancelling, pool) -> None:
    recorder, _ = cancelling(pool.query, steps=False)
    assert recorder.trace().events == ()


@pytest.mark.parametrize(("query", "free"), [("query", 0), ("careful_query", 1)])
def test_a_task_is_cancelled_where_it_waits(cancelling, pool, query, free) -> None:
    (fault,) = offered(cancelling(getattr(pool, query))[0].trace())
    recorder, left = cancelling(getattr(pool, query), fault, steps=False)
    assert (left, recorder.unapplied) == (free, [])


def test_a_step_that_no_longer_comes_is_said_to_be_missing(cancelling, pool) -> None:
    (fault,) = offered(cancelling(pool.query)[0].trace())
    recorder, _ = cancelling(pool.careful_query, fault)
    assert [missing for missing, _ in recorder.unapplied] == [fault]


def test_a_wrong_table_is_one_line() -> None:
    with pytest.raises(SocratesError, match=r"amplify\.asyncio"):
        CancellingProbe().prepare("", {"steps": "yes"})


@pytest.fixture(scope="module")
def asked(folder: Path, socrates) -> dict[str, dict[str, object]]:
    """What a search for cancellations says, by test."""
    done = socrates(folder, "amplify", "--faults", "cancel", "--output-format", "json")
    return {test["nodeid"].partition("::")[2]: test for test in json.loads(done.stdout)["tests"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "status"),
    [("test_query", "defective"), ("test_careful_query", "resilient"), ("test_awaited", "not-run")],
)
def test_what_amplify_says(asked, test, status) -> None:
    assert asked[test]["status"] == status


@pytest.mark.slow
def test_a_found_cancellation_breaks_the_test_again(asked, folder, python) -> None:
    file = asked["test_query"]["defects"][0]["replay"]
    assert python(folder, "socrates", "replay", "-q", file).returncode == 1
