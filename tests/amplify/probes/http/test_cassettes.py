"""Faults above vcrpy, which plays what services answered once, and records what they answer now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import aiohttp
import httpx
import pytest
import requests
import vcr

URL = "http://reviews.internal/7"
CASSETTE = f"""\
interactions:
- request: {{body: null, headers: {{}}, method: GET, uri: '{URL}'}}
  response:
    body: {{string: '5'}}
    headers: {{Content-Type: [application/json]}}
    status: {{code: 200, message: OK}}
version: 1
"""
BAD_LUCK = (requests.RequestException, httpx.HTTPError, aiohttp.ClientError, TimeoutError)


def with_requests(url: str) -> object:
    """requests."""
    return requests.get(url, timeout=5).json()


def with_httpx(url: str) -> object:
    """httpx."""
    return httpx.get(url, timeout=5).json()


def with_async_httpx(url: str) -> object:
    """httpx, async."""

    async def fetch() -> object:
        async with httpx.AsyncClient(timeout=5) as client:
            return (await client.get(url)).json()

    return asyncio.run(fetch())


def with_aiohttp(url: str) -> object:
    """aiohttp."""

    async def fetch() -> object:
        timeout = aiohttp.ClientTimeout(total=5)
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
            return await response.json()

    return asyncio.run(fetch())


CLIENTS = {
    "requests": with_requests,
    "httpx": with_httpx,
    "async httpx": with_async_httpx,
    "aiohttp": with_aiohttp,
}


@pytest.fixture(params=CLIENTS.values(), ids=CLIENTS)
def get(request: pytest.FixtureRequest):
    """A client of each library."""
    return request.param


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """A cassette with one answer."""
    path = tmp_path / "reviews.yaml"
    path.write_text(CASSETTE)
    return path


def asking(
    get: Callable[[str], object], cassette: Path, mode: str = "none", url: str = URL, **options
) -> Callable[[], str]:
    """Code that asks through a cassette and copes."""

    def code() -> str:
        with vcr.use_cassette(str(cassette), record_mode=mode, **options):
            try:
                return str(get(url))
            except BAD_LUCK as error:
                return type(error).__name__

    return code


def test_a_played_call_is_a_call_to_the_service(run, get, cassette) -> None:
    ran = run(asking(get, cassette))
    [call] = ran.calls
    assert (call.receiver, call.message, ran.result) == ("reviews.internal", "GET /7", "5")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("connection-error", ("ConnectionError", "ConnectError", "ClientConnectorError")),
        ("timeout", ("ReadTimeout", "TimeoutError")),
        ("lost-reply", ("ReadTimeout", "TimeoutError")),
        ("status:503", ("{'error': 'Service Unavailable'}",)),
    ],
    ids=["connection-error", "timeout", "lost-reply", "status"],
)
def test_a_played_call_can_fail(run, get, cassette, kind, names) -> None:
    code = asking(get, cassette)
    ran = run(code, [run(code).fault(kind)])
    assert (ran.result in names, ran.injected) == (True, [kind.partition(":")[0]])


@pytest.mark.parametrize("mode", ["once", "new_episodes", "all"])
def test_no_fault_is_recorded(run, get, shop, tmp_path, mode) -> None:
    path = tmp_path / "new.yaml"
    code = asking(get, path, mode, f"{shop.url}/reviews/7")
    fault = run(code).fault("status:503")
    path.unlink()
    ran = run(code, [fault])
    assert (ran.injected, path.exists()) == (["status"], False)


def test_a_cassette_keeps_what_a_fault_kept_from_being_played(run, get, cassette) -> None:
    code = asking(get, cassette, "once", drop_unused_requests=True)
    run(code, [run(code).fault("connection-error")])
    assert cassette.read_text() == CASSETTE


def test_what_is_recorded_without_faults_is_the_call_and_not_our_header(
    run, get, shop, tmp_path
) -> None:
    path = tmp_path / "new.yaml"
    [call] = run(asking(get, path, "once", f"{shop.url}/reviews/7")).calls
    text = path.read_text()
    assert (call.message, "stars" in text, "socrates" in text.lower()) == (
        "GET /reviews/7",
        True,
        False,
    )
