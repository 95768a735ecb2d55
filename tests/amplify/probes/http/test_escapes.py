"""Errors that leave a request handler of the project are told to the journal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, cast

import flask
import pytest

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.escapes import (
    patch_aiohttp,
    patch_django,
    patch_flask,
    patch_starlette,
)
from socrates_amplify.probes.patching import Patches


class Told:
    """In the place of a journal: the errors that it is told of."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def escaped(self, error: BaseException) -> None:
        self.errors.append(type(error).__name__)


def application() -> flask.Flask:
    app = flask.Flask("shop")

    @app.get("/broken")
    def broken() -> str:
        raise KeyError("price")

    @app.get("/handled")
    def handled() -> str:
        raise ValueError("no")

    @app.errorhandler(ValueError)
    def of_value(error: Exception) -> tuple[str, int]:
        return "no", 400

    return app


@pytest.mark.parametrize(
    ("path", "status", "errors"),
    [
        pytest.param("/broken", 500, ["KeyError"], id="nobody handles it"),
        pytest.param("/handled", 400, [], id="an error handler does"),
        pytest.param("/gone", 404, [], id="no such page"),
    ],
)
def test_error_in_a_view_of_flask(path: str, status: int, errors: list[str]) -> None:
    told, patches, client = Told(), Patches(), application().test_client()
    patch_flask(patches, cast("Journal", told))
    try:
        answer = client.get(path)
    finally:
        patches.undo()
    assert (answer.status_code, told.errors) == (status, errors)


def test_nothing_is_told_once_it_is_undone() -> None:
    told, patches = Told(), Patches()
    patch_flask(patches, cast("Journal", told))
    patches.undo()
    assert (application().test_client().get("/broken").status_code, told.errors) == (500, [])


def told_by(patch: Callable[[Patches, Journal], None], act: Callable[[], object]) -> list[str]:
    """The errors of which a journal hears while ``act`` runs with a patched framework."""
    told, patches = Told(), Patches()
    patch(patches, cast("Journal", told))
    try:
        with contextlib.suppress(KeyError):
            act()
    finally:
        patches.undo()
    return told.errors


@pytest.mark.parametrize(
    ("error", "errors"), [(KeyError("price"), ["KeyError"]), (None, [])], ids=["error", "none"]
)
def test_error_that_django_answers_with_its_page(
    error: Exception | None, errors: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.handlers import exception

    answered: list[object] = []
    monkeypatch.setattr(
        exception, "handle_uncaught_exception", lambda *given: answered.append(given)
    )
    given = ("request", "resolver", (type(error), error, None))
    told = told_by(patch_django, lambda: exception.handle_uncaught_exception(*given))
    assert (told, answered) == (errors, [given])


@pytest.mark.parametrize(
    ("error", "errors"), [(KeyError("price"), ["KeyError"]), (None, [])], ids=["error", "none"]
)
def test_error_that_aiohttp_answers(
    error: Exception | None, errors: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from aiohttp.web_protocol import RequestHandler

    answered: list[object] = []
    monkeypatch.setattr(RequestHandler, "handle_error", lambda *given: answered.append(given[1:]))
    handler: Any = object()
    told = told_by(
        patch_aiohttp,
        lambda: RequestHandler.handle_error(handler, "request", 500, error),  # type: ignore[arg-type]
    )
    assert (told, answered) == (errors, [("request", 500, error)])


@pytest.mark.parametrize(
    ("error", "errors"), [(KeyError("price"), ["KeyError"]), (None, [])], ids=["error", "none"]
)
def test_error_that_leaves_all_middleware_of_starlette(
    error: Exception | None, errors: list[str]
) -> None:
    from starlette.middleware.errors import ServerErrorMiddleware

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if error is not None:
            raise error

    async def send(message: Any) -> None: ...

    middleware = ServerErrorMiddleware(app)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    told = told_by(patch_starlette, lambda: asyncio.run(middleware(scope, send, send)))  # type: ignore[arg-type]
    assert told == errors
