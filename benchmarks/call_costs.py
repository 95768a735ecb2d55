"""What tracing remote calls costs a plain run.

    python benchmarks/call_costs.py [--calls N] [--rounds N]

For each client library N calls are made, one after the other, to a server on loopback in a process of
its own, or to a fake, with and without the probe, in turns and in one process. The table goes to
standard output, as Markdown: medians of all rounds, of the times and of the ratios of neighbours, on the
client's processor alone and by the clock, where what the server and the network take is in both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import aiohttp
import httpx
import requests
import responses
import respx
import urllib3

from socrates_amplify.probes.http.probe import HttpProbe
from socrates_amplify.record.recorder import Recorder

SERVER = """
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer, or the delay of acknowledgements is all there is to see
    body = json.dumps({"stars": [5] * 100}).encode()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
FAKE = "http://reviews.internal"
Calls = Callable[[str, int], None]


def with_requests(url: str, calls: int) -> None:
    """A session of requests."""
    with requests.Session() as session:
        for number in range(calls):
            session.get(f"{url}/reviews/{number}", timeout=5).json()


def with_urllib3(url: str, calls: int) -> None:
    """A pool of urllib3."""
    with urllib3.PoolManager(timeout=5) as pool:
        for number in range(calls):
            pool.request("GET", f"{url}/reviews/{number}").json()


def with_httpx(url: str, calls: int) -> None:
    """A client of httpx."""
    with httpx.Client(timeout=5) as client:
        for number in range(calls):
            client.get(f"{url}/reviews/{number}").json()


def with_async_httpx(url: str, calls: int) -> None:
    """An asynchronous client of httpx."""

    async def run() -> None:
        async with httpx.AsyncClient(timeout=5) as client:
            for number in range(calls):
                (await client.get(f"{url}/reviews/{number}")).json()

    asyncio.run(run())


def with_aiohttp(url: str, calls: int) -> None:
    """A session of aiohttp."""

    async def run() -> None:
        async with aiohttp.ClientSession() as session:
            for number in range(calls):
                async with session.get(f"{url}/reviews/{number}") as response:
                    await response.json()

    asyncio.run(run())


def with_responses(_: str, calls: int) -> None:
    """requests above responses."""
    with responses.RequestsMock() as fake:
        for number in range(calls):
            fake.get(f"{FAKE}/reviews/{number}", json={"stars": [5] * 100})
            requests.get(f"{FAKE}/reviews/{number}", timeout=5).json()


def with_respx(_: str, calls: int) -> None:
    """httpx above respx."""
    with respx.mock() as fake, httpx.Client() as client:
        fake.get(url__startswith=FAKE).respond(json={"stars": [5] * 100})
        for number in range(calls):
            client.get(f"{FAKE}/reviews/{number}").json()


CLIENTS: dict[str, Calls] = {
    "requests": with_requests,
    "urllib3": with_urllib3,
    "httpx": with_httpx,
    "httpx, async": with_async_httpx,
    "aiohttp": with_aiohttp,
    "requests above responses": with_responses,
    "httpx above respx": with_respx,
}


class Times(NamedTuple):
    """Seconds of the client's processor, and by the clock."""

    processor: float
    clock: float


def seconds(run: Calls, url: str, calls: int, traced: bool) -> Times:
    """What the calls take, the making of the trace included."""
    recorder = Recorder()
    undo = HttpProbe().install(recorder, {"test-calls": True}) if traced else lambda: None
    before = Times(time.process_time(), time.perf_counter())
    run(url, calls)
    if traced:
        recorder.trace()
    after = Times(time.process_time(), time.perf_counter())
    undo()
    return Times(after.processor - before.processor, after.clock - before.clock)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--json", action="store_true", help="the figures instead of a table")
    args = parser.parse_args()
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        rows = {name: measured(run, url, args.calls, args.rounds) for name, run in CLIENTS.items()}
        server.kill()
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"| {args.calls} calls | plain ms | traced ms | ratio | ratio by the clock |")
    print("|---|---|---|---|---|")
    for name, (plain, traced, ratios) in rows.items():
        shown = f"{plain.processor * 1e3:.0f} | {traced.processor * 1e3:.0f}"
        print(f"| {name} | {shown} | {ratios.processor:.2f} | {ratios.clock:.2f} |")


def measured(run: Calls, url: str, calls: int, rounds: int) -> tuple[Times, Times, Times]:
    """The times without and with the probe, measured in turns, and the ratios of neighbours."""
    seconds(run, url, calls, traced=True)
    pairs = [
        (seconds(run, url, calls, traced=False), seconds(run, url, calls, traced=True))
        for _ in range(rounds)
    ]
    plain, traced = zip(*pairs, strict=True)
    ratios = [Times(*(t / p for p, t in zip(*pair, strict=True))) for pair in pairs]
    return _medians(plain), _medians(traced), _medians(ratios)


def _medians(times: Iterable[Times]) -> Times:
    return Times(*(statistics.median(column) for column in zip(*times, strict=True)))


if __name__ == "__main__":
    main()
