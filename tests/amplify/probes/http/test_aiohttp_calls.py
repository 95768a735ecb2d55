"""One call of aiohttp under each fault, with a stand-in for the request: no loop waits, no server runs."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.clients import aiohttp as module

Told = list[tuple[object, ...]]


class Response:
    """An answer, as far as the hook looks at it."""

    status = 200
    _body = b"fine"

    def __init__(self, told: Told, length: int | None = 4) -> None:
        self.content_length = length
        self._told = told

    async def read(self) -> bytes:
        self._told.append(("read",))
        return b"fine"

    def close(self) -> None:
        self._told.append(("close",))


class Lab:
    """A journal, a session and a request that writes down how it is made."""

    def __init__(
        self, kind: str = "", *, slow: float = 1.0, error: Exception | None = None
    ) -> None:
        self.settings = SimpleNamespace(slow=slow, honest_timeouts=True)
        self.told: Told = []
        self.made: list[dict[str, Any]] = []
        self.outgoing: list[Any] = []
        self.length: int | None = 4
        self._kind, self._error = kind, error
        self.strict: Any = False

    def begin(self, outgoing: object, frame: object) -> Any:
        self.outgoing.append(outgoing)
        attempt = SimpleNamespace(kind=self._kind, detail="503", token="run-0")
        for name in ("injected", "lost", "failed", "replied"):
            setattr(attempt, name, lambda *details, name=name: self.told.append((name, *details)))
        return attempt

    async def _make(self, **kwargs: Any) -> Any:
        self.made.append(kwargs)
        if self._error is not None:
            raise self._error
        return Response(self.told, self.length)

    def call(self, *, header: bool = True, **kwargs: Any) -> str:
        """Make the call: the status, or what was raised."""
        timeout = aiohttp.ClientTimeout(total=4)

        async def run() -> Any:
            async with aiohttp.ClientSession(
                timeout=timeout, raise_for_status=self.strict
            ) as session:
                return await module._call(
                    self,  # type: ignore[arg-type]
                    session,
                    "get",
                    "http://prices/7",
                    kwargs,
                    self._make,
                    header,
                    lambda: self.told.append(("log",)),
                )

        try:
            return str(asyncio.run(run()).status)
        except Exception as error:
            return type(error).__name__


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long somebody would have waited; the clock stands still."""
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(Clock, "now", staticmethod(lambda: 50.0))
    monkeypatch.setattr(module, "wait", wait)
    return waited


@pytest.mark.parametrize(
    ("kind", "result", "told", "made"),
    [
        pytest.param("", "200", [("replied", 200, b"fine")], 1, id="no fault"),
        pytest.param("status", "503", [("injected",), ("log",)], 0, id="status"),
        pytest.param("timeout", "TimeoutError", [("injected",), ("log",)], 0, id="timeout"),
        pytest.param(
            "connection-error", "ClientConnectorError", [("injected",), ("log",)], 0, id="refused"
        ),
        pytest.param("slow", "200", [("injected",), ("replied", 200, b"fine")], 1, id="slow"),
        pytest.param(
            "lost-reply", "TimeoutError", [("read",), ("close",), ("lost",)], 1, id="lost"
        ),
    ],
)
def test_call_under_a_fault(kind: str, result: str, told: Told, made: int) -> None:
    lab = Lab(kind)
    assert (lab.call(), lab.told, len(lab.made)) == (result, told, made)


def test_suite_that_puts_a_function_in_the_place_of_init_gets_the_error_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = aiohttp.ClientResponse.__init__

    def init(response: Any, *args: Any, **kwargs: Any) -> None:
        original(response, *args, **kwargs)

    monkeypatch.setattr(aiohttp.ClientResponse, "__init__", init)
    assert Lab("status").call() == "503"


def test_call_that_is_too_slow_is_late() -> None:
    lab = Lab("slow", slow=4.0)
    assert (lab.call(), lab.made) == ("TimeoutError", [])


def test_call_that_fails_is_told() -> None:
    lab = Lab(error=aiohttp.ClientError())
    assert (lab.call(), lab.told) == ("ClientError", [("failed",)])


def test_body_without_an_end_is_not_read() -> None:
    lab = Lab("lost-reply")
    lab.length = None
    lab.call()
    assert lab.told == [("close",), ("lost",)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("", []), ("timeout", [4.0]), ("slow", [1.0]), ("status", [0.0]), ("lost-reply", [4.0])],
)
def test_caller_waits(kind: str, expected: list[float], pauses: list[float]) -> None:
    Lab(kind).call()
    assert pauses == expected


@pytest.mark.parametrize(
    ("header", "expected"), [(True, {"headers": {"Socrates-Call": "run-0"}}), (False, {})]
)
def test_call_carries_our_header_where_it_may(header: bool, expected: dict[str, Any]) -> None:
    lab = Lab()
    lab.call(header=header)
    assert lab.made == [expected]


def test_answer_that_is_lost_is_not_judged() -> None:
    lab = Lab("lost-reply")
    lab.call(header=False, raise_for_status=True)
    assert lab.made == [{"raise_for_status": False}]


@pytest.mark.parametrize(
    ("session", "asked", "result"),
    [
        (False, None, "503"),
        (True, None, "ClientResponseError"),
        (True, False, "503"),
        (False, True, "ClientResponseError"),
    ],
)
def test_bad_status_is_raised_where_the_caller_wants_it(
    session: bool, asked: bool | None, result: str
) -> None:
    lab = Lab("status")
    lab.strict = session
    assert lab.call(raise_for_status=asked) == result


def test_caller_may_judge_a_status_itself() -> None:
    async def judge(response: aiohttp.ClientResponse) -> None:
        raise LookupError(response.status)

    assert Lab("status").call(raise_for_status=judge) == "LookupError"


def test_call_is_described() -> None:
    lab = Lab()
    lab.call(params={"a": "1"}, timeout=3)
    (found,) = lab.outgoing
    assert (found.library, found.method, found.url, found.timeout) == (
        "aiohttp",
        "GET",
        "http://prices/7?a=1",
        3.0,
    )
