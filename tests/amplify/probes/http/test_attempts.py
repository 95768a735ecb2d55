"""What clients tell the journal of each attempt, and what their callers see, without any server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import httpx
import pytest
import requests
import urllib3
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3.util import Timeout
from urllib3.util.retry import Retry

from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.outgoing import Outgoing
from socrates_amplify.probes.http.clients import aiohttp as for_aiohttp
from socrates_amplify.probes.http.clients import httpx as for_httpx
from socrates_amplify.probes.http.clients import requests as for_requests
from socrates_amplify.probes.http.clients import urllib3 as for_urllib3
from socrates_amplify.probes.http.clients.retrying import Retrying, policy_of
from socrates_amplify.probes.patching import Patches

URL = "http://prices/7"
Told = list[tuple[object, ...]]


class Journal:
    """Says what happens to each attempt, the next of ``kinds``, and writes down what became of it."""

    def __init__(self, *kinds: str, slow: float = 1.0, header: bool = True) -> None:
        self.settings: Any = SimpleNamespace(slow=slow, honest_timeouts=True, header=header)
        self.told: Told = []
        self.outgoing: list[Outgoing] = []
        self._kinds = list(kinds)

    def begin(self, outgoing: Outgoing, frame: object) -> Any:
        self.outgoing.append(outgoing)
        kind = self._kinds.pop(0) if self._kinds else ""
        detail = "503" if kind == "status" else ""
        made = SimpleNamespace(kind=kind, detail=detail, token="run-0")
        for name in ("injected", "lost", "failed", "replied"):
            setattr(made, name, self._telling(name))
        return made

    def _telling(self, name: str) -> Callable[..., None]:
        return lambda *details: self.told.append((name, *details))


def journaling(*kinds: str, **settings: Any) -> Any:
    return Journal(*kinds, **settings)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long somebody would have waited; the clock stands still."""
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(Clock, "now", staticmethod(lambda: 50.0))
    monkeypatch.setattr(Clock, "wait", staticmethod(waited.append))
    monkeypatch.setattr(for_httpx, "wait", wait)
    return waited


@pytest.fixture
def patches() -> Iterator[Patches]:
    made = Patches()
    yield made
    made.undo()


Seen = list[dict[str, str]]


class Transport(httpx.MockTransport):
    """Answers everything with 200, or raises; connects again as often as it is told to."""

    def __init__(self, seen: Seen, error: Exception | None = None, retries: int = 0) -> None:
        self._pool = SimpleNamespace(_retries=retries)

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(dict(request.headers))
            if error is not None:
                raise error
            return httpx.Response(200, content=b"fine")

        super().__init__(answer)


def get_sync(transport: Transport, url: str) -> httpx.Response:
    with httpx.Client(transport=transport, timeout=4.0) as client:
        return client.get(url)


def get_async(transport: Transport, url: str) -> httpx.Response:
    async def get() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, timeout=4.0) as client:
            return await client.get(url)

    return asyncio.run(get())


Get = Callable[[Transport, str], httpx.Response]
both = pytest.mark.parametrize("get", [get_sync, get_async], ids=["sync", "async"])


def result_of(call: Callable[[], Any]) -> str:
    try:
        return str(call().status_code)
    except Exception as error:
        return type(error).__name__


@both
@pytest.mark.parametrize(
    ("kinds", "result", "told", "reached"),
    [
        pytest.param([""], "200", [("replied", 200, b"fine")], 1, id="no fault"),
        pytest.param(["status"], "503", [("injected",)], 0, id="status"),
        pytest.param(["timeout"], "ReadTimeout", [("injected",)], 0, id="timeout"),
        pytest.param(["connection-error"], "ConnectError", [("injected",)], 0, id="refused"),
        pytest.param(["lost-reply"], "ReadTimeout", [("lost",), ("failed",)], 1, id="lost"),
        pytest.param(["slow"], "200", [("injected",), ("replied", 200, b"fine")], 1, id="slow"),
    ],
)
def test_attempt_of_httpx(
    kinds: list[str], result: str, told: Told, reached: int, get: Get, patches: Patches
) -> None:
    journal, seen = journaling(*kinds), Seen()
    for_httpx.patch(patches, journal)
    assert (result_of(lambda: get(Transport(seen), URL)), journal.told, len(seen)) == (
        result,
        told,
        reached,
    )


