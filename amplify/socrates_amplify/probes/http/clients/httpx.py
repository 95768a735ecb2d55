"""httpx from 0.27 and its successor httpx2, sync and async: each hop of a request is a call, above respx and all else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
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


Go = Callable[..., Any]
_HANDLERS = ("handle_request", "handle_async_request")
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
    hops = _Hops(patches, journal, library)

    def send(client: Any, request: httpx.Request) -> Any:
        transport = client._transport_for_url(request.url)
        if not is_http(request.url) or hops.watch_inside(transport):
            return once(client, request)

        def go(other: Any = None) -> Any:
            return once(_with_transport(client, other) if other else client, request)

        return hops.hop(transport, request, sys._getframe(1), go, transport.handle_request)

    async def send_async(client: Any, request: httpx.Request) -> Any:
        transport = client._transport_for_url(request.url)
        if not is_http(request.url) or hops.watch_inside(transport):
            return await once_async(client, request)

        async def go(other: Any = None) -> Any:
            return await once_async(_with_transport(client, other) if other else client, request)

        forward = transport.handle_async_request
        return await hops.hop_async(transport, request, sys._getframe(1), go, forward)

    patches.set(library.Client, "_send_single_request", send)
    patches.set(library.AsyncClient, "_send_single_request", send_async)


class _Hops:
    """Makes hops that may be faulted, for clients and for transports below other transports."""

    def __init__(self, patches: Patches, journal: Journal, library: Any) -> None:
        self._patches = patches
        self._journal = journal
        self._library = library
        self._watched: dict[int, object] = {}

    def watch_inside(self, transport: Any) -> bool:
        """Whether a transport hands requests on to others, which make the hops: it may retry, or cache.

        Those are watched from now on.
        """
        inner = self._inside(transport)
        if not inner or not all(hasattr(one, "__dict__") for one in inner):
            return False
        for one in inner:
            self._watch(one)
        return True

    def _inside(self, transport: Any, above: tuple[object, ...] = ()) -> list[Any]:
        kinds = (self._library.BaseTransport, self._library.AsyncBaseTransport)
        kept = getattr(transport, "__dict__", {}).values()
        parts = [one for one in kept if isinstance(one, kinds) and one not in above]
        above = (*above, transport)
        return [leaf for part in parts for leaf in self._inside(part, above) or [part]]

    def _watch(self, transport: Any) -> None:
        """Have each request that comes to this transport be a call."""
        if id(transport) in self._watched:
            return
        before = {name: vars(transport)[name] for name in _HANDLERS if name in vars(transport)}
        sync, asynchronous = _HANDLERS

        def handle(request: Any) -> Any:
            forward = before.get(sync) or getattr(type(transport), sync).__get__(transport)
            frame = sys._getframe(1)
            return self.hop(transport, request, frame, _through(request, forward, sync), forward)

        async def handle_async(request: Any) -> Any:
            forward = before.get(asynchronous) or getattr(type(transport), asynchronous).__get__(
                transport
            )
            go = _through(request, forward, asynchronous)
            return await self.hop_async(transport, request, sys._getframe(1), go, forward)

        for name, handler in ((sync, handle), (asynchronous, handle_async)):
            if hasattr(transport, name):
                self._patches.set(transport, name, handler)
        self._watched[id(transport)] = transport

    def hop(self, transport: Any, request: Any, frame: FrameType, go: Go, forward: Go) -> Any:
        """One hop by ``go``, which takes another transport where this one is faulted."""
        library, journal = self._library, self._journal
        timeout = _timeout_of(request)
        instead = None
        for tries_left in range(_retries_of(transport), -1, -1):
            outgoing = _outgoing(library.__name__, request, timeout, transport)
            attempt = journal.begin(outgoing, frame)
            if not attempt.kind:
                break
            if attempt.kind == "lost-reply":
                instead = _losing(library, forward, attempt, journal, timeout)
                break
            attempt.injected()
            Clock.wait(http_faults.patience(attempt, journal, timeout))
            if attempt.kind == "slow" and not http_faults.too_slow(attempt, journal, timeout):
                break
            if not tries_left or attempt.kind != "connection-error":
                return go(_faulted(library, transport, attempt))
            log_in_httpx(library, transport, request, None)
        with _Hop(request, attempt, _carries(journal, library, transport)):
            answer = go(instead)
        attempt.replied(answer.status_code, getattr(answer, "_content", None))
        return answer

    async def hop_async(
        self, transport: Any, request: Any, frame: FrameType, go: Go, forward: Go
    ) -> Any:
        """The same for an async client."""
        library, journal = self._library, self._journal
        timeout, deadline = sooner(_timeout_of(request), journal)
        instead = None
        for tries_left in range(_retries_of(transport), -1, -1):
            outgoing = _outgoing(library.__name__, request, timeout, transport)
            attempt = journal.begin(outgoing, frame)
            if not attempt.kind:
                break
            if attempt.kind == "lost-reply":
                instead = _losing(library, forward, attempt, journal, timeout, deadline)
                break
            attempt.injected()
            await wait(http_faults.patience(attempt, journal, timeout))
            if attempt.kind == "slow" and not http_faults.too_slow(attempt, journal, timeout):
                break
            if not tries_left or attempt.kind != "connection-error":
                return await go(_faulted(library, transport, attempt, deadline))
            log_in_httpx(library, transport, request, None)
        with _Hop(request, attempt, _carries(journal, library, transport)):
            answer = await go(instead)
        attempt.replied(answer.status_code, getattr(answer, "_content", None))
        return answer


def _through(request: Any, forward: Go, name: str) -> Go:
    """Hands a request to a transport: to another one where that is given."""
    return lambda other=None: (getattr(other, name) if other else forward)(request)


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
    library: Any, transport: Any, attempt: Attempt, deadline: Deadline | None = None
) -> Any:
    """A transport for one call, in the place of ``transport``; other threads keep theirs.

    No class of httpx, since recorders of cassettes put themselves into all of its transports and
    would play an answer in place of the fault.
    """

    def response(method: str) -> Any:
        status = int(attempt.detail)
        return library.Response(
            status,
            headers=http_faults.headers_of(status),
            stream=library.ByteStream(http_faults.body_of(status, method)),
            extensions={"http_version": b"HTTP/1.1"},
        )

    def answer(request: Any) -> Any:
        given = response(request.method) if attempt.kind == "status" else None
        log_in_httpx(library, transport, request, given)
        if attempt.kind == "connection-error":
            raise library.ConnectError("[Errno 111] Connection refused", request=request)
        if given is None:
            raise library.ReadTimeout("The read operation timed out", request=request)
        return given

    def sends(request: Any) -> bool:
        """Whether the body is read: where nobody answers it is not, unless it can be read again."""
        again = isinstance(request.stream, library.ByteStream)
        return again or attempt.kind != "connection-error"

    class Faulty:
        def handle_request(self, request: Any) -> Any:
            if sends(request):
                request.read()
            return answer(request)

        async def handle_async_request(self, request: Any) -> Any:
            if sends(request):
                await request.aread()
            if deadline is not None and attempt.kind not in ("status", "connection-error"):
                log_in_httpx(library, transport, request, None)
                await deadline.passes()
            return answer(request)

    return Faulty()


def _losing(
    library: Any,
    forward: Go,
    attempt: Attempt,
    journal: Journal,
    timeout: float | None,
    deadline: Deadline | None = None,
) -> Any:
    """A transport, sync or async, whose request comes to its service by ``forward``, but no reply back."""
    since = Clock.now()

    class Losing:
        def handle_request(self, request: Any) -> Any:
            response = forward(request)
            if _LENGTH in response.headers:
                response.read()
            response.close()
            attempt.lost()
            Clock.wait(rest())
            raise library.ReadTimeout("The read operation timed out", request=request)

        async def handle_async_request(self, request: Any) -> Any:
            response = await forward(request)
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

    return Losing()


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
