"""An injected reply is what a real server's reply is to each client, attribute by attribute."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import aiohttp
import httpx
import pytest
import requests
import urllib3

BODY = b'{"message": "Internal Server Error"}'
KNOWN = {
    requests: set[str](),
    urllib3: set[str](),
    httpx: {"extensions"},
    aiohttp: {"request_info", "output_size", "content"},
}
"""What differs and hardly anybody asks for: sockets, what was sent, when it was read."""


class Down(BaseHTTPRequestHandler):
    """Answers with an error and no headers but those that an injected reply has."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer."""
        self.send_response_only(500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else BODY)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def down() -> Iterator[str]:
    """The address of a server that answers with errors."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Down)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/reviews/7"
    server.shutdown()
    server.server_close()
    thread.join()


def public(response: object) -> dict[str, str]:
    """All that it shows of itself, without ports, addresses of objects and how long it took."""
    shown = {}
    for name in dir(response):
        if not name.startswith("_") and name != "elapsed":
            try:
                value = getattr(response, name)
            except Exception as error:
                value = error
            text = "a method" if callable(value) else repr(value)
            shown[name] = re.sub(r"127\.0\.0\.1:\d+|0x[0-9a-f]+", "", text)
    return shown


async def with_aiohttp(method: str, url: str) -> dict[str, str]:
    async with aiohttp.ClientSession() as session, session.request(method, url) as response:
        await response.read()
        return public(response)


CLIENTS: dict[object, Callable[[str, str], dict[str, str]]] = {
    requests: lambda method, url: public(requests.request(method, url, timeout=5)),
    urllib3: lambda method, url: public(urllib3.request(method, url, retries=False)),
    httpx: lambda method, url: public(httpx.request(method, url, timeout=5)),
    aiohttp: lambda method, url: asyncio.run(with_aiohttp(method, url)),
}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_injected_reply_shows_what_a_real_one_shows(run, shop, down, client, method) -> None:
    real = CLIENTS[client](method, down)

    def code() -> dict[str, str]:
        return CLIENTS[client](method, f"{shop.url}/reviews/7")

    injected = run(code, [run(code).fault("status:500")]).result
    differ = {name for name in real.keys() | injected.keys() if real[name] != injected[name]}
    assert differ <= KNOWN[client]