@both
@pytest.mark.parametrize(
    ("kind", "slow", "expected"),
    [("timeout", 1.0, [4.0]), ("slow", 1.0, [1.0]), ("slow", 9.0, [4.0]), ("status", 1.0, [0.0])],
)
def test_caller_of_httpx_waits(
    kind: str, slow: float, expected: list[float], get: Get, patches: Patches, pauses: list[float]
) -> None:
    for_httpx.patch(patches, journaling(kind, slow=slow))
    result_of(lambda: get(Transport([]), URL))
    assert pauses == expected


@both
def test_caller_of_httpx_waits_for_a_lost_reply(
    get: Get, patches: Patches, pauses: list[float]
) -> None:
    for_httpx.patch(patches, journaling("lost-reply"))
    result_of(lambda: get(Transport([]), URL))
    assert pauses == [4.0]


@both
def test_call_of_httpx_that_is_too_slow_is_late(get: Get, patches: Patches) -> None:
    journal = journaling("slow", slow=4.0)
    for_httpx.patch(patches, journal)
    found = (result_of(lambda: get(Transport([]), URL)), journal.told)
    assert found == ("ReadTimeout", [("injected",)])


@both
def test_failure_of_httpx_is_told(get: Get, patches: Patches) -> None:
    journal = journaling()
    for_httpx.patch(patches, journal)
    transport = Transport([], httpx.ConnectError("no"))
    assert (result_of(lambda: get(transport, URL)), journal.told) == (
        "ConnectError",
        [("failed",)],
    )


@both
@pytest.mark.parametrize(
    ("kinds", "result", "attempts"),
    [
        pytest.param(["connection-error"] * 2, "200", 3, id="at last"),
        pytest.param(["connection-error"] * 3, "ConnectError", 3, id="too often"),
        pytest.param(["timeout"], "ReadTimeout", 1, id="only connections"),
    ],
)
def test_transport_of_httpx_connects_again(
    kinds: list[str], result: str, attempts: int, get: Get, patches: Patches
) -> None:
    journal = journaling(*kinds)
    for_httpx.patch(patches, journal)
    found = result_of(lambda: get(Transport([], retries=2), URL))
    assert (found, len(journal.outgoing)) == (result, attempts)


@both
def test_fake_of_httpx_is_shown_no_header(get: Get, patches: Patches) -> None:
    seen = Seen()
    for_httpx.patch(patches, journaling())
    get(Transport(seen), URL)
    assert "socrates-call" not in seen[0]


def test_call_of_httpx_is_described(patches: Patches) -> None:
    journal = journaling()
    for_httpx.patch(patches, journal)
    get_sync(Transport([]), f"{URL}?a=1")
    (found,) = journal.outgoing
    assert (found.library, found.method, found.url, found.timeout) == (
        *("httpx", "GET", f"{URL}?a=1"),
        4.0,
    )


@pytest.mark.parametrize(
    ("timeouts", "expected"),
    [
        ({"read": 3, "connect": 1}, 3.0),
        ({"read": None, "connect": 1}, 1.0),
        ({"read": 0}, 0.0),
        ({"pool": 2}, None),
        ({}, None),
    ],
)
def test_patience_of_httpx(timeouts: dict[str, float | None], expected: float | None) -> None:
    request: Any = SimpleNamespace(extensions={"timeout": timeouts})
    assert for_httpx._timeout_of(request) == expected


@pytest.mark.parametrize(("retries", "expected"), [(3, 3), (None, 0), ("3", 0)])
def test_retries_of_a_transport(retries: object, expected: int) -> None:
    pool = SimpleNamespace(_retries=retries)
    assert for_httpx._retries_of(SimpleNamespace(_pool=pool)) == expected


class Adapter(BaseAdapter):
    """Answers everything with 200, or raises, in place of urllib3."""

    def __init__(self, seen: list[str], error: Exception | None = None) -> None:
        super().__init__()
        self._seen, self._error = seen, error

    def send(self, request: Any, *args: Any, **kwargs: Any) -> requests.Response:
        self._seen.append(str(request.url))
        if self._error is not None:
            raise self._error
        response = requests.Response()
        response.status_code, response._content, response.url = 200, b"fine", request.url
        response.raw = SimpleNamespace(_original_response=None, close=lambda: None)
        response.request = request
        return response

    def close(self) -> None:
        """Nothing is open."""


def fetched(adapter: Adapter) -> str:
    with requests.Session() as session:
        session.mount("http://", adapter)
        return result_of(lambda: session.get(URL, timeout=4.0))


