"""A library with other insides than a probe knows is a warning, wherever it is imported."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

LIBRARIES = {
    "pykka.py": "",
    "requests/__init__.py": "",
    "requests/sessions.py": "",
    "rq/__init__.py": "",
    "rq/queue.py": "",
}
STARTS = """
    import subprocess, sys

    def test_a():
        done = subprocess.run([sys.executable, "-c", "import rq.queue"], timeout=60)
        assert done.returncode == 0
    """
FORKS = """
    import multiprocessing

    def call():
        import requests.sessions

    def test_a():
        process = multiprocessing.get_context("fork").Process(target=call)
        process.start()
        process.join(60)
        assert process.exitcode == 0
    """
TESTS = {
    "imported in the test": "def test_a():\n    import requests.sessions\n    assert True\n",
    "imported in a fork of the test": FORKS,
    "imported in a process that the test starts": STARTS,
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))


def warned(text: str) -> list[str]:
    """The libraries that are named as not patched, without their versions."""
    return [line.split()[0] for line in text.splitlines() if " could not be patched: " in line]


@pytest.mark.parametrize("where", TESTS)
def test_library_is_named_with_the_reason(tmp_path: Path, where: str, socrates) -> None:
    library = "rq" if "starts" in where else "requests"
    write(tmp_path, {**LIBRARIES, "test_a.py": TESTS[where], "pytest.ini": "[pytest]\n"})
    ran = socrates(tmp_path, "amplify", "--gate", "off", "--output-format", "json")
    warnings = json.loads(ran.stdout)["summary"]["warnings"]
    named = sorted(warned("\n".join(warnings)))
    assert (ran.returncode, named) == (0, ["pykka", library])
    assert all(f"socrates: warning: {warning}" in ran.stderr.splitlines() for warning in warnings)
    [reason] = [warning for warning in warnings if warning.startswith(library)]
    assert re.search(r": \w+Error: .* \(.*\.py:\d+\); ", reason)


OTHER_INSIDES = {
    "shop.py": """
        import asyncio
        import aiohttp

        async def status(url):
            async with asyncio.timeout(20), aiohttp.ClientSession() as session:
                async with session.get(url) as got:
                    return got.status
        """,
    "test_shop.py": """
        import asyncio
        import aiohttp, pytest, shop
        from aiohttp import test_utils, web

        class Odd(aiohttp.ClientError):
            def __init__(self, *, address):
                self.address = address

        async def ask():
            async with test_utils.TestServer(web.Application()) as server:
                return await shop.status(server.make_url("/"))

        def test_status(monkeypatch):
            monkeypatch.setattr(aiohttp, "ClientConnectorError", Odd)
            assert asyncio.run(ask()) == 404
        """,
}


def test_fault_that_can_not_be_made_is_a_warning_and_no_defect(tmp_path: Path, socrates) -> None:
    write(tmp_path, {**OTHER_INSIDES, "pytest.ini": "[pytest]\n"})
    ran = socrates(tmp_path, "amplify", "--output-format", "json")
    told = json.loads(ran.stdout)
    [warning] = told["summary"]["warnings"]
    assert warning.startswith("a fault could not be made: TypeError: ")
    kinds = {fault["kind"] for one in told["tests"][0]["defects"] for fault in one["faults"]}
    assert kinds == {"status:500", "status:502", "timeout"}


def test_trace_warns_too(tmp_path: Path, socrates) -> None:
    write(tmp_path, {**LIBRARIES, "test_a.py": TESTS["imported in the test"]})
    ran = socrates(tmp_path, "trace", "test_a.py")
    assert ran.returncode == 0
    assert warned(ran.stderr.replace("socrates: warning: ", "")) == ["pykka", "requests"]
