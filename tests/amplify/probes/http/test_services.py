"""Services that a test starts, in threads and in processes: whose calls are whose, and who is who."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import aiohttp
import django.conf
import django.test
import flask
import pytest
import requests
import uvicorn
from aiohttp import web
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.urls import path
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from werkzeug.serving import make_server

from socrates_amplify.probes.processes import channel, lines

SCRIPT = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
import requests

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            stars = requests.get(sys.argv[1] + "/ratings/7", timeout=5).json()["stars"]
        except requests.RequestException:
            stars = 0
        body = str(stars).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def ask(url: str) -> str:
    """What a service says; how it fails, else."""
    try:
        return requests.get(f"{url}/page", timeout=5).text
    except requests.RequestException as error:
        return type(error).__name__


def passed_on(behind: str, headers: Iterable[str]) -> str:
    """The address behind a service, which tells what headers the service was sent."""
    return f"{behind}/ratings/7?{'&'.join(headers)}"


@contextmanager
def served(server: HTTPServer) -> Iterator[str]:
    """A server that runs in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


class RatingsHandler(BaseHTTPRequestHandler):
    """A stdlib service that asks another."""

    behind = ""

    def do_GET(self) -> None:
        """Pass on what the service behind says."""
        body = requests.get(passed_on(self.behind, self.headers), timeout=5).content
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def in_stdlib(behind: str) -> str:
    """A stdlib server in a thread."""
    kind = type("RatingsHandler", (RatingsHandler,), {"behind": behind})
    with served(HTTPServer(("127.0.0.1", 0), kind)) as url:
        return ask(url)


def in_flask(behind: str) -> str:
    """A Flask application in a thread."""
    app = flask.Flask("ratings")

    @app.get("/page")
    def page() -> str:
        return requests.get(passed_on(behind, flask.request.headers.keys()), timeout=5).text

    with served(make_server("127.0.0.1", 0, app, threaded=True)) as url:
        return ask(url)


def in_starlette(behind: str) -> str:
    """A Starlette application under uvicorn in a thread."""

    def page(request: Request) -> PlainTextResponse:
        return PlainTextResponse(requests.get(passed_on(behind, request.headers), timeout=5).text)

    app = Starlette(routes=[Route("/page", page)])
    app.title = "Ratings"  # type: ignore[attr-defined]
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    answer = ask(f"http://127.0.0.1:{port}")
    server.should_exit = True
    thread.join()
    return answer


def in_django(behind: str) -> str:
    """A Django application in a thread."""
    if not django.conf.settings.configured:
        django.conf.settings.configure(ALLOWED_HOSTS=["*"], SECRET_KEY="x")
        django.setup()

    def page(request: HttpRequest) -> HttpResponse:
        names = [name for name, value in request.headers.items() if value]
        return HttpResponse(requests.get(passed_on(behind, names), timeout=5).text)

    with django.test.override_settings(ROOT_URLCONF=(path("page", page),)):
        server = make_server("127.0.0.1", 0, WSGIHandler(), threaded=True)
        with served(server) as url:
            return ask(url)


def in_aiohttp(behind: str) -> str:
    """An application of aiohttp in a thread."""

    ready = threading.Event()
    port: list[int] = []

    async def page(request: web.Request) -> web.Response:
        names = [*request.headers, *(raw.decode() for raw, _ in request.raw_headers)]
        url = passed_on(behind, dict.fromkeys(names))
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return web.Response(text=await response.text())

    async def serve() -> None:
        app = web.Application()
        app.router.add_get("/page", page)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port.append(site._server.sockets[0].getsockname()[1])
        done = asyncio.Event()
        over.append((asyncio.get_running_loop(), done))
        ready.set()
        await done.wait()
        await runner.cleanup()

    over: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait(60)
    answer = ask(f"http://127.0.0.1:{port[0]}")
    loop, done = over[0]
    loop.call_soon_threadsafe(done.set)
    thread.join()
    return answer


THREADS = {
    "stdlib": in_stdlib,
    "flask": in_flask,
    "starlette": in_starlette,
    "django": in_django,
    "aiohttp": in_aiohttp,
}
NAMED = ("stdlib", "flask", "starlette")


