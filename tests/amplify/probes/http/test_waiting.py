"""How a client of ours waits in a coroutine: beside the loop, in the loop, or under trio."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.probes.http.clients import waiting

Log = list[tuple[str, float]]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    """Who waits, and how long: nobody really does."""
    waits: Log = []

    def waiter(name: str) -> Any:
        async def wait(*given: Any) -> None:
            waits.append((name, given[-1]))

        return wait

    monkeypatch.setattr(waiting, "_wait_beside", waiter("beside the loop"))
    monkeypatch.setattr(asyncio, "sleep", waiter("in the loop"))
    monkeypatch.setitem(sys.modules, "anyio", SimpleNamespace(sleep=waiter("anyio")))
    monkeypatch.delitem(sys.modules, "trio", raising=False)
    return waits


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_nobody_waits_for_no_time(seconds: float, log: Log) -> None:
    asyncio.run(waiting.wait(seconds))
    assert log == []


def test_a_thread_waits_beside_the_usual_loop(log: Log) -> None:
    asyncio.run(waiting.wait(0.5))
    assert log == [("beside the loop", 0.5)]


class OwnClock(asyncio.SelectorEventLoop):
    """A loop with virtual time."""

    def time(self) -> float:
        return 0.0


def test_loop_with_a_clock_of_its_own_waits_itself(log: Log) -> None:
    loop = OwnClock()
    try:
        loop.run_until_complete(waiting.wait(0.5))
    finally:
        loop.close()
    assert log == [("in the loop", 0.5)]


def test_without_a_loop_of_asyncio_trio_waits(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trio", SimpleNamespace())
    with pytest.raises(StopIteration):
        waiting.wait(0.5).send(None)
    assert log == [("anyio", 0.5)]


def test_loop_of_asyncio_is_found_beside_trio(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trio", SimpleNamespace())
    asyncio.run(waiting.wait(0.5))
    assert log == [("beside the loop", 0.5)]


def test_without_trio_there_has_to_be_a_loop(log: Log) -> None:
    with pytest.raises(RuntimeError):
        waiting.wait(0.5).send(None)
    assert log == []
