"""Real HTTP servers on loopback, real clients, and the probe around them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

import aiohttp
import httpx
import pytest
import requests
import urllib3

from socrates_amplify.model.events import Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.http.probe import HttpProbe
from socrates_amplify.record.index import Known
from socrates_amplify.record.recorder import Recorder


@dataclass(frozen=True)
class Ran:
    """One run of some code with the probe on."""

    recorder: Recorder
    trace: Trace
    result: object

    def faults(self, *kinds: str) -> list[Fault]:
        """What the run offers."""
        return HttpProbe().faults_of(self.trace, kinds)

    def fault(self, kind: str) -> Fault:
        """The first fault of a kind."""
        return self.faults(kind)[0]

    @property
    def calls(self) -> tuple[Send, ...]:
        """The calls, in order."""
        return self.trace.sends

    @property
    def replies(self) -> list[str]:
        """What services answered, in order."""
        return [event.value for event in self.trace.events if isinstance(event, Reply)]

    @property
    def turns(self) -> list[Turn]:
        """What services handled, in order."""
        return [event for event in self.trace.events if isinstance(event, Turn)]

    @property
    def injected(self) -> list[str]:
        """The kinds of faults that happened, in order."""
        return [event.kind for event in self.trace.events if isinstance(event, Injected)]


Run = Callable[..., Ran]


@pytest.fixture
def run() -> Run:
    """Run code with the probe on. What is in test files counts as the code under test here."""

    def run_code(
        code: Callable[[], object],
        faults: Sequence[Fault] = (),
        config: Mapping[str, object] | None = None,
        known: Trace | None = None,
    ) -> Ran:
        recorder = Recorder(Scenario.of(faults), Known.of(known) if known else None)
        recorder.test_file = __file__
        undo = HttpProbe().install(recorder, {"test-calls": True, **(config or {})})
        try:
            # A thread of its own, since where a test calls this is part of the way to a call.
            with ThreadPoolExecutor(1) as pool:
                result = pool.submit(code).result()
        finally:
            undo()
        return Ran(recorder, recorder.trace(), result)

    return run_code


@dataclass(frozen=True)
class Shop:
    """A server on loopback."""

    url: str


@dataclass(frozen=True)
class Seen:
    """A request that the server got."""

    line: str
    headers: Mapping[str, str]


class Reviews(BaseHTTPRequestHandler):
    """Answers ``/moved`` with a redirect, ``/absent`` with 404 and all else with stars."""

    protocol_version = "HTTP/1.1"
    seen: list[Seen]

    def do_GET(self) -> None:
        """Answer."""
        length = int(self.headers.get("Content-Length", 0))
        self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.seen.append(Seen(f"{self.command} {self.path}", headers))
        status = {"/moved": 302, "/absent": 404}.get(self.path, 200)
        body = json.dumps({"stars": 5}).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/reviews/7")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def seen() -> list[Seen]:
    """What the server was asked, in order."""
    return []


@pytest.fixture
def shop(seen: list[Seen]) -> Iterator[Shop]:
    """A server that runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Reviews", (Reviews,), {"seen": seen}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield Shop(f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()
    thread.join()


def with_requests(url: str) -> str:
    """requests."""
    try:
        response = requests.get(url, timeout=5)
        response.raise_for_status()
    except requests.RequestException as error:
        return type(error).__name__ if error.request is not None else "no request"
    return f"{response.status_code} {response.json()['stars']}"


def with_urllib3(url: str) -> str:
    """urllib3."""
    retries = urllib3.Retry(total=None, connect=False, read=False, redirect=2)
    with urllib3.PoolManager(timeout=5, retries=retries) as pool:
        try:
            response = pool.request("GET", url)
        except urllib3.exceptions.HTTPError as error:
            return type(error).__name__
        return f"{response.status} {response.json().get('stars')}"


def with_httpx(url: str) -> str:
    """httpx."""
    try:
        response = httpx.get(url, timeout=5, follow_redirects=True)
        response.raise_for_status()
    except httpx.HTTPError as error:
        return type(error).__name__ if error.request.method == "GET" else "no request"
    return f"{response.status_code} {response.json()['stars']}"


def with_async_httpx(url: str) -> str:
    """httpx, async."""

    async def fetch() -> str:
        async with httpx.AsyncClient(timeout=5, follow_redirects=True) as client:
            try:
                response = await client.get(url)
                response.raise_for_status()
            except httpx.HTTPError as error:
                return type(error).__name__
            return f"{response.status_code} {response.json()['stars']}"

    return asyncio.run(fetch())


def with_aiohttp(url: str) -> str:
    """aiohttp."""

    async def fetch() -> str:
        timeout = aiohttp.ClientTimeout(total=5)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            try:
                async with session.get(url) as response:
                    response.raise_for_status()
                    return f"{response.status} {(await response.json())['stars']}"
            except (aiohttp.ClientError, TimeoutError) as error:
                return type(error).__name__

    return asyncio.run(fetch())


CLIENTS = {
    "requests": with_requests,
    "urllib3": with_urllib3,
    "httpx": with_httpx,
    "async httpx": with_async_httpx,
    "aiohttp": with_aiohttp,
}


@pytest.fixture(params=CLIENTS.values(), ids=CLIENTS)
def client(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """A client of each library; it says what its caller sees."""
    return cast(Callable[[str], str], request.param)
