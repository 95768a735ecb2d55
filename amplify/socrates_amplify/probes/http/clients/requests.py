"""requests 2.x. What goes to urllib3 is faulted there, attempt by attempt; here is the rest.

The rest are fakes (responses, requests-mock, betamax) and adapters of other kinds, which never
come to urllib3: they get the fault in the place of their adapter, so hooks, cookies, ``elapsed``
and redirects work as always.
"""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from socrates_amplify.model.faults import reason_of
from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.journal import Attempt, Journal
from socrates_amplify.probes.http.calls.outgoing import Outgoing, body_digest, is_http
from socrates_amplify.probes.http.clients import faults as http_faults
from socrates_amplify.probes.http.clients.fake_logs import log_in_requests
from socrates_amplify.probes.http.clients.outer import Outer, outer
from socrates_amplify.probes.http.clients.retrying import Retrying, policy_of
from socrates_amplify.probes.http.clients.versions import URLLIB3, left_alone
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import requests


def patch(patches: Patches, journal: Journal) -> None:
    """Hold on to ``Session.send``, through which every request goes."""
    from requests.adapters import HTTPAdapter
    from requests.sessions import Session

    # Where urllib3 is of a version that is left alone, nothing is left to it.
    genuine = None if left_alone(URLLIB3) else HTTPAdapter.send

    def send(session: requests.Session, request: Any, **kwargs: Any) -> Any:
        if not is_http(request.url):
            return original(session, request, **kwargs)
        if _comes_to_urllib3(session, request, genuine):
            return _through(original, session, request, kwargs)
        return _above(original, session, request, kwargs, journal)

    if Session.send.__code__.co_freevars:
        # Something else has wrapped it, such as OpenTelemetry: so do we.
        original = Session.send
        patches.set(Session, "send", functools.wraps(original)(send))
        return
    # From the inside, since requests-mock and others keep ``send`` and compare it later.
    patches.set(sys.modules["requests.sessions"], "_socrates_send", send)
    original = patches.inside(cast(FunctionType, Session.send), cast(FunctionType, _stand_in))


def _stand_in(self, request, **kwargs):  # type: ignore[no-untyped-def]
    """What becomes of the code of ``Session.send``."""
    return _socrates_send(self, request, **kwargs)  # type: ignore[name-defined] # noqa: F821


def _comes_to_urllib3(session: requests.Session, request: Any, genuine: object) -> bool:
    from requests.adapters import HTTPAdapter

    try:
        adapter = session.get_adapter(url=request.url)
    except Exception:
        # Whatever is wrong with this request, requests itself will say so.
        return True
    return isinstance(adapter, HTTPAdapter) and HTTPAdapter.send is genuine


def _through(
    original: Callable[..., Any], session: requests.Session, request: Any, kwargs: dict[str, Any]
) -> Any:
    mine = Outer("requests")
    before = outer.set(mine)
    body: object = None
    try:
        response = original(session, request, **kwargs)
        body = response._content
        return response
    finally:
        outer.reset(before)
        mine.told(body if isinstance(body, bytes) else None)


def _above(
    original: Callable[..., Any],
    session: requests.Session,
    request: Any,
    kwargs: dict[str, Any],
    journal: Journal,
) -> Any:
    timeout = _timeout_of(kwargs.get("timeout") or _usual_timeout(session, str(request.url)))
    body = body_digest(getattr(request, "body", None))
    method = str(request.method or "GET").upper()
    outgoing = Outgoing("requests", method, str(request.url), body, timeout)
    retrying: Retrying | None = None
    while True:
        attempt = journal.begin(outgoing, sys._getframe(2))
        if attempt.kind == "lost-reply":
            session = _losing(session, attempt, journal, timeout)
        if attempt.kind in ("", "lost-reply"):
            break
        attempt.injected()
        Clock.wait(http_faults.patience(attempt, journal, timeout))
        if attempt.kind == "slow" and not http_faults.too_slow(attempt, journal, timeout):
            break
        retrying = retrying or Retrying(policy_of(session, str(request.url)), request)
        if not retrying.again(_raw(request, attempt)):
            return original(_faulted(session, attempt, retrying.error), request, **kwargs)
        log_in_requests(session, request, kwargs, _result(request, attempt))
    if retrying is not None:
        rest = retrying.left(session.get_adapter(url=request.url))
        session = _with_adapter(session, lambda: rest)
    try:
        response = original(session, request, **kwargs)
    except BaseException:
        attempt.failed()
        raise
    content = response._content
    attempt.replied(response.status_code, content if isinstance(content, bytes) else None)
    return response


