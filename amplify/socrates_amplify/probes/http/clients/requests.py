"""requests 2.x. What goes to urllib3 is faulted there, attempt by attempt; here is the rest.

The rest are fakes (responses, requests-mock, betamax) and adapters of other kinds, which never
come to urllib3: they get the fault in the place of their adapter, so hooks, cookies, ``elapsed``
and redirects work as always.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.journal import Attempt, Journal
from socrates_amplify.probes.http.calls.outgoing import Outgoing, body_digest
from socrates_amplify.probes.http.clients import faults as http_faults
from socrates_amplify.probes.http.clients.outer import Outer, outer
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
        if _comes_to_urllib3(session, request, genuine):
            return _through(original, session, request, kwargs)
        return _above(original, session, request, kwargs, journal)

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
    timeout = _timeout_of(kwargs.get("timeout"))
    body = body_digest(getattr(request, "body", None))
    method = str(request.method or "GET").upper()
    outgoing = Outgoing("requests", method, str(request.url), body, timeout)
    attempt = journal.begin(outgoing, sys._getframe(2))
    if attempt.kind == "lost-reply":
        session = _losing(session, attempt, journal, timeout)
    elif attempt.kind:
        attempt.injected()
        Clock.wait(http_faults.patience(attempt, journal, timeout))
        if attempt.kind != "slow" or http_faults.too_slow(attempt, journal, timeout):
            return original(_faulted(session, attempt), request, **kwargs)
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
            return _answer(self, request, attempt)

    return _with_adapter(session, Losing)


def _faulted(session: requests.Session, attempt: Attempt) -> requests.Session:
    """The same session, but for the adapter of this one call; other threads keep theirs."""
    from requests.adapters import HTTPAdapter

    class Faulty(HTTPAdapter):
        def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            return _answer(self, request, attempt)

    return _with_adapter(session, Faulty)


def _with_adapter(session: requests.Session, adapter: Callable[[], Any]) -> requests.Session:
    twin = object.__new__(type(session))
    twin.__dict__.update(session.__dict__)
    twin.__dict__["get_adapter"] = lambda url: adapter()
    return twin


def _answer(adapter: Any, request: Any, attempt: Attempt) -> Any:
    from requests.exceptions import ConnectionError as Refused
    from requests.exceptions import ReadTimeout
    from urllib3.response import HTTPResponse

    if attempt.kind == "connection-error":
        raise Refused(f"Connection refused: {request.method} {request.url}", request=request)
    if attempt.kind != "status":
        raise ReadTimeout(f"Read timed out: {request.method} {request.url}", request=request)
    status = int(attempt.detail)
    raw = HTTPResponse(
        body=io.BytesIO(http_faults.body_of(status)),
        headers=http_faults.headers_of(status),
        status=status,
        reason=http_faults.reason_of(status),
        preload_content=False,
    )
    return adapter.build_response(request, raw)


def _timeout_of(timeout: Any) -> float | None:
    values = timeout if isinstance(timeout, tuple) else (timeout,)
    for value in reversed(values):
        if isinstance(value, (int, float)):
            return float(value)
    # urllib3's own Timeout says what it is in the same words.
    read = getattr(timeout, "_read", None)
    return float(read) if isinstance(read, (int, float)) else None