@pytest.mark.parametrize(
    ("kinds", "result", "told", "reached"),
    [
        pytest.param([""], "200", [("replied", 200, b"fine")], 1, id="no fault"),
        pytest.param(["status"], "503", [("injected",)], 0, id="status"),
        pytest.param(["timeout"], "ReadTimeout", [("injected",)], 0, id="timeout"),
        pytest.param(["connection-error"], "ConnectionError", [("injected",)], 0, id="refused"),
        pytest.param(["lost-reply"], "ReadTimeout", [("lost",), ("failed",)], 1, id="lost"),
        pytest.param(["slow"], "200", [("injected",), ("replied", 200, b"fine")], 1, id="slow"),
    ],
)
def test_attempt_of_requests(
    kinds: list[str], result: str, told: Told, reached: int, patches: Patches
) -> None:
    journal, seen = journaling(*kinds), list[str]()
    for_requests.patch(patches, journal)
    assert (fetched(Adapter(seen)), journal.told, len(seen)) == (result, told, reached)


def test_failure_of_requests_is_told(patches: Patches) -> None:
    journal = journaling()
    for_requests.patch(patches, journal)
    found = fetched(Adapter([], requests.ConnectionError("no")))
    assert (found, journal.told) == ("ConnectionError", [("failed",)])


@pytest.mark.parametrize(
    ("kind", "slow", "expected"),
    [
        *(("timeout", 1.0, [4.0]), ("slow", 1.0, [1.0]), ("slow", 9.0, [4.0])),
        *(("status", 1.0, [0.0]), ("lost-reply", 1.0, [4.0])),
    ],
)
def test_caller_of_requests_waits(
    kind: str, slow: float, expected: list[float], patches: Patches, pauses: list[float]
) -> None:
    for_requests.patch(patches, journaling(kind, slow=slow))
    fetched(Adapter([]))
    assert pauses == expected


@pytest.mark.parametrize(
    ("timeout", "expected"),
    [
        (None, None),
        (3, 3.0),
        ((1, 5), 5.0),
        ((1, None), 1.0),
        ((None, None), None),
        (Timeout(read=2.0), 2.0),
        (Timeout(connect=2.0), None),
    ],
    ids=str,
)
def test_patience_of_requests(timeout: object, expected: float | None) -> None:
    assert for_requests._timeout_of(timeout) == expected


@pytest.mark.parametrize(
    ("timeout", "expected"),
    [
        (None, None),
        (3, 3.0),
        (Timeout(read=2.0, connect=1.0), 2.0),
        (Timeout(read=None, connect=1.0), 1.0),
        (Timeout(total=7.0, read=None), 7.0),
    ],
    ids=str,
)
def test_patience_of_urllib3(timeout: object, expected: float | None) -> None:
    with urllib3.HTTPConnectionPool("prices", timeout=None) as pool:
        assert for_urllib3._timeout_of(pool, timeout) == expected


@pytest.mark.parametrize(
    ("host", "url", "expected"),
    [
        ("prices", "/7", "http://prices:8080/7"),
        ("::1", "/7", "http://[::1]:8080/7"),
        ("proxy", "http://prices/7", "http://prices/7"),
    ],
)
def test_whole_address_of_urllib3(host: str, url: str, expected: str) -> None:
    pool: Any = SimpleNamespace(host=host, port=8080, scheme="http")
    assert for_urllib3._full(pool, url) == expected


@pytest.mark.parametrize(
    ("kwargs", "expected"),
    [
        ({}, None),
        ({"json": {"b": 1, "a": 2}}, '{"a": 2, "b": 1}'),
        ({"json": None, "data": "x"}, "x"),
        ({"json": 0, "data": "x"}, "0"),
        ({"data": {"a": 1}}, "{'a': 1}"),
        ({"data": [1]}, "[1]"),
        ({"data": b"x"}, b"x"),
    ],
    ids=str,
)
def test_body_of_aiohttp(kwargs: dict[str, Any], expected: object) -> None:
    assert for_aiohttp._body_of(kwargs) == expected


@pytest.mark.parametrize("headers", [None, {}, {"Accept": "x"}, [("Accept", "x")]])
def test_headers_of_aiohttp_have_ours(headers: Any) -> None:
    expected = {"Socrates-Call": "run-0", **({"Accept": "x"} if headers else {})}
    assert dict(for_aiohttp._with_token(headers, "run-0")) == expected


