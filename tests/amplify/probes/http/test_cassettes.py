"""Faults above vcrpy, which plays what services answered once, and records what they answer now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import aiohttp
import betamax
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
        ("status:503", ("{'message': 'Service Unavailable'}",)),
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


def by_vcrpy(folder: Path, ask: Callable[[requests.Session], str]) -> str:
    """Ask through a cassette of vcrpy that records whatever it does not know."""
    with vcr.use_cassette(str(folder / "new.yaml"), record_mode="new_episodes"):
        return ask(requests.Session())


def by_betamax(folder: Path, ask: Callable[[requests.Session], str]) -> str:
    """The same with betamax."""
    session = requests.Session()
    with betamax.Betamax(session, cassette_library_dir=str(folder)).use_cassette("new"):
        return ask(session)


@pytest.mark.filterwarnings("ignore:.*utcnow:DeprecationWarning")  # betamax's own
@pytest.mark.parametrize("through", [by_vcrpy, by_betamax])
def test_what_only_a_fault_leads_to_goes_nowhere_and_is_not_kept(
    run, shop, seen, tmp_path, through
) -> None:
    def ask(session: requests.Session) -> str:
        try:
            return session.get(f"{shop.url}/reviews/7", timeout=5).text
        except requests.ConnectionError:
            try:
                return session.get(f"{shop.url}/fallback", timeout=5).text
            except Exception as error:
                return type(error).__name__

    def code() -> str:
        return through(tmp_path, ask)

    fault = run(code).fault("connection-error")
    for path in tmp_path.iterdir():
        path.unlink()
    before = len(seen)
    result = str(run(code, [fault]).result)
    assert (result[-9:] in ("Exception", "amaxError"), len(seen) - before) == (True, 0)
    assert [path.name for path in tmp_path.iterdir() if path.stat().st_size] == []
