"""Threads for which their starter waits: those of test clients that serve an application in the same process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
import anyio.to_thread
import pytest
from anyio.from_thread import start_blocking_portal
from asgiref.sync import async_to_sync, sync_to_async
from fastapi import FastAPI, WebSocket
from starlette.testclient import TestClient

from socrates_amplify.probes.orders.probe import OrdersProbe
from socrates_amplify.record.recorder import Recorder

app = FastAPI()


@app.get("/blocks")
def blocks() -> str:
    return "in a worker"


@app.get("/awaits")
async def awaits() -> str:
    return "in the loop"


@app.get("/makes-a-task")
async def makes_a_task() -> str:
    return await asyncio.create_task(awaits())


@app.get("/starts-a-thread")
async def starts_a_thread() -> str:
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    thread.join()
    return "done"


@app.get("/blocks-twice")
async def blocks_twice() -> str:
    met = threading.Barrier(2)

    def meet() -> None:
        met.wait(5)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, meet)
        tasks.start_soon(anyio.to_thread.run_sync, meet)
    return "done"


@app.websocket("/talks")
async def talks(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")


def listens() -> None:
    with TestClient(app).websocket_connect("/talks") as socket:
        socket.receive_text()


def asks_while_the_application_runs() -> None:
    with TestClient(app) as client:
        client.get("/awaits")


def starts_and_goes_on() -> None:
    with start_blocking_portal() as portal:
        portal.start_task_soon(anyio.sleep, 0).result()


def runs_a_task_and_waits() -> None:
    with start_blocking_portal() as portal:
        portal.call(anyio.sleep, 0)


def crosses_over_and_back() -> None:
    async_to_sync(sync_to_async(len))("")


def asks(path: str) -> Callable[[], None]:
    def ask() -> None:
        TestClient(app).get(path)

    return ask


@contextmanager
def noticing() -> Iterator[Recorder]:
    recorder = Recorder()
    undo = OrdersProbe().install(recorder, {})
    try:
        yield recorder
    finally:
        undo()


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(asks("/blocks"), id="a handler in a worker"),
        pytest.param(asks("/awaits"), id="a handler in the loop"),
        pytest.param(asks_while_the_application_runs, id="with its lifespan"),
        pytest.param(runs_a_task_and_waits, id="a portal's call"),
        pytest.param(crosses_over_and_back, id="asgiref"),
    ],
)
def test_threads_that_are_waited_for_are_no_reason_for_control(code: Callable[[], None]) -> None:
    with noticing() as recorder:
        code()
    assert not recorder.concurrent


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(asks("/makes-a-task"), id="a task of the project"),
        pytest.param(asks("/starts-a-thread"), id="a thread of the project"),
        pytest.param(asks("/blocks-twice"), id="two workers at once"),
        pytest.param(listens, id="a socket that stays open"),
        pytest.param(starts_and_goes_on, id="a task that the test does not wait for at once"),
    ],
)
def test_what_runs_beside_something_is_noticed(code: Callable[[], None]) -> None:
    with noticing() as recorder:
        code()
    assert recorder.concurrent


def test_nothing_stays_replaced() -> None:
    before = asyncio.base_events.BaseEventLoop.create_task
    with noticing():
        runs_a_task_and_waits()
    assert asyncio.base_events.BaseEventLoop.create_task is before
