"""aiohttp 3.9 and later: one request, redirects and all, is a call; above aioresponses and vcrpy, too."""

from __future__ import annotations

import ast
import errno
import functools
import inspect
import sys
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from socrates_amplify.model.faults import reason_of
from socrates_amplify.originals import Clock, JsonText
from socrates_amplify.probes.http.calls.journal import HEADER, Attempt, Journal
from socrates_amplify.probes.http.calls.outgoing import Outgoing, body_digest
from socrates_amplify.probes.http.clients import faults as http_faults
from socrates_amplify.probes.http.clients.deadlines import Deadline, sooner
from socrates_amplify.probes.http.clients.fake_logs import log_in_aioresponses, log_in_aresponses
from socrates_amplify.probes.http.clients.waiting import wait
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import aiohttp

Make = Callable[..., Awaitable["aiohttp.ClientResponse"]]

_in_cassette: ContextVar[bool] = ContextVar("socrates_in_cassette", default=False)
"""Whether vcrpy is making a call that was written down above it."""


def patch(patches: Patches, journal: Journal) -> None:
    """Hold on to ``ClientSession._request``."""
    from aiohttp import ClientSession

    original = ClientSession._request

    async def request(
        session: aiohttp.ClientSession, method: str, url: Any, **kwargs: Any
    ) -> aiohttp.ClientResponse:
        def make(**changed: Any) -> Awaitable[aiohttp.ClientResponse]:
            return original(session, method, url, **changed)

        if _in_cassette.get():
            # vcrpy keeps what it found here when it was imported: this, if that was during a run.
            return await make(**kwargs)

        def log() -> None:
            log_in_aresponses(method, _whole_url(session, url, kwargs), kwargs)

        header = journal.settings.header
        return await _call(journal, session, method, url, kwargs, make, header, log)

    patches.set(ClientSession, "_request", request)


def patch_aioresponses(patches: Patches, journal: Journal) -> None:
    """aioresponses puts a function of its own in the place of ``_request``: hold on to that."""
    from aioresponses.core import aioresponses

    original = aioresponses._request_mock

    async def request_mock(
        fake: Any, session: aiohttp.ClientSession, method: str, url: Any, **kwargs: Any
    ) -> aiohttp.ClientResponse:
        def make(**changed: Any) -> Awaitable[aiohttp.ClientResponse]:
            return original(fake, session, method, url, **changed)

        def log() -> None:
            log_in_aioresponses(fake, session, method, url, kwargs)

        return await _call(journal, session, method, url, kwargs, make, header=False, log=log)

    patches.set(aioresponses, "_request_mock", request_mock)


def patch_vcrpy(patches: Patches, journal: Journal) -> None:
    """vcrpy puts a function of its own in the place of ``_request``: hold on to what makes it."""
    from vcr.stubs import aiohttp_stubs  # type: ignore[import-untyped,unused-ignore]

    original = aiohttp_stubs.vcr_request

    def vcr_request(cassette: Any, real_request: Any) -> Any:
        play_or_record = original(cassette, real_request)

        @functools.wraps(real_request)
        async def request(
            session: aiohttp.ClientSession, method: str, url: Any, **kwargs: Any
        ) -> aiohttp.ClientResponse:
            async def make(**changed: Any) -> aiohttp.ClientResponse:
                before = _in_cassette.set(True)
                try:
                    response: aiohttp.ClientResponse = await play_or_record(
                        session, method, url, **changed
                    )
                    return response
                finally:
                    _in_cassette.reset(before)

            return await _call(journal, session, method, url, kwargs, make, header=False)

        return request

    patches.set(aiohttp_stubs, "vcr_request", vcr_request)


async def _call(
    journal: Journal,
    session: aiohttp.ClientSession,
    method: str,
    url: Any,
    kwargs: dict[str, Any],
    make: Make,
    header: bool,
    log: Callable[[], None] = lambda: None,
) -> aiohttp.ClientResponse:
    timeout, deadline = sooner(_timeout_of(session, kwargs.get("timeout")), journal)
    whole = _whole_url(session, url, kwargs)
    body = body_digest(_body_of(kwargs))
    attempt = journal.begin(
        Outgoing("aiohttp", method.upper(), str(whole), body, timeout), sys._getframe(2)
    )
    lost = attempt.kind == "lost-reply"
    if attempt.kind and not lost:
        attempt.injected()
        await wait(http_faults.patience(attempt, journal, timeout))
        if attempt.kind != "slow" or http_faults.too_slow(attempt, journal, timeout):
            log()
            return await _answer(session, method, whole, attempt, kwargs, deadline)
    if header:
        kwargs = {**kwargs, "headers": _with_token(kwargs.get("headers"), attempt.token)}
    if lost:
        # Whatever the answer would have been, it is not looked at.
        since, kwargs = Clock.now(), {**kwargs, "raise_for_status": False}
    try:
        response = await make(**kwargs)
    except BaseException:
        attempt.failed()
        raise
    if lost:
        if response.content_length is not None:
            await response.read()
        response.close()
        attempt.lost()
        await wait(http_faults.rest_of(attempt, journal, timeout, since))
        return await _answer(session, method, whole, attempt, kwargs, deadline)
    attempt.replied(response.status, response._body)
    return response


def _whole_url(session: aiohttp.ClientSession, url: Any, kwargs: dict[str, Any]) -> Any:
    whole = session._build_url(url)
    return whole.extend_query(kwargs["params"]) if kwargs.get("params") else whole


