"""The services of a process: whose call they handle, by which code, and on which port they listen.

Stdlib servers (werkzeug's and Django's are built on them), Flask, Django, Starlette and FastAPI,
and aiohttp. Nothing is faulted here: a fault happens to a call where it is made. The header that
says which call it is never comes to the application.
"""

from __future__ import annotations

import inspect
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from socrates_amplify.probes.http.calls.journal import HEADER, Journal
from socrates_amplify.probes.http.calls.naming import (
    app_hint,
    handler_hint,
    label,
    process_hint,
)
from socrates_amplify.probes.http.calls.starting_place import place_hint
from socrates_amplify.probes.patching import BuiltinMethod, Patches

_WSGI = "HTTP_" + HEADER.upper().replace("-", "_")
_hint: ContextVar[tuple[str, str]] = ContextVar("socrates_hint", default=("", ""))
"""What a service that is about to listen is known by, and what it is called."""
_ASGI = HEADER.lower().encode()


def patch_sockets(patches: Patches, journal: Journal) -> None:
    """Notice each port that this process listens on."""
    original: Callable[..., None] = socket.socket.listen

    def tell(sock: socket.socket) -> bool:
        port = sock.getsockname()[1] if sock.family in (socket.AF_INET, socket.AF_INET6) else 0
        if port:
            hint, shown = _hint.get()
            own = process_hint()
            journal.listening(port, own or hint, own or shown or place_hint(sys._getframe(2)))
        return bool(port)

    def listen(sock: socket.socket, *args: Any) -> None:
        # The name comes first: as soon as the port is open, somebody may call.
        told = tell(sock)
        original(sock, *args)
        if not told:
            tell(sock)

    patches.set(socket.socket, "listen", BuiltinMethod(listen))


def patch_socketserver(patches: Patches, journal: Journal) -> None:
    """A stdlib server says by its handler or its application what it is."""
    from socketserver import TCPServer

    original = TCPServer.server_activate

    def server_activate(server: TCPServer) -> None:
        app, handler = getattr(server, "app", None), server.RequestHandlerClass
        hint = app_hint(app) or handler_hint(handler)
        before = _hint.set((hint, label(hint, place_hint(sys._getframe(1)), app or handler)))
        try:
            original(server)
        finally:
            _hint.reset(before)

    patches.set(TCPServer, "server_activate", server_activate)


def patch_wsgiref(patches: Patches, journal: Journal) -> None:
    """The reference server of WSGI learns its application only once it listens."""
    from wsgiref.simple_server import WSGIServer

    original = WSGIServer.set_app

    def set_app(server: WSGIServer, app: Any) -> None:
        original(server, app)
        if server.server_port:
            journal.listening(server.server_port, "", label(app_hint(app), "", app))

    patches.set(WSGIServer, "set_app", set_app)


def patch_http_server(patches: Patches, journal: Journal) -> None:
    """Requests to stdlib servers, and to all that are built on them."""
    from http.server import BaseHTTPRequestHandler

    parse, finish = BaseHTTPRequestHandler.parse_request, BaseHTTPRequestHandler.finish

    def over(handler: Any) -> None:
        leave = handler.__dict__.pop("_socrates_leave", None)
        if leave is not None:
            leave()

    def parse_request(handler: BaseHTTPRequestHandler) -> bool:
        over(handler)
        parsed = parse(handler)
        token = handler.headers.get(HEADER, "") if parsed else ""
        if token:
            del handler.headers[HEADER]
            method = getattr(type(handler), f"do_{handler.command}", None)
            handler.__dict__["_socrates_leave"] = journal.enter(token)
            journal.handled_by(place_of(method))
        return parsed

    def finish_request(handler: BaseHTTPRequestHandler) -> None:
        over(handler)
        finish(handler)

    patches.set(BaseHTTPRequestHandler, "parse_request", parse_request)
    patches.set(BaseHTTPRequestHandler, "finish", finish_request)


def patch_flask(patches: Patches, journal: Journal) -> None:
    """Requests to Flask applications, whatever serves them."""
    import flask

    _patch_wsgi(patches, journal, flask.Flask)
    dispatch: Callable[..., Any] = flask.Flask.dispatch_request

    def dispatch_request(app: flask.Flask, *args: Any) -> Any:
        rule = flask.request.url_rule
        if rule is not None:
            journal.handled_by(place_of(app.view_functions.get(rule.endpoint)))
        return dispatch(app, *args)

    patches.set(flask.Flask, "dispatch_request", dispatch_request)


def patch_django(patches: Patches, journal: Journal) -> None:
    """Which view of a Django application handles a request."""
    from django.core.handlers.base import BaseHandler

    original = BaseHandler.resolve_request

    def resolve_request(handler: Any, request: Any) -> Any:
        match = original(handler, request)
        journal.handled_by(place_of(getattr(match.func, "view_class", match.func)))
        return match

    patches.set(BaseHandler, "resolve_request", resolve_request)


def patch_django_wsgi(patches: Patches, journal: Journal) -> None:
    """Requests to Django applications behind WSGI."""
    from django.core.handlers.wsgi import WSGIHandler

    _patch_wsgi(patches, journal, WSGIHandler)


