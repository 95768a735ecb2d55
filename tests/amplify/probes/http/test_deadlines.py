"""Timeouts that a caller puts around a call, of which the library of the call does not know."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import aiohttp
import httpx
import pytest

Fetch = Callable[[str], Awaitable[str]]


async def with_aiohttp(url: str) -> str:
    """aiohttp, which waits five minutes if nobody says otherwise."""
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return f"{response.status}"


async def with_httpx(url: str) -> str:
    """httpx, which would wait for longer."""
    async with httpx.AsyncClient(timeout=60) as client:
        return f"{(await client.get(url)).status_code}"


async def in_timeout(fetch: Fetch, url: str) -> str:
    """asyncio.timeout."""
    async with asyncio.timeout(30):
        return await fetch(url)


async def in_nested_timeouts(fetch: Fetch, url: str) -> str:
    """The inner one runs out first."""
    async with asyncio.timeout(50):
        return await in_timeout(fetch, url)


async def in_wait_for(fetch: Fetch, url: str) -> str:
    """asyncio.wait_for."""
    return await asyncio.wait_for(fetch(url), 30)


async def in_endless_timeout(fetch: Fetch, url: str) -> str:
    """A timeout that never runs out."""
    async with asyncio.timeout(None):
        return await fetch(url)


async def beside_timeout(fetch: Fetch, url: str) -> str:
    """A timeout of the task that made this one; nobody in it waits for the call."""
    async with asyncio.timeout(30):
        task = asyncio.create_task(fetch(url))
        await asyncio.sleep(0.1)
    return await task


CLIENTS = {"aiohttp": with_aiohttp, "httpx": with_httpx}
AROUND = {
    "timeout": in_timeout,
    "nested": in_nested_timeouts,
    "wait_for": in_wait_for,
}


@pytest.fixture(params=CLIENTS.values(), ids=CLIENTS)
def fetch(request: pytest.FixtureRequest):
    """A client of each library that has coroutines."""
    return request.param


@pytest.fixture(params=AROUND.values(), ids=AROUND)
def around(request: pytest.FixtureRequest):
    """Each way to put a timeout around a call."""
    return request.param


def asking(around, fetch: Fetch, url: str) -> Callable[[], str]:
    """Code that tells what became of a call."""

    async def told() -> str:
        try:
            return await around(fetch, url)
        except (TimeoutError, aiohttp.ClientError, httpx.HTTPError) as error:
            return type(error).__name__

    return lambda: asyncio.run(told())


@pytest.mark.parametrize("kind", ["timeout", "lost-reply"])
def test_the_timeout_around_a_call_runs_out(run, shop, around, fetch, kind) -> None:
    code = asking(around, fetch, f"{shop.url}/reviews/7")
    ran = run(code, [run(code).fault(kind)])
    assert (ran.result, ran.injected, ran.recorder.unapplied) == ("TimeoutError", [kind], [])


def test_it_does_so_at_once(run, shop, around, fetch) -> None:
    code = asking(around, fetch, f"{shop.url}/reviews/7")
    fault = run(code).fault("timeout")
    since = time.monotonic()
    run(code, [fault])
    assert time.monotonic() - since < 10


def test_other_faults_are_as_ever(run, shop, around, fetch) -> None:
    code = asking(around, fetch, f"{shop.url}/reviews/7")
    results = {
        run(code, [run(code).fault(kind)]).result for kind in ("status:503", "connection-error")
    }
    assert results in ({"503", "ClientConnectorError"}, {"503", "ConnectError"})


@pytest.mark.parametrize("around", [in_endless_timeout, beside_timeout])
def test_no_timeout_that_ends_the_call_is_none(run, shop, around) -> None:
    code = asking(around, with_aiohttp, f"{shop.url}/reviews/7")
    assert run(code).faults("timeout") == []


def test_a_sooner_timeout_of_the_library_stays_its_own(run, shop) -> None:
    async def fetch(url: str) -> str:
        async with httpx.AsyncClient(timeout=5) as client:
            return f"{(await client.get(url)).status_code}"

    code = asking(in_timeout, fetch, f"{shop.url}/reviews/7")
    assert run(code, [run(code).fault("timeout")]).result == "ReadTimeout"


def test_with_honest_timeouts_it_takes_its_time(run, shop, fetch) -> None:
    async def around(fetch: Fetch, url: str) -> str:
        loop = asyncio.get_running_loop()
        since = loop.time()
        try:
            async with asyncio.timeout(0.4):
                return await fetch(url)
        except TimeoutError:
            return "in time" if loop.time() - since >= 0.35 else "at once"

    code = asking(around, fetch, f"{shop.url}/reviews/7")
    honest = {"honest-timeouts": True}
    assert run(code, [run(code, config=honest).fault("timeout")], honest).result == "in time"


def test_what_is_slower_than_its_caller_waits_runs_out(run, shop, fetch) -> None:
    async def around(fetch: Fetch, url: str) -> str:
        async with asyncio.timeout(0.4):
            return await fetch(url)

    code = asking(around, fetch, f"{shop.url}/reviews/7")
    assert run(code, [run(code).fault("slow")]).result == "TimeoutError"


PRICES = """
import aiohttp, asyncio

async def fetch(url):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return f"{response.status}"

async def fetch_in_time(url):
    async with asyncio.timeout(50):
        return await fetch(url)

async def fetch_while_waited_for(url):
    return await asyncio.wait_for(fetch(url), 50)
"""


@pytest.mark.parametrize(
    ("name", "offered"), [("fetch", 0), ("fetch_in_time", 1), ("fetch_while_waited_for", 1)]
)
def test_a_timeout_of_the_test_itself_does_not_count(
    run, shop, tmp_path, around, name, offered
) -> None:
    production = {"__name__": "prices"}
    exec(compile(PRICES, str(tmp_path / "prices.py"), "exec"), production)
    code = asking(around, production[name], f"{shop.url}/reviews/7")
    assert len(run(code, config={"test-calls": False}).faults("timeout")) == offered