async def _answer(
    session: aiohttp.ClientSession,
    method: str,
    url: Any,
    attempt: Attempt,
    kwargs: dict[str, Any],
    deadline: Deadline | None,
) -> aiohttp.ClientResponse:
    import aiohttp
    from aiohttp.client_reqrep import ConnectionKey

    if attempt.kind == "connection-error":
        known = {"host": url.host, "port": url.port, "is_ssl": url.scheme == "https", "ssl": True}
        wanted = inspect.signature(
            ConnectionKey
        ).parameters  # a tuple, or in aiohttp 3.9 a class of attrs
        key = ConnectionKey(*map(known.get, wanted))  # type: ignore[arg-type]
        raise aiohttp.ClientConnectorError(
            key, ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        )
    if attempt.kind != "status":
        if deadline is not None:
            await deadline.passes()
        if _waits_in_all(session, kwargs.get("timeout")):
            raise TimeoutError
        late = getattr(aiohttp, "SocketTimeoutError", aiohttp.ServerTimeoutError)
        raise late("Timeout on reading data from socket")
    response = _response(session, method, url, int(attempt.detail))
    strict = kwargs.get("raise_for_status")
    strict = session._raise_for_status if strict is None else strict
    if callable(strict):
        await strict(response)
    elif strict:
        response.raise_for_status()
    return response


def _waits_in_all(session: aiohttp.ClientSession, timeout: Any) -> bool:
    """Whether only the time of the whole call is limited: aiohttp then raises another error."""
    import aiohttp

    chosen = timeout if isinstance(timeout, aiohttp.ClientTimeout) else session.timeout
    if isinstance(timeout, (int, float)):
        chosen = aiohttp.ClientTimeout(total=timeout)
    return chosen.sock_read is None


def _response(
    session: aiohttp.ClientSession, method: str, url: Any, status: int
) -> aiohttp.ClientResponse:
    """A response of aiohttp's own class, its body there to be read."""
    import asyncio  # slow to import, and there where aiohttp is

    from aiohttp import ClientResponse, HttpVersion11, RequestInfo, StreamReader
    from aiohttp.base_protocol import BaseProtocol
    from aiohttp.helpers import TimerNoop
    from aiohttp.http_writer import StreamWriter
    from multidict import CIMultiDict, CIMultiDictProxy

    loop = asyncio.get_running_loop()
    protocol = BaseProtocol(loop)
    empty: CIMultiDictProxy[str] = CIMultiDictProxy(CIMultiDict())
    known = {
        "writer": None,
        "continue100": None,
        "timer": TimerNoop(),
        "request_info": RequestInfo(url, method, empty, url),
        "traces": [],
        "loop": loop,
        "session": session,
        "request_headers": empty,
        "original_url": url,
        "stream_writer": StreamWriter(protocol, loop),
    }
    wanted, required = _parameters_of_response()
    given = {name: value for name, value in known.items() if name in wanted}
    given.update({name: None for name in required if name not in given})
    response = ClientResponse(method, url, **given)
    headers = CIMultiDict(http_faults.headers_of(status))
    response.status = status
    response.version = HttpVersion11
    response.reason = reason_of(status)
    response._headers = CIMultiDictProxy(headers)
    response._raw_headers = tuple((k.encode(), v.encode()) for k, v in headers.items())
    response.content = StreamReader(protocol, limit=2**16, loop=loop)
    response.content.feed_data(http_faults.body_of(status, method.upper()))
    response.content.feed_eof()
    return response


@functools.cache
def _parameters_of_response() -> tuple[frozenset[str], frozenset[str]]:
    """What a response of this version of aiohttp takes by name, and what of it has no default.

    Read from the source of aiohttp: suites put an ``__init__(self, *args, **kwargs)`` of their own in
    its place, whose signature says nothing.
    """
    from aiohttp import client_reqrep

    classes = ast.parse(inspect.getsource(client_reqrep)).body
    response = next(
        one for one in classes if isinstance(one, ast.ClassDef) and one.name == "ClientResponse"
    )
    made = next(
        one for one in response.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"
    )
    # Behind ``self``, the method and the URL.
    placed, named = made.args.args[3:], made.args.kwonlyargs
    without = placed[: len(placed) - len(made.args.defaults)] + [
        one for one, default in zip(named, made.args.kw_defaults, strict=True) if default is None
    ]
    return frozenset(one.arg for one in placed + named), frozenset(one.arg for one in without)


def _body_of(kwargs: dict[str, Any]) -> object:
    if kwargs.get("json") is not None:
        try:
            return JsonText.dumps(kwargs["json"], sort_keys=True, default=repr)
        except (TypeError, ValueError):
            # aiohttp may serialise it by other means; that there is a body is all that is known.
            return kwargs["json"]
    data = kwargs.get("data")
    return repr(data) if isinstance(data, (dict, list, tuple)) else data


def _with_token(headers: Any, token: str) -> Any:
    """The headers of a call, and ours."""
    if not headers:
        return {HEADER: token}
    from multidict import CIMultiDict

    extended = CIMultiDict(headers)
    extended[HEADER] = token
    return extended


@functools.cache
def _default_timeout() -> object:
    from aiohttp.client import DEFAULT_TIMEOUT

    return DEFAULT_TIMEOUT


def _timeout_of(session: aiohttp.ClientSession, timeout: Any) -> float | None:
    """How long the caller said that it would wait; aiohttp's own five minutes are nobody's wish."""
    if isinstance(timeout, (int, float)):
        return float(timeout)
    chosen = timeout if hasattr(timeout, "total") else session._timeout
    default = _default_timeout()
    if chosen is default or chosen == default:
        return None
    for name in ("total", "sock_read", "sock_connect", "connect"):
        value = getattr(chosen, name, None)
        if value is not None:
            return float(value)
    return None
