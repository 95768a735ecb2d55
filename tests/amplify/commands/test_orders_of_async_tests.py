"""Tests that plugins of pytest run in a loop: pytest-asyncio and anyio, under control as any other test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

STORE = """
import asyncio

class Store:
    last = version = 0

    async def load(self, version, seconds):
        await asyncio.sleep(seconds)
        self.last = version

    async def load_newer(self, version, seconds):
        await asyncio.sleep(seconds)
        self.last = max(self.last, version)
"""
TESTS = """
import asyncio
import pytest
from store import Store

@pytest.fixture
def anyio_backend():
    return "asyncio"

async def loaded(load):
    await asyncio.gather(load(1, 0.01), load(2, 0.02))

@pytest.mark.asyncio
async def test_asyncio():
    store = Store()
    await loaded(store.load)
    assert store.last == 2

@pytest.mark.asyncio
async def test_asyncio_repaired():
    store = Store()
    await loaded(store.load_newer)
    assert store.last == 2

@pytest.mark.anyio
async def test_anyio():
    store = Store()
    await loaded(store.load)
    assert store.last == 2

@pytest.mark.anyio
async def test_anyio_repaired():
    store = Store()
    await loaded(store.load_newer)
    assert store.last == 2
"""
SETTINGS = """
[tool.pytest.ini_options]
pythonpath = "."
addopts = "-p pytest_asyncio.plugin -p anyio.pytest_plugin"
asyncio_default_fixture_loop_scope = "function"
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, socrates) -> dict[str, str]:
    """What the usual search says, by test."""
    for plugin in ("pytest_asyncio", "anyio"):
        pytest.importorskip(plugin)
    folder: Path = tmp_path_factory.mktemp("store")
    (folder / "store.py").write_text(STORE)
    (folder / "test_store.py").write_text(TESTS)
    (folder / "pyproject.toml").write_text(SETTINGS)
    done = socrates(folder, "amplify", "--output-format", "json")
    tests = json.loads(done.stdout)["tests"]
    return {test["nodeid"].partition("::")[2]: test["status"] for test in tests}


@pytest.mark.parametrize("test", ["test_asyncio", "test_anyio"])
def test_an_order_breaks_it(asked, test) -> None:
    assert asked[test] == "defective"


@pytest.mark.parametrize("test", ["test_asyncio_repaired", "test_anyio_repaired"])
def test_the_repaired_twin_is_resilient(asked, test) -> None:
    assert asked[test] == "resilient"
