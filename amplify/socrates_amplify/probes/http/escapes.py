"""Exceptions that leave a request handler: whoever asked gets a 500, also a client in the same process.

Where Flask, Django, Starlette (FastAPI) and aiohttp make a 500 of an exception, it is written down
and goes its way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.patching import Patches


def patch_flask(patches: Patches, journal: Journal) -> None:
    """What no error handler of a Flask application took."""
    import flask

    original: Callable[..., Any] = flask.Flask.handle_exception

    def handle_exception(app: flask.Flask, *args: Any) -> Any:
        error = next((one for one in args if isinstance(one, BaseException)), None)
        if error is not None:
            journal.escaped(error)
        return original(app, *args)

    patches.set(flask.Flask, "handle_exception", handle_exception)


def patch_django(patches: Patches, journal: Journal) -> None:
    """What Django answers with its page for server errors."""
    from django.core.handlers import exception

    original: Callable[..., Any] = exception.handle_uncaught_exception

    def handle_uncaught_exception(request: Any, resolver: Any, exc_info: Any) -> Any:
        if exc_info[1] is not None:
            journal.escaped(exc_info[1])
        return original(request, resolver, exc_info)

    patches.set(exception, "handle_uncaught_exception", handle_uncaught_exception)


def patch_starlette(patches: Patches, journal: Journal) -> None:
    """What comes out of all middleware of a Starlette or FastAPI application."""
    from starlette.middleware.errors import ServerErrorMiddleware

    original: Callable[..., Any] = ServerErrorMiddleware.__call__

    async def call(middleware: Any, scope: Any, receive: Any, send: Any) -> None:
        try:
            await original(middleware, scope, receive, send)
        except Exception as error:
            journal.escaped(error)
            raise

    patches.set(ServerErrorMiddleware, "__call__", call)


def patch_aiohttp(patches: Patches, journal: Journal) -> None:
    """What a handler of aiohttp let through."""
    from aiohttp.web_protocol import RequestHandler

    original: Callable[..., Any] = RequestHandler.handle_error

    def handle_error(
        handler: Any, request: Any, status: int = 500, exc: Any = None, *args: Any
    ) -> Any:
        if exc is not None:
            journal.escaped(exc)
        return original(handler, request, status, exc, *args)

    patches.set(RequestHandler, "handle_error", handle_error)


ESCAPES: Mapping[str, Callable[[Patches, Journal], None]] = {
    "flask": patch_flask,
    "django.core.handlers.exception": patch_django,
    "starlette.middleware.errors": patch_starlette,
    "aiohttp.web_protocol": patch_aiohttp,
}
"""What patches which module once it is imported."""
