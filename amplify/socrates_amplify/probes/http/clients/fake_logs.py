"""A call that a fault keeps from its fake is in the fake's log, as it would be after a real failure.

Tests look there: ``len(responses.calls) == 3`` says that the code under test has tried three times.
What the fake has been told to answer stays untouched, for whoever tries again.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from socrates_amplify.originals import JsonText


def log_in_requests(session: Any, request: Any, kwargs: dict[str, Any], result: object) -> None:
    """Tell ``responses`` or ``requests_mock`` of a call; ``result`` is a response or an exception."""
    with suppress(Exception):
        # Fakes are other people's objects; one without these attributes keeps no log that we know.
        _log_in_responses(request, kwargs, result)
        _log_in_requests_mock(session.get_adapter(url=request.url), request, kwargs, result)


def _log_in_responses(request: Any, kwargs: dict[str, Any], result: object) -> None:
    module = sys.modules.get("responses")
    if module is None:
        return
    from requests.adapters import HTTPAdapter

    for fake in _kept_by(HTTPAdapter.send):
        if isinstance(fake, module.RequestsMock):
            request.params = fake._parse_request_params(request.path_url)
            request.req_kwargs = kwargs
            fake.calls.add(request, result)
            told = [one for one in fake.registered() if one.matches(request)[0]]
            if len(told) == 1:  # of several, one that was called would be passed over next time
                _count(told[0], request, result)


def _count(reply: Any, request: Any, result: object) -> None:
    """Have a registered reply know that it was asked for; before 0.24 it only counted."""
    if hasattr(reply, "calls"):
        reply.calls.add(request, result)
    else:
        reply.call_count += 1


def _log_in_requests_mock(
    adapter: Any, request: Any, kwargs: dict[str, Any], result: object
) -> None:
    module = sys.modules.get("requests_mock.adapter")
    if module is None or not isinstance(adapter, module.Adapter):
        return
    seen = module._RequestObjectProxy(request, case_sensitive=adapter._case_sensitive, **kwargs)
    adapter._add_to_history(seen)
    status = getattr(result, "status_code", None)
    if status is not None:  # tests count records: it writes one for every answer
        module.logger.debug(f"{request.method} {request.url} {status}")
    if not isinstance(request.body, (str, bytes, type(None))):
        return  # a matcher of the test's might read a stream, and a retry would send nothing
    for matcher in reversed(adapter._matchers):
        if matcher._match(seen):
            matcher._add_to_history(seen)
            seen._matcher = weakref.ref(matcher)
            return


def log_in_httpx(library: Any, transport: Any, request: Any, response: Any) -> None:
    """Tell ``respx``, ``pytest_httpx`` or a mock of a call; without ``response``, that it failed."""
    with suppress(Exception):
        _log_in_respx(transport, request, response)
        _log_in_pytest_httpx(library, transport, request)
        _log_in_mock(getattr(transport, "handler", None), request)


def _log_in_respx(transport: Any, request: Any, response: Any) -> None:
    mocks, router = sys.modules.get("respx.mocks"), sys.modules.get("respx.router")
    if mocks is None or router is None:
        return
    active = [known for mocker in mocks.Mocker.registry.values() for known in mocker.routers]
    own = getattr(getattr(transport, "handler", None), "__self__", None)
    for known in [own] if isinstance(own, router.Router) else reversed(active):
        for route in known.routes:
            if route.pattern is None or route.pattern.match(request):
                known.record(request, response=response, route=route)
                return


def _log_in_mock(handler: Any, request: Any) -> None:
    """A mock that answers for ``httpx.MockTransport`` notes the call, and does not answer it."""
    module = sys.modules.get("unittest.mock")
    if module is not None and isinstance(handler, module.Mock):
        handler._increment_mock_call(request)


def _log_in_pytest_httpx(library: Any, transport: Any, request: Any) -> None:
    module = sys.modules.get("pytest_httpx._httpx_mock")
    if module is None:
        return
    for name, kind in (
        ("handle_request", library.HTTPTransport),
        ("handle_async_request", library.AsyncHTTPTransport),
    ):
        if isinstance(transport, kind):
            for fake in _kept_by(getattr(kind, name)):
                if isinstance(fake, module.HTTPXMock):
                    fake._requests.append((transport, request))


def log_in_aioresponses(fake: Any, session: Any, method: str, url: Any, kwargs: Any) -> None:
    """Tell ``aioresponses`` of a call."""
    with suppress(Exception):
        core = sys.modules["aioresponses.core"]
        whole = core.normalize_url(core.merge_params(session._build_url(url), kwargs.get("params")))
        seen = fake._build_request_call(method, **kwargs)
        fake.requests.setdefault((method, whole), []).append(seen)


def log_in_aresponses(method: str, url: Any, kwargs: Any) -> None:
    """Tell ``aresponses``, a server on loopback to which all names lead, of a call."""
    with suppress(Exception):
        module = sys.modules.get("aresponses.main")
        if module is None:
            return
        for fake in _kept_by(module.TCPConnector._resolve_host):
            if isinstance(fake, module.ResponsesMockServer):
                request = _as_received(method, url, kwargs)
                route = next(
                    (one for one, _ in fake._responses if _done(one.matches(request))), None
                )
                fake._history.append(module.RoutingLog(request, route, None))


def _as_received(method: str, url: Any, kwargs: Any) -> Any:
    """The request of a call, as a server of aiohttp would see it, its body read."""
    from aiohttp.test_utils import make_mocked_request

    headers = {"Host": url.raw_authority, **(kwargs.get("headers") or {})}
    body = kwargs.get("data") or b""
    if kwargs.get("json") is not None:
        headers["Content-Type"], body = "application/json", JsonText.dumps(kwargs["json"])
    request = make_mocked_request(method.upper(), url.raw_path_qs, headers=headers)
    request._read_bytes = body.encode() if isinstance(body, str) else bytes(body)
    return request


def _done(coroutine: Any) -> object:
    """What a coroutine returns that waits for nothing; None if it does."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    return None


def _kept_by(function: Any) -> Iterator[object]:
    """What a nested function has kept of the function around it."""
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # a cell that nothing was put into yet
            yield cell.cell_contents
