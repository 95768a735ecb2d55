"""Errors that leave a request handler of the project are told to the journal."""

from __future__ import annotations

from typing import cast

import flask
import pytest

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.escapes import patch_flask
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
