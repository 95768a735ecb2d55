"""httpx from 0.27 and its successor httpx2, sync and async: each hop of a request is a call, above respx and all else."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.journal import HEADER, Attempt, Journal
from socrates_amplify.probes.http.calls.naming import app_hint, label
from socrates_amplify.probes.http.calls.outgoing import Outgoing, body_digest, is_http
from socrates_amplify.probes.http.clients import faults as http_faults
from socrates_amplify.probes.http.clients.deadlines import Deadline, sooner
from socrates_amplify.probes.http.clients.fake_logs import log_in_httpx
from socrates_amplify.probes.http.clients.waiting import wait
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import httpx


_LENGTH = "Content-Length"
"""Says that a body has an end, so that the service may come to it before its answer is lost."""


def patch(patches: Patches, journal: Journal) -> None:
    """Hold on to httpx."""
    import httpx

    _patch(patches, journal, httpx)


def patch_httpx2(patches: Patches, journal: Journal) -> None:
    """Hold on to httpx2, which has the same insides."""
    _patch(patches, journal, sys.modules["httpx2"])


def _patch(patches: Patches, journal: Journal, library: Any) -> None:
    """Hold on to the function that makes one hop, of both clients."""
    once = library.Client._send_single_request
    once_async = library.AsyncClient._send_single_request

    def send(client: Any, request: httpx.Request) -> Any:
        if not is_http(request.url):
            return once(client, request)
        timeout = _timeout_of(request)
        transport = client._transport_for_url(request.url)
        for tries_left in range(_retries_of(transport), -1, -1):
            outgoing = _outgoing(library.__name__, request, timeout, transport)
            attempt = journal.begin(outgoing, sys._getframe(1))
            if not attempt.kind:
                break
            if attempt.kind == "lost-reply":
                client = _losing(library, client, transport, attempt, journal, timeout)
                break
            attempt.injected()
            Clock.wait(http_faults.patience(attempt, journal, timeout))
            if attempt.kind == "slow" and not http_faults.too_slow(attempt, journal, timeout):
                break
            if not tries_left or attempt.kind != "connection-error":
                return once(_faulted(library, client, transport, attempt), request)
            log_in_httpx(library, transport, request, None)
        with _Hop(request, attempt, _carries(journal, library, transport)):
            answer = once(client, request)
        attempt.replied(answer.status_code, getattr(answer, "_content", None))
        return answer

    async def send_async(client: Any, request: httpx.Request) -> Any:
        if not is_http(request.url):
            return await once_async(client, request)
        timeout, deadline = sooner(_timeout_of(request), journal)
        transport = client._transport_for_url(request.url)
        for tries_left in range(_retries_of(transport), -1, -1):
            outgoing = _outgoing(library.__name__, request, timeout, transport)
            attempt = journal.begin(outgoing, sys._getframe(1))
            if not attempt.kind:
                break
            if attempt.kind == "lost-reply":
                client = _losing(library, client, transport, attempt, journal, timeout, deadline)
                break
            attempt.injected()
            await wait(http_faults.patience(attempt, journal, timeout))
            if attempt.kind == "slow" and not http_faults.too_slow(attempt, journal, timeout):
                break
            if not tries_left or attempt.kind != "connection-error":
                faulted = _faulted(library, client, transport, attempt, deadline)
                return await once_async(faulted, request)
            log_in_httpx(library, transport, request, None)
        with _Hop(request, attempt, _carries(journal, library, transport)):
            answer = await once_async(client, request)
        attempt.replied(answer.status_code, getattr(answer, "_content", None))
        return answer

    patches.set(library.Client, "_send_single_request", send)
    patches.set(library.AsyncClient, "_send_single_request", send_async)


def _outgoing(
    library: str, request: httpx.Request, timeout: float | None, transport: Any
) -> Outgoing:
    content = getattr(request, "_content", request.stream)
    app = getattr(transport, "app", None)
    return Outgoing(
        library,
        request.method.upper(),
        str(request.url),
        body_digest(content),
        timeout,
        application=label(app_hint(app), "", app),
    )


def _carries(journal: Journal, library: Any, transport: Any) -> bool:
    """Whether our header goes with a hop: no fake shall see it."""
    return journal.settings.header and not isinstance(transport, library.MockTransport)


class _Hop:
    """Around a real hop: it carries our header, and that it failed is written down."""

    __slots__ = ("_attempt", "_carries", "_request")

    def __init__(self, request: httpx.Request, attempt: Attempt, carries: bool) -> None:
        self._request = request
        self._attempt = attempt
        self._carries = carries

    def __enter__(self) -> None:
        if self._carries:
            self._request.headers[HEADER] = self._attempt.token

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._carries:
            with suppress(KeyError):
                # A hook or a fake may have taken it away by itself.
                del self._request.headers[HEADER]
        if kind is not None:
            self._attempt.failed()


def _faulted(
    library: Any, client: Any, transport: Any, attempt: Attempt, deadline: Deadline | None = None
) -> Any:
    """The same client, but for the transport of this one call; other threads keep theirs.

    No class of httpx, since recorders of cassettes put themselves into all of its transports and
    would play an answer in place of the fault.
    """

    def response() -> Any:
        status = int(attempt.detail)
        return library.Response(
            status,
            headers=http_faults.headers_of(status),
            stream=library.ByteStream(http_faults.body_of(status)),
            extensions={"http_version": b"HTTP/1.1"},
        )

    def answer(request: Any) -> Any:
        given = response() if attempt.kind == "status" else None
        log_in_httpx(library, transport, request, given)
        if attempt.kind == "connection-error":
            raise library.ConnectError("[Errno 111] Connection refused", request=request)
        if given is None:
            raise library.ReadTimeout("The read operation timed out", request=request)
        return given

    class Faulty:
        def handle_request(self, request: Any) -> Any:
            request.read()
            return answer(request)

        async def handle_async_request(self, request: Any) -> Any:
            await request.aread()
            if deadline is not None and attempt.kind not in ("status", "connection-error"):
                log_in_httpx(library, transport, request, None)
                await deadline.passes()
            return answer(request)

    return _with_transport(client, Faulty())


def _losing(
    library: Any,
    client: Any,
    transport: Any,
    attempt: Attempt,
    journal: Journal,
    timeout: float | None,
    deadline: Deadline | None = None,
) -> Any:
    """The same client, sync or async, whose next request comes to its service, but no reply back."""
    since = Clock.now()

    class Losing:
        def handle_request(self, request: Any) -> Any:
            response = transport.handle_request(request)
            if _LENGTH in response.headers:
                response.read()
            response.close()
            attempt.lost()
            Clock.wait(rest())
            raise library.ReadTimeout("The read operation timed out", request=request)

        async def handle_async_request(self, request: Any) -> Any:
            response = await transport.handle_async_request(request)
            if _LENGTH in response.headers:
                await response.aread()
            await response.aclose()
            attempt.lost()
            await wait(rest())
            if deadline is not None:
                await deadline.passes()
            raise library.ReadTimeout("The read operation timed out", request=request)

    def rest() -> float:
        return http_faults.rest_of(attempt, journal, timeout, since)

    return _with_transport(client, Losing())


def _with_transport(client: Any, transport: Any) -> Any:
    twin = object.__new__(type(client))
    twin.__dict__.update(client.__dict__)
    twin.__dict__["_transport_for_url"] = lambda url: transport
    return twin


def _timeout_of(request: httpx.Request) -> float | None:
    """How long the caller waits; httpx does so by default, too."""
    timeouts = request.extensions.get("timeout", {})
    for name in ("read", "connect"):
        value = timeouts.get(name)
        if value is not None:
            return float(value)
    return None


def _retries_of(transport: Any) -> int:
    """How often the transport itself connects again; that happens below us, so it is done here."""
    pool = getattr(transport, "_pool", None)
    retries = getattr(pool, "_retries", 0)
    return retries if isinstance(retries, int) else 0
