"""Faults above the fakes that people use in the place of services."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from types import SimpleNamespace

import aiohttp
import httpx
import pytest
import requests
import requests_mock
import responses
import respx
from aioresponses import aioresponses
from aresponses import ResponsesMockServer
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

URL = "http://reviews.internal/7"


def fetch(get) -> str:
    """What a caller that copes sees."""
    try:
        return str(get(URL, timeout=5).json())
    except (requests.RequestException, httpx.HTTPError) as error:
        return type(error).__name__


def with_responses() -> str:
    """responses."""
    with responses.RequestsMock() as fake:
        fake.get(URL, json=5)
        return fetch(requests.get)


def with_requests_mock() -> str:
    """requests-mock."""
    with requests_mock.Mocker() as fake:
        fake.get(URL, json=5)
        return fetch(requests.get)


def with_respx() -> str:
    """respx."""
    with respx.mock() as fake:
        fake.get(URL).respond(json=5)
        return fetch(httpx.get)


def with_mock_transport() -> str:
    """httpx.MockTransport."""
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=5))
    with httpx.Client(transport=transport) as client:
        return fetch(client.get)


class Answer(aiohttp.ClientResponse):
    """A response as aioresponses makes it, for versions of aiohttp that want more than it gives."""

    def __init__(self, *args, **kwargs) -> None:
        wanted = inspect.signature(aiohttp.ClientResponse.__init__).parameters
        if "stream_writer" in wanted:
            kwargs["stream_writer"] = SimpleNamespace(output_size=0)
        super().__init__(*args, **kwargs)


async def ask_aiohttp() -> str:
    """What a caller that copes sees with aiohttp."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
        try:
            async with session.get(URL) as response:
                return str(await response.json())
        except (aiohttp.ClientError, TimeoutError) as error:
            return type(error).__name__


def with_aioresponses() -> str:
    """aioresponses."""
    with aioresponses() as fake:
        fake.get(URL, payload=5, response_class=Answer)
        return asyncio.run(ask_aiohttp())


FAKES = {
    "responses": with_responses,
    "requests-mock": with_requests_mock,
    "respx": with_respx,
    "MockTransport": with_mock_transport,
    "aioresponses": with_aioresponses,
}


@pytest.fixture(params=FAKES.values(), ids=FAKES)
def ask(request: pytest.FixtureRequest):
    """A caller of a faked service; it says what it sees."""
    return request.param


def test_a_faked_call_is_a_call_to_the_service(run, ask) -> None:
    [call] = run(ask).calls
    assert (call.receiver, call.message) == ("reviews.internal", "GET /7")


def test_a_faked_call_is_as_always(run, ask) -> None:
    assert run(ask).result == "5"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("connection-error", ("ConnectionError", "ConnectError", "ClientConnectorError")),
        ("timeout", ("ReadTimeout", "TimeoutError")),
        ("status:503", ("{'message': 'Service Unavailable'}",)),
    ],
    ids=["connection-error", "timeout", "status"],
)
def test_a_faked_call_can_fail(run, ask, kind, names) -> None:
    assert run(ask, [run(ask).fault(kind)]).result in names


class Impatient(requests.adapters.HTTPAdapter):
    """Sets the timeout of requests that have none."""

    def __init__(self, timeout: float | None) -> None:
        self.timeout = timeout
        super().__init__()

    def send(self, request, *args, timeout=None, **kwargs):
        """Send."""
        return super().send(request, *args, timeout=timeout or self.timeout, **kwargs)


@pytest.mark.parametrize(("timeout", "offered"), [(5, 1), (None, 0)])
def test_a_timeout_that_an_adapter_sets_is_one(run, timeout: float | None, offered: int) -> None:
    def code() -> int:
        with responses.RequestsMock() as fake, requests.Session() as session:
            session.mount("http://", Impatient(timeout))
            fake.get(URL, json=5)
            return session.get(URL).json()

    assert len(run(code).faults("timeout")) == offered


def test_an_error_reply_to_a_head_request_has_no_body(run) -> None:
    def code() -> tuple[int, bytes]:
        with requests_mock.Mocker() as fake:
            fake.head(URL)
            response = requests.head(URL, timeout=5)
            return response.status_code, response.content

    assert run(code, [run(code).fault("status")]).result == (500, b"")


def test_a_faulted_call_is_in_the_log_of_aioresponses(run) -> None:
    def code() -> int:
        with aioresponses() as fake:
            fake.get(URL, payload=5, response_class=Answer)
            asyncio.run(ask_aiohttp())
            return sum(map(len, fake.requests.values()))

    assert run(code, [run(code).fault("connection-error")]).result == 1


@pytest.mark.parametrize("kind", ["connection-error", "status:503"])
def test_a_faulted_call_is_in_the_log_of_aresponses(run, kind: str) -> None:
    async def ask() -> list[tuple[str, object]]:
        async with ResponsesMockServer() as fake, aiohttp.ClientSession() as session:
            fake.add("reviews.internal", "/7", "POST", {"stars": 5})
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                await session.post(URL, json={"stars": 4}, params={"by": "me"})
            fake.assert_plan_strictly_followed()
            return [(seen.path_qs, await seen.json()) for seen, route, _ in fake.history if route]

    def code() -> list[tuple[str, object]]:
        return asyncio.run(ask())

    usual = run(code)
    assert usual.result == [("/7?by=me", {"stars": 4})]
    assert run(code, [usual.fault(kind)]).result == usual.result


def test_no_header_is_shown_to_a_fake(run) -> None:
    seen: list[bool] = []

    def code() -> None:
        with respx.mock() as fake:
            fake.get(URL).respond(json=5)
            transport = httpx.MockTransport(lambda request: httpx.Response(200))
            with httpx.Client(transport=transport) as client:
                seen.append("socrates-call" in client.get(URL).request.headers)

    with pytest.raises(AssertionError):
        run(code)
    assert seen == [False]


def view(request) -> JSONResponse:
    """A page of an application of the tests' own, which asks a service."""
    return JSONResponse(fetch(requests.get))


def ask_for_a_page() -> object:
    """What a test client gets of it."""
    app = Starlette(routes=[Route("/page", view)])
    with responses.RequestsMock() as fake, TestClient(app) as client:
        fake.get(URL, json=5)
        return client.get("/page").json()


def test_calls_through_a_test_client_are_caused_by_its_request(run) -> None:
    outer, inner = run(ask_for_a_page).calls
    assert (inner.cause, inner.sender) == (outer.target, outer.receiver)


def test_calls_of_an_application_of_the_tests_are_no_targets(run) -> None:
    ran = run(ask_for_a_page, config={"test-calls": False})
    assert (len(ran.calls), ran.faults("connection-error")) == (2, [])