def patch_django_asgi(patches: Patches, journal: Journal) -> None:
    """Requests to Django applications behind ASGI."""
    from django.core.handlers.asgi import ASGIHandler

    _patch_asgi(patches, journal, ASGIHandler)


def patch_starlette(patches: Patches, journal: Journal) -> None:
    """Requests to Starlette and FastAPI applications, whatever serves them."""
    from starlette.applications import Starlette

    _patch_asgi(patches, journal, Starlette)


def patch_uvicorn(patches: Patches, journal: Journal) -> None:
    """A server of ASGI applications knows which one it serves before it listens."""
    from uvicorn import Server

    original = Server.startup

    async def startup(server: Server, *args: Any, **kwargs: Any) -> None:
        app = server.config.app
        hint = app_hint(app)
        before = _hint.set((hint, label(hint, place_hint(sys._getframe(1)), app)))
        try:
            await original(server, *args, **kwargs)
        finally:
            _hint.reset(before)

    patches.set(Server, "startup", startup)


def patch_aiohttp_runner(patches: Patches, journal: Journal) -> None:
    """A site of aiohttp knows its application, or the one handler that a test server has."""
    from aiohttp.web_runner import SockSite, TCPSite

    for kind in (SockSite, TCPSite):
        patches.set(kind, "start", _naming(kind.start))


def _naming(original: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    async def start(site: Any) -> None:
        runner = site._runner
        served = getattr(runner, "_app", None) or getattr(runner.server, "request_handler", None)
        before = _hint.set(("", label("", place_hint(sys._getframe(1)), served)))
        try:
            await original(site)
        finally:
            _hint.reset(before)

    return start


def patch_aiohttp_web(patches: Patches, journal: Journal) -> None:
    """Requests to aiohttp's own applications."""
    from aiohttp.web import Application

    original: Callable[..., Awaitable[Any]] = Application._handle

    async def handle(app: Application, request: Any) -> Any:
        token = request.headers.get(HEADER, "")
        if not token:
            return await original(app, request)
        _take_header_from(request)
        leave = journal.enter(token)
        try:
            return await original(app, request)
        finally:
            journal.handled_by(place_of(getattr(request.match_info, "handler", None)))
            leave()

    patches.set(Application, "_handle", handle)


def _take_header_from(request: Any) -> None:
    """A request of aiohttp can't be replaced by another, so it is changed from the inside."""
    from multidict import CIMultiDict, CIMultiDictProxy

    with suppress(AttributeError):
        # Other insides than those we know: the application sees one header more.
        message = request._message
        kept = CIMultiDict(message.headers)
        kept.popall(HEADER, None)
        raw = tuple(pair for pair in message.raw_headers if pair[0].lower() != _ASGI)
        headers = CIMultiDictProxy(kept)
        request._message = message._replace(headers=headers, raw_headers=raw)
        request._headers = request._cache["headers"] = headers


def _patch_wsgi(patches: Patches, journal: Journal, owner: Any) -> None:
    original = owner.__call__

    def call(app: Any, environ: dict[str, Any], start_response: Any) -> Any:
        token = environ.pop(_WSGI, "")
        if not token:
            return original(app, environ, start_response)
        leave = journal.enter(token)
        try:
            return original(app, environ, start_response)
        finally:
            leave()

    patches.set(owner, "__call__", call)


def _patch_asgi(patches: Patches, journal: Journal, owner: Any) -> None:
    original = owner.__call__

    async def call(app: Any, scope: Any, receive: Any, send: Any) -> None:
        headers = scope.get("headers") or ()
        token = dict(headers).get(_ASGI, b"").decode("latin-1")
        if not token:
            await original(app, scope, receive, send)
            return
        scope["headers"] = [pair for pair in headers if pair[0] != _ASGI]
        leave = journal.enter(token)
        try:
            await original(app, scope, receive, send)
        finally:
            journal.handled_by(place_of(scope.get("endpoint")))
            leave()

    patches.set(owner, "__call__", call)


def place_of(view: object) -> str:
    """``file:line`` of a view, of a function or a class; empty where it has none."""
    if view is None:
        return ""
    with suppress(Exception):
        # A view may be any callable; one whose source can't be found is handled by nobody known.
        code = getattr(inspect.unwrap(view), "__code__", None)  # type: ignore[arg-type]
        if code is not None:
            return f"{code.co_filename}:{code.co_firstlineno}"
        kind = view if isinstance(view, type) else type(view)
        return f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]}"
    return ""


SERVERS: Mapping[str, Callable[[Patches, Journal], None]] = {
    "socket": patch_sockets,
    "socketserver": patch_socketserver,
    "wsgiref.simple_server": patch_wsgiref,
    "http.server": patch_http_server,
    "flask": patch_flask,
    "django.core.handlers.base": patch_django,
    "django.core.handlers.wsgi": patch_django_wsgi,
    "django.core.handlers.asgi": patch_django_asgi,
    "starlette.applications": patch_starlette,
    "uvicorn": patch_uvicorn,
    "aiohttp.web": patch_aiohttp_web,
    "aiohttp.web_runner": patch_aiohttp_runner,
}
"""What patches which module once it is imported."""