@pytest.fixture(params=THREADS.values(), ids=THREADS)
def service(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """A service, started in a thread and asked once."""
    return request.param  # type: ignore[no-any-return]


def test_what_a_thread_calls_is_caused_by_what_it_handles(run, shop, service) -> None:
    outer, inner = run(lambda: service(shop.url)).calls
    assert (inner.cause, inner.sender) == (outer.target, outer.receiver)


@pytest.mark.parametrize("kind", NAMED)
def test_a_service_in_a_thread_has_the_name_of_its_application(run, shop, kind) -> None:
    assert run(lambda: THREADS[kind](shop.url)).calls[0].receiver == "ratings"


def test_the_code_that_handled_a_call_is_known(run, shop, service) -> None:
    first = run(lambda: service(shop.url)).turns[0]
    assert Path(first.handler.rpartition(":")[0]).name == "test_services.py"


def test_a_service_sees_the_headers_that_its_caller_sent(run, shop, seen, service) -> None:
    run(lambda: service(shop.url))
    names = seen[0].line.partition("?")[2].lower().split("&")
    assert sorted(names) == ["accept", "accept-encoding", "connection", "host", "user-agent"]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The source of a service that is a process."""
    path = tmp_path / "reviews.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def process(script: Path) -> Callable[..., str]:
    """Starts the service as a process, asks it once and ends it."""

    def start_and_ask(behind: str, env: dict[str, str] | None = None, args=()) -> str:
        command = [sys.executable, *args, str(script), behind]
        started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        try:
            port = started.stdout.readline().strip()
            return ask(f"http://127.0.0.1:{port}")
        finally:
            started.kill()
            started.communicate(timeout=60)

    return start_and_ask


def test_what_a_process_calls_is_caused_by_what_it_handles(run, shop, process) -> None:
    outer, inner = run(lambda: process(shop.url)).calls
    assert (inner.cause, inner.sender) == (outer.target, "reviews")


def test_a_process_is_called_after_its_script(run, shop, process) -> None:
    assert run(lambda: process(shop.url)).calls[0].receiver == "reviews"


def test_a_process_has_the_same_targets_in_the_next_run(run, shop, process) -> None:
    one, two = (run(lambda: process(shop.url)).calls for _ in range(2))
    assert [call.target for call in one] == [call.target for call in two]


def test_a_call_of_a_process_can_fail(run, shop, process) -> None:
    fault = run(lambda: process(shop.url)).faults("connection-error")[1]
    ran = run(lambda: process(shop.url), [fault])
    assert (ran.result, ran.injected, ran.recorder.unapplied) == ("0", ["connection-error"], [])


@pytest.fixture
def bare() -> dict[str, str]:
    """An environment with the least that a process needs."""
    return {"PATH": os.environ["PATH"]}


def test_a_process_with_an_environment_of_its_own_is_traced(run, shop, process, bare) -> None:
    assert len(run(lambda: process(shop.url, bare)).calls) == 2


def test_a_process_that_can_not_be_traced_is_a_leaf(run, shop, process) -> None:
    ran = run(lambda: process(shop.url, None, ["-I"]))
    assert (ran.result, len(ran.calls)) == ("5", 1)


def test_processes_can_be_left_alone(run, shop, process) -> None:
    assert len(run(lambda: process(shop.url), config={"processes": False}).calls) == 1


def test_a_sitecustomize_of_the_project_is_still_loaded(run, tmp_path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.mine = 'loaded'\n")

    def code() -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-c", "import sys; print(sys.mine)"]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120).stdout

    assert run(code).result == "loaded\n"


def be_a_service(behind: str, port: multiprocessing.Queue[int]) -> None:
    """A service that is a fork of the test."""
    kind = type("Handler", (RatingsHandler,), {"behind": behind})
    server = HTTPServer(("127.0.0.1", 0), kind)
    port.put(server.server_port)
    server.serve_forever()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_process_of_multiprocessing_is_traced(run, shop, method) -> None:
    def code() -> str:
        context = multiprocessing.get_context(method)
        port = context.Queue()
        process = context.Process(target=be_a_service, args=(shop.url, port), name="ratings")
        process.start()
        answer = ask(f"http://127.0.0.1:{port.get(timeout=20)}")
        process.kill()
        process.join()
        return answer

    outer, inner = run(code).calls
    assert (inner.cause, inner.sender) == (outer.target, "ratings")


@pytest.fixture
def opened() -> Iterator[channel.Channel]:
    """A channel that says what it was asked."""
    found = channel.Channel(lambda request: request["do"])
    found.start()
    yield found
    found.close()


def said_by(opened: channel.Channel, request: object) -> object:
    """The answer to a stranger."""
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(5)
        stranger.connect(opened.path)
        lines.send(stranger, request)
        return lines.receive(stranger, lines.Buffer())


def test_the_channel_answers_those_who_know_the_token(opened) -> None:
    assert said_by(opened, {"auth": opened.token, "do": "hello"}) == "hello"


@pytest.mark.parametrize(
    "request_", [{"do": "hello"}, {"auth": "guess", "do": "hello"}, [], "hello"], ids=repr
)
def test_the_channel_hangs_up_on_strangers(opened, request_) -> None:
    with pytest.raises((EOFError, ConnectionError)):
        said_by(opened, request_)


def test_the_channel_is_the_owners_alone(opened) -> None:
    folder = Path(opened.path).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_closed_channel_leaves_nothing(opened) -> None:
    opened.close()
    assert not Path(opened.path).parent.exists()