@pytest.mark.parametrize(
    ("timeout", "expected"),
    [
        (3, 3.0),
        (None, 9.0),
        (aiohttp.ClientTimeout(total=4, sock_read=2), 4.0),
        (aiohttp.ClientTimeout(total=None, sock_read=2, sock_connect=1), 2.0),
        (aiohttp.ClientTimeout(total=None, sock_connect=1, connect=5), 1.0),
        (aiohttp.ClientTimeout(total=None, connect=5), 5.0),
        (aiohttp.ClientTimeout(total=None), None),
        (aiohttp.client.DEFAULT_TIMEOUT, None),
    ],
    ids=["number", "of the session", "total", "read", "connect", "pool", "none", "usual"],
)
def test_patience_of_aiohttp(timeout: object, expected: float | None) -> None:
    session: Any = SimpleNamespace(_timeout=aiohttp.ClientTimeout(total=9))
    assert for_aiohttp._timeout_of(session, timeout) == expected


REQUEST: Any = SimpleNamespace(method="GET", url=URL)
REFUSED = urllib3.exceptions.ProtocolError("no")


def response(status: int, **headers: str) -> Any:
    return urllib3.HTTPResponse(status=status, headers=headers)


@pytest.mark.parametrize(
    ("policy", "result", "expected"),
    [
        pytest.param(None, REFUSED, False, id="no policy"),
        pytest.param(Retry(1), REFUSED, True, id="error"),
        pytest.param(Retry(0), REFUSED, False, id="no try left"),
        pytest.param(Retry(1, read=False), REFUSED, False, id="not for such errors"),
        pytest.param(Retry(1, status_forcelist=[503]), response(503), True, id="status"),
        pytest.param(Retry(1, status_forcelist=[503]), response(500), False, id="another status"),
        pytest.param(Retry(0, status_forcelist=[503]), response(503), False, id="status at last"),
    ],
)
def test_policy_asks_for_another_try(policy: Any, result: Any, expected: bool) -> None:
    assert Retrying(policy, REQUEST).again(result) is expected


def test_tries_are_used_up() -> None:
    retrying = Retrying(Retry(2), REQUEST)
    assert [retrying.again(REFUSED) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("policy", "result", "expected"),
    [
        (Retry(0, status_forcelist=[503]), response(503), "RetryError"),
        (Retry(0, status_forcelist=[503], raise_on_status=False), response(503), "NoneType"),
        (Retry(0), REFUSED, "NoneType"),
    ],
    ids=["raised", "returned", "error"],
)
def test_end_of_all_tries(policy: Any, result: Any, expected: str) -> None:
    retrying = Retrying(policy, REQUEST)
    retrying.again(result)
    assert type(retrying.error).__name__ == expected


@pytest.mark.parametrize(
    ("url", "expected"), [("HTTP://prices/7", 3), ("http://other/7", 5), ("https://prices", None)]
)
def test_policy_is_that_of_the_adapter(url: str, expected: int | None) -> None:
    adapters = {
        "http://prices/": HTTPAdapter(max_retries=3),
        "http://": HTTPAdapter(max_retries=5),
        "https://": Adapter([]),
    }
    policy = policy_of(SimpleNamespace(adapters=adapters), url)
    assert getattr(policy, "total", None) == expected


class Again(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Hands requests on to another transport, and once more if that can't be reached."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._inner.handle_request(request)
        except httpx.TransportError:
            return self._inner.handle_request(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await self._inner.handle_async_request(request)
        except httpx.TransportError:
            return await self._inner.handle_async_request(request)


@both
@pytest.mark.parametrize(
    ("kinds", "result", "told", "reached"),
    [
        pytest.param([""], "200", [("replied", 200, b"fine")], 1, id="no fault"),
        pytest.param(
            ["timeout"], "200", [("injected",), ("replied", 200, b"fine")], 1, id="borne once"
        ),
        pytest.param(["timeout"] * 4, "ReadTimeout", [("injected",)] * 4, 0, id="given up"),
        pytest.param(
            ["lost-reply"],
            "200",
            [("lost",), ("failed",), ("replied", 200, b"fine")],
            2,
            id="lost",
        ),
    ],
)
def test_transport_around_another_retries_above_the_fault(
    kinds: list[str], result: str, told: Told, reached: int, get: Get, patches: Patches
) -> None:
    journal, seen = journaling(*kinds), Seen()
    for_httpx.patch(patches, journal)
    found = result_of(lambda: get(Again(Again(Transport(seen))), URL))  # type: ignore[arg-type]
    assert (found, journal.told, len(seen)) == (result, told, reached)


def test_transport_inside_is_as_before_when_it_is_over(patches: Patches) -> None:
    inner = Transport(Seen())
    for_httpx.patch(patches, journaling("timeout"))
    get_sync(Again(inner), URL)  # type: ignore[arg-type]
    patches.undo()
    assert "handle_request" not in vars(inner)