def _losing(
    session: requests.Session, attempt: Attempt, journal: Journal, timeout: float | None
) -> requests.Session:
    """The same session, whose next request is made, but the reply is lost."""
    from requests.adapters import HTTPAdapter

    since = Clock.now()

    class Losing(HTTPAdapter):
        def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            session.get_adapter(url=request.url).send(request, *args, **kwargs).close()
            attempt.lost()
            Clock.wait(http_faults.rest_of(attempt, journal, timeout, since))
            raise _late(request)

    return _with_adapter(session, Losing)


def _faulted(
    session: requests.Session, attempt: Attempt, spent: Exception | None
) -> requests.Session:
    """The same session, but for the adapter of this one call; other threads keep theirs.

    ``spent`` is raised in place of the last answer of a policy that has no more tries.
    """
    from requests.adapters import HTTPAdapter

    class Faulty(HTTPAdapter):
        def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            result = _result(request, attempt)
            log_in_requests(session, request, kwargs, result)
            if spent is not None:
                raise spent
            if isinstance(result, Exception):
                raise result
            return result

    return _with_adapter(session, Faulty)


def _with_adapter(session: requests.Session, adapter: Callable[[], Any]) -> requests.Session:
    twin = object.__new__(type(session))
    twin.__dict__.update(session.__dict__)
    twin.__dict__["get_adapter"] = lambda url: adapter()
    return twin


def _result(request: Any, attempt: Attempt) -> Any:
    """What the caller sees of a fault: a response, or an exception to raise."""
    from requests.adapters import HTTPAdapter
    from requests.exceptions import ConnectionError as Refused
    from urllib3.exceptions import MaxRetryError

    if attempt.kind == "connection-error":
        # Word for word what requests says: there is code that looks at the text.
        spent = MaxRetryError(_pool(request), request.path_url, _raw(request, attempt))
        return Refused(spent, request=request)
    if attempt.kind != "status":
        return _late(request)
    return HTTPAdapter().build_response(request, _raw(request, attempt))


def _late(request: Any) -> Exception:
    from requests.exceptions import ReadTimeout
    from urllib3.exceptions import ReadTimeoutError

    late = ReadTimeoutError(_pool(request), request.path_url, "Read timed out.")
    return ReadTimeout(late, request=request)


def _pool(request: Any) -> Any:
    """The pool whose connection the request would have used."""
    from urllib3 import connection_from_url

    return connection_from_url(request.url)


def _raw(request: Any, attempt: Attempt) -> Any:
    """The same in the words of urllib3."""
    from urllib3.exceptions import NewConnectionError, ReadTimeoutError
    from urllib3.response import HTTPResponse

    if attempt.kind == "connection-error":
        pool = _pool(request)
        connection = pool.ConnectionCls(pool.host, pool.port)
        told = "Failed to establish a new connection: [Errno 111] Connection refused"
        return NewConnectionError(connection, told)
    if attempt.kind != "status":
        return ReadTimeoutError(_pool(request), str(request.url), "Read timed out.")
    status = int(attempt.detail)
    return HTTPResponse(
        body=io.BytesIO(http_faults.body_of(status, str(request.method))),
        headers=http_faults.headers_of(status),
        status=status,
        reason=reason_of(status),
        preload_content=False,
        request_method=request.method,  # a reply to a HEAD says how long a body would be, and has none
    )


def _usual_timeout(session: requests.Session, url: str) -> object:
    """What an adapter of the caller's own keeps as the timeout of requests that have none."""
    try:
        kept = vars(session.get_adapter(url=url))
    except Exception:
        return None  # there is no adapter, or none that keeps anything
    return next((value for name, value in kept.items() if "timeout" in name.lower()), None)


def _timeout_of(timeout: Any) -> float | None:
    values = timeout if isinstance(timeout, tuple) else (timeout,)
    for value in reversed(values):
        if isinstance(value, (int, float)):
            return float(value)
    # urllib3's own Timeout says what it is in the same words.
    read = getattr(timeout, "_read", None)
    return float(read) if isinstance(read, (int, float)) else None
