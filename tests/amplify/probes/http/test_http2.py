"""HTTP/2: httpx and a real server of it, hypercorn, with an application that calls another service."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

pytest.importorskip("h2", reason="httpx speaks HTTP/2 with h2, which is not installed")
pytest.importorskip("hypercorn", reason="hypercorn is not installed")


def application(behind: str) -> Starlette:
    """Says which HTTP it was spoken to in, and what the service behind says."""

    def page(request: Request) -> PlainTextResponse:
        version = request.scope["http_version"]
        return PlainTextResponse(f"{version} {httpx.get(f'{behind}/r', timeout=5).json()['stars']}")

    return Starlette(routes=[Route("/page", page)])


@pytest.fixture
def front(shop) -> Iterator[str]:
    """The application under hypercorn, in a thread."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    listener = socket.create_server(("127.0.0.1", 0))
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.errorlog = None
    loop = asyncio.new_event_loop()
    over = asyncio.Event()
    serving = serve(application(shop.url), config, shutdown_trigger=over.wait)
    thread = threading.Thread(target=loop.run_until_complete, args=(serving,))
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    loop.call_soon_threadsafe(over.set)
    thread.join()
    loop.close()
    listener.detach()


def sync(url: str) -> str:
    """What a client that speaks nothing but HTTP/2 sees."""
    with httpx.Client(http1=False, http2=True, timeout=5) as client:
        try:
            return client.get(f"{url}/page").text
        except httpx.HTTPError as error:
            return type(error).__name__


def concurrent(url: str) -> str:
    """The same, async."""

    async def ask() -> str:
        async with httpx.AsyncClient(http1=False, http2=True, timeout=5) as client:
            try:
                return (await client.get(f"{url}/page")).text
            except httpx.HTTPError as error:
                return type(error).__name__

    return asyncio.run(ask())


@pytest.fixture(params=[sync, concurrent])
def ask(request: pytest.FixtureRequest):
    """A client of HTTP/2; it says what it sees."""
    return request.param


def test_a_call_is_as_always(run, front, ask) -> None:
    assert run(lambda: ask(front)).result == "2 5"


def test_what_the_service_calls_is_caused_by_the_call(run, front, ask) -> None:
    outer, inner = run(lambda: ask(front)).calls
    assert inner.cause == outer.target


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("connection-error", "ConnectError"),
        ("timeout", "ReadTimeout"),
        ("lost-reply", "ReadTimeout"),
        ("status:503", '{"message": "Service Unavailable"}'),
    ],
)
def test_a_call_can_fail(run, front, ask, kind, seen) -> None:
    fault = run(lambda: ask(front)).fault(kind)
    ran = run(lambda: ask(front), [fault])
    assert (ran.result, ran.recorder.unapplied) == (seen, [])
