"""What a server is called that a test starts by itself."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, SimpleHTTPRequestHandler
from socketserver import BaseServer
from wsgiref.simple_server import make_server

import aiohttp
import aiohttp.web
import httpx
import pytest
import requests
from aiohttp.test_utils import RawTestServer, TestServer
from fastapi import FastAPI
from flask import Flask
from werkzeug.serving import make_server as make_werkzeug_server

from socrates_amplify.probes.http.calls.starting_place import place_hint

ANY_PORT = ("127.0.0.1", 0)
HERE = __name__.rpartition(".")[2]


class Handler(BaseHTTPRequestHandler):
    """Its name says nothing of what it is."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Quiet(SimpleHTTPRequestHandler):
    """A stock handler but for its silence."""

    __module__, __name__ = "http.server", "SimpleHTTPRequestHandler"

    def log_message(self, *_: object) -> None:
        """Nothing."""


Quiet.__name__ = "SimpleHTTPRequestHandler"


def prices_app(environ: object, start: Callable[..., object]) -> list[bytes]:
    """A WSGI application that is a function."""
    start("204 No Content", [])
    return []


def shop() -> Flask:
    """An application without a name of its own, and with a view in this file."""
    app = Flask("app")
    app.add_url_rule("/", view_func=lambda: "")
    return app


def api() -> FastAPI:
    """The same, with FastAPI."""
    app = FastAPI()
    app.add_api_route("/", lambda: None)
    return app


async def hello(request: object) -> aiohttp.web.Response:
    """A handler of aiohttp."""
    return aiohttp.web.Response()


def aiohttp_app() -> aiohttp.web.Application:
    """An application of aiohttp."""
    app = aiohttp.web.Application()
    app.router.add_get("/", hello)
    return app


@contextmanager
def serving(server: BaseServer) -> Iterator[str]:
    """The address of a server that answers."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def call(make: Callable[[], BaseServer]) -> Callable[[], object]:
    """Code that starts a server and calls it."""

    def code() -> None:
        with serving(make()) as url:
            requests.get(url, timeout=5)

    return code


def call_in_loop(make: Callable[[], TestServer | RawTestServer]) -> Callable[[], object]:
    """The same of a server of aiohttp."""

    async def code() -> None:
        async with make() as server, aiohttp.ClientSession() as session:
            (await session.get(server.make_url("/"))).close()

    return lambda: asyncio.run(code())


def call_in_process(transport: httpx.BaseTransport, url: str) -> Callable[[], object]:
    """Code that calls an application in its own process."""

    def code() -> None:
        with httpx.Client(transport=transport) as client:
            client.get(url)

    return code


@pytest.mark.parametrize(
    ("code", "name"),
    [
        pytest.param(call(lambda: HTTPServer(ANY_PORT, Handler)), "handler", id="any handler"),
        pytest.param(
            call(lambda: HTTPServer(ANY_PORT, Quiet)), "simple-http-request-handler", id="stock"
        ),
        pytest.param(call(lambda: make_server(*ANY_PORT, prices_app)), "prices", id="wsgiref"),
        pytest.param(call(lambda: make_werkzeug_server(*ANY_PORT, shop())), HERE, id="flask"),
        pytest.param(call_in_loop(lambda: TestServer(aiohttp_app())), HERE, id="aiohttp"),
        pytest.param(call_in_loop(lambda: RawTestServer(hello)), "hello", id="aiohttp, raw"),
        pytest.param(
            call_in_process(httpx.WSGITransport(app=shop()), "http://testserver/"),
            HERE,
            id="in process",
        ),
        pytest.param(
            call_in_process(httpx.WSGITransport(app=shop()), "http://prices.internal/"),
            "prices.internal",
            id="in process, with a host",
        ),
    ],
)
def test_a_server_has_the_best_name_there_is(run, code, name) -> None:
    assert [sent.receiver for sent in run(code).calls] == [name]


def test_an_asgi_application_in_the_same_process_gives_its_name(run) -> None:
    async def code() -> None:
        transport = httpx.ASGITransport(app=api())
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            await client.get("/")

    assert run(lambda: asyncio.run(code())).calls[0].receiver == HERE


@pytest.fixture
def make_payments() -> str:
    """What a server that starts here is called."""
    return place_hint(sys._getframe())


def test_a_fixture_gives_its_name_to_what_it_starts(make_payments: str) -> None:
    assert make_payments == "payments"


class FakeVault:
    """Starts a server in a method."""

    def start(self) -> str:
        """What that server is called."""
        return place_hint(sys._getframe())


def test_a_class_of_the_tests_gives_its_name_to_what_it_starts() -> None:
    assert FakeVault().start() == "fake-vault"
