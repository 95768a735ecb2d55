"""How long an editor waits: from a change to its diagnostics, beside a bare libcst parse.

    python benchmarks/lsp_latency.py                3,000 lines of tests
    python benchmarks/lsp_latency.py --lines 10000  another size
    python benchmarks/lsp_latency.py FILE           a test file of yours, in its own project

Talks to a real ``socrates lsp`` process with pygls' own client. The wait includes everything: the
pipe, the debounce, the check and the answer. Parse and wait are measured in turns, so that a busy
machine slows both. Fails when the median wait is more than twice the median parse.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import libcst
from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

LIMIT = 2.0
PATIENCE = 120

SHOP = '''\
class Cart:
    """Things and how many of them."""

    def __init__(self, limit=100):
        self.limit = limit
        self.items = {}

    def add(self, name, count=1):
        self.items[name] = self.items.get(name, 0) + count

    def remove(self, name):
        self.items.pop(name)

    def count(self, name):
        return self.items.get(name, 0)

    def total(self):
        return sum(self.items.values())
'''
CONFTEST = """\
import pytest

from shop import Cart


@pytest.fixture
def cart():
    return Cart()
"""
CASE = '''\


class TestCart{n}:
    """Case {n}."""

    def setup_method(self):
        self.cart = Cart(limit={n})
        self.other = Cart()

    def test_add_counts(self):
        self.cart.add("apple", {n})
        assert self.cart.count("apple") == {n}
        assert self.cart.total() == {n}

    def test_remove_takes_all(self, cart):
        cart.add("pear")
        cart.add("apple", 2)
        cart.remove("apple")
        assert cart.total() == 1, "only the pear is left"

    def test_text(self, tmp_path):
        path = tmp_path / "cart.txt"
        path.write_text(str(self.cart.items))
        assert path.read_text() == "{{}}"
'''


class Client(BaseLanguageClient):
    """pygls' client, which remembers when each version was answered."""

    def __init__(self) -> None:
        super().__init__("benchmark", "1")
        self.answers: dict[int | None, float] = {}
        self.arrived = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.answers[params.version] = time.perf_counter()
            self.arrived.set()

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def registered(params: types.RegistrationParams) -> None:
            return None

    async def answered(self, version: int) -> float:
        """When the diagnostics of a version came."""
        async with asyncio.timeout(PATIENCE):
            while version not in self.answers:
                self.arrived.clear()
                await self.arrived.wait()
        return self.answers[version]


async def open_file(client: Client, path: Path, text: str) -> None:
    """Introduce the client, open a file, and wait for its findings."""
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri())
    )
    client.initialized(types.InitializedParams())
    item = types.TextDocumentItem(path.as_uri(), types.LanguageKind.Python, 0, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await client.answered(0)


async def measure(path: Path, text: str, rounds: int) -> tuple[list[float], list[float], str]:
    """Seconds of each wait and of each parse, and what a burst of typing cost."""
    client = Client()
    await client.start_io(sys.executable, "-m", "socrates", "lsp")
    waits: list[float] = []
    parses: list[float] = []
    uri = path.as_uri()
    try:
        await open_file(client, path, text)
        for version in range(1, rounds + 1):
            changed = f"{text}\n\ndef test_typed_{version}():\n    assert {version}\n"
            began = time.perf_counter()
            libcst.parse_module(changed)
            parses.append(time.perf_counter() - began)
            began = time.perf_counter()
            change(client, uri, version, changed)
            waits.append(await client.answered(version) - began)
        burst = await typed(client, uri, text, rounds + 1)
        await client.shutdown_async(None)
        client.exit(None)
    finally:
        await client.stop()
    return waits, parses, burst


async def typed(client: Client, uri: str, text: str, first: int) -> str:
    """A hundred keys, 20 ms apart."""
    before = len(client.answers)
    keys = 100
    for number in range(keys):
        change(client, uri, first + number, f"{text}\n# {'x' * number}\n")
        await asyncio.sleep(0.02)
    began = time.perf_counter()
    wait = await client.answered(first + keys - 1) - began
    return f"{keys} keys, 20 ms apart: {len(client.answers) - before} checks shown, the last after {wait:.3f} s"


def change(client: Client, uri: str, version: int, text: str) -> None:
    """Replace the text of the open file."""
    document = types.VersionedTextDocumentIdentifier(version, uri)
    whole = types.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))


def write_project(folder: Path, lines: int) -> Path:
    """A small project with one long test file."""
    (folder / "socrates.toml").touch()
    (folder / "shop.py").write_text(SHOP)
    (folder / "conftest.py").write_text(CONFTEST)
    path = folder / "test_shop.py"
    number = lines // CASE.count("\n") + 1
    path.write_text("from shop import Cart\n" + "".join(CASE.format(n=n) for n in range(number)))
    return path


def main() -> int:
    """Measure, print, and fail when the promise does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, help="a test file (one that is made up)")
    parser.add_argument("--lines", type=int, default=3000, help="how long the made-up file is")
    parser.add_argument("--rounds", type=int, default=15, help="how many changes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path = options.file or write_project(Path(temporary), options.lines)
        text = path.read_text()
        waits, parses, burst = asyncio.run(measure(path.resolve(), text, options.rounds))
    wait, parse = statistics.median(waits), statistics.median(parses)
    print(
        f"{text.count(chr(10)):,} lines, {options.rounds} changes, Python {sys.version.split()[0]}"
    )
    print(
        f"bare libcst parse        {parse:.3f} s (median; {min(parses):.3f} to {max(parses):.3f})"
    )
    print(f"change to diagnostics    {wait:.3f} s (median; {min(waits):.3f} to {max(waits):.3f})")
    print(f"ratio                    {wait / parse:.2f} (at most {LIMIT})")
    print(burst)
    return 0 if wait <= LIMIT * parse else 1


if __name__ == "__main__":
    raise SystemExit(main())
