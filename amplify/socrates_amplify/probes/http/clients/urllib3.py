"""urllib3 2.x, and requests above it: each attempt is a call, so that retry policies really run."""

from __future__ import annotations

import functools
import inspect
import io
import sys
from typing import TYPE_CHECKING, Any

from socrates_amplify.model.faults import reason_of
from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.journal import HEADER, Attempt, Journal
from socrates_amplify.probes.http.calls.outgoing import Outgoing, body_digest
from socrates_amplify.probes.http.clients import faults as http_faults
from socrates_amplify.probes.http.clients.outer import outer
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import urllib3
    from urllib3.connectionpool import HTTPConnectionPool


def patch(patches: Patches, journal: Journal) -> None:
    """Hold on to the one function that makes an attempt, below redirects and retries."""
    from urllib3.connectionpool import HTTPConnectionPool

    original = HTTPConnectionPool._make_request

    def make_request(
        pool: HTTPConnectionPool,
        conn: Any,
        method: str,
        url: str,
        body: Any = None,
        headers: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        timeout = _timeout_of(pool, kwargs.get("timeout"))
        above = outer.get()
        outgoing = Outgoing(
            library=above.library if above else "urllib3",
            method=method.upper(),
            url=_full(pool, url),
            body=body_digest(body),
            timeout=timeout,
        )
        attempt = journal.begin(outgoing, sys._getframe(1))
        since = Clock.now() if attempt.kind else 0.0
        if attempt.kind and attempt.kind != "lost-reply":
            response = _perturbed(pool, conn, method, url, attempt, journal, timeout, kwargs)
            if response is not None:
                return response
        if journal.settings.header:
            headers = {**(pool.headers if headers is None else headers), HEADER: attempt.token}
        try:
            response = original(pool, conn, method, url, body, headers, *args, **kwargs)
        except BaseException:
            attempt.failed()
            raise
        if attempt.kind == "lost-reply":
            if "Content-Length" in response.headers:
                response.drain_conn()
            response.close()
            raise _late(pool, url, attempt, journal, timeout, since)
        if above is not None:
            above.answered.append((attempt, response.status))
        else:
            preloaded = kwargs.get("preload_content", True)
            attempt.replied(response.status, response.data if preloaded else None)
        return response

    patches.set(HTTPConnectionPool, "_make_request", make_request)


def _perturbed(
    pool: HTTPConnectionPool,
    conn: Any,
    method: str,
    url: str,
    attempt: Attempt,
    journal: Journal,
    timeout: float | None,
    kwargs: dict[str, Any],
) -> urllib3.BaseHTTPResponse | None:
    """Raise or answer what the fault says; None when the call goes on after all."""
    from urllib3.exceptions import NewConnectionError, ReadTimeoutError

    attempt.injected()
    Clock.wait(http_faults.patience(attempt, journal, timeout))
    if attempt.kind == "connection-error":
        raise NewConnectionError(
            conn, "Failed to establish a new connection: [Errno 111] Connection refused"
        )
    if http_faults.too_slow(attempt, journal, timeout):
        raise ReadTimeoutError(pool, url, f"Read timed out. (read timeout={timeout})")
    if attempt.kind == "slow":
        return None
    return _answer(int(attempt.detail), pool, method, url, kwargs)


def _answer(
    status: int, pool: HTTPConnectionPool, method: str, url: str, kwargs: dict[str, Any]
) -> urllib3.BaseHTTPResponse:
    """An error reply as a connection gives it: who has read it hands the connection back to its pool."""
    from http.client import HTTPResponse as Received

    from urllib3.response import HTTPResponse

    lines = [f"{name}: {value}" for name, value in http_faults.headers_of(status).items()]
    head = "\r\n".join([f"HTTP/1.1 {status} {reason_of(status)}", *lines, "", ""])
    wire = _Wire(head.encode() + http_faults.body_of(status, method.upper()))
    received = Received(wire, method=method)  # type: ignore[arg-type]  # it only asks for a file
    received.begin()
    version: dict[str, Any] = {}
    if _knows_version(HTTPResponse):
        version = {"version_string": "HTTP/1.1"}
    return HTTPResponse(
        body=received,
        headers=http_faults.headers_of(status),
        status=status,
        version=11,
        **version,
        reason=reason_of(status),
        preload_content=kwargs.get("preload_content", True),
        decode_content=kwargs.get("decode_content", True),
        original_response=received,
        pool=pool,
        connection=kwargs.get("response_conn"),
        retries=kwargs.get("retries"),
        request_method=method,
        request_url=url,
    )


class _Wire:
    """A socket that holds what a server has sent."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def makefile(self, mode: str) -> io.BytesIO:
        """As ``http.client`` reads it."""
        return io.BytesIO(self._sent)


@functools.cache
def _knows_version(response: type) -> bool:
    """Whether a response takes its version as text, which not everything does that is installed as urllib3."""
    return "version_string" in inspect.signature(response).parameters


def _late(
    pool: HTTPConnectionPool,
    url: str,
    attempt: Attempt,
    journal: Journal,
    timeout: float | None,
    since: float,
) -> Exception:
    """What the caller sees whose reply is lost, when it has waited long enough."""
    from urllib3.exceptions import ReadTimeoutError

    attempt.lost()
    Clock.wait(http_faults.rest_of(attempt, journal, timeout, since))
    return ReadTimeoutError(pool, url, f"Read timed out. (read timeout={timeout})")


def _timeout_of(pool: HTTPConnectionPool, timeout: Any) -> float | None:
    """Seconds that the caller waits for a reply, or else for a connection; None for ever."""
    chosen = timeout if hasattr(timeout, "_read") else pool._get_timeout(timeout)
    for value in (chosen._read, chosen.total, chosen._connect):
        if type(value) is not float and type(value) is not int:
            value = chosen.resolve_default_timeout(value)
        if value is not None:
            return float(value)
    return None


def _full(pool: HTTPConnectionPool, url: str) -> str:
    """The whole address; what goes through a proxy is an address already."""
    if url.startswith(("http://", "https://")):
        return url
    host = f"[{pool.host}]" if ":" in pool.host else pool.host
    return f"{pool.scheme}://{host}:{pool.port}{url}"
