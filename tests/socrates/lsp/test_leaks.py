"""A long session: whatever was handled is let go of."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from socrates.lsp.features import register
from socrates.lsp.protocol import LONGEST_MEMORY
from socrates.lsp.server import Server

TEXT = "def test_it():\n    assert sum([1, {}]) == 1\n"
PATIENCE = 60


class Sink:
    """A client that takes everything and answers nothing."""

    def __init__(self) -> None:
        self.written = 0

    def write(self, data: bytes) -> None:
        self.written += 1


class Session:
    """A server in this process, and a client that says one thing after the other."""

    def __init__(self, folder: Path, capabilities: dict[str, Any]) -> None:
        self.server = Server()
        register(self.server)
        self.sink = Sink()
        self.server.protocol.set_writer(self.sink)
        self.uri = (folder / "test_a.py").as_uri()
        self.say("initialize", {"capabilities": capabilities, "rootUri": folder.as_uri()}, 1)
        document = {"uri": self.uri, "languageId": "python", "version": 0, "text": TEXT.format(0)}
        self.say("textDocument/didOpen", {"textDocument": document})

    def say(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        protocol = self.server.protocol
        protocol.handle_message(protocol.structure_message(message))

    def change(self, version: int) -> None:
        document = {"uri": self.uri, "version": version}
        text = TEXT.format(version)
        self.say(
            "textDocument/didChange",
            {"textDocument": document, "contentChanges": [{"text": text}]},
        )

    async def idle(self) -> None:
        """Wait until nothing runs but the test."""
        async with asyncio.timeout(PATIENCE):
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0.01)


Play = Callable[[Callable[[Session], Any]], Session]


@pytest.fixture
def play(tmp_path: Path, capabilities: dict[str, Any]) -> Play:
    """Play a session to its end and hand it over."""
    (tmp_path / "socrates.toml").touch()

    def run(scene: Callable[[Session], Any]) -> Session:
        async def session() -> Session:
            started = Session(tmp_path, capabilities)
            await scene(started)
            await started.idle()
            return started

        return asyncio.run(session())

    return run


def _futures() -> int:
    gc.collect()
    kinds = (asyncio.Future, asyncio.Task, concurrent.futures.Future)
    return sum(1 for item in gc.get_objects() if issubclass(type(item), kinds))


def test_changes_leave_no_task_or_future_behind(play: Play) -> None:
    async def type_a_lot(session: Session) -> None:
        for version in range(200):
            session.change(version)
            await asyncio.sleep(0)

    before = _futures()
    session = play(type_a_lot)
    assert session.sink.written > 0
    assert session.server.protocol._request_futures == {}
    assert _futures() - before < 10


def test_requests_leave_no_task_or_future_behind(play: Play) -> None:
    async def ask_a_lot(session: Session) -> None:
        for number in range(2, 100):
            position = {"line": 0, "character": 5}
            params = {"textDocument": {"uri": session.uri}, "position": position}
            session.say(types.TEXT_DOCUMENT_HOVER, params, number)
            session.say("$/cancelRequest", {"id": number - 1})
            await asyncio.sleep(0)

    assert play(ask_a_lot).server.protocol._request_futures == {}


def test_client_that_answers_no_request_costs_a_bounded_memory(play: Play) -> None:
    async def refresh_a_lot(session: Session) -> None:
        for _ in range(5 * LONGEST_MEMORY):
            session.server.workspace_diagnostic_refresh(None)

    session = play(refresh_a_lot)
    protocol = session.server.protocol
    assert len(protocol._request_futures) <= LONGEST_MEMORY
    assert len(protocol._result_types) <= LONGEST_MEMORY


def test_problems_that_were_told_cost_a_bounded_memory(play: Play) -> None:
    async def fail_a_lot(session: Session) -> None:
        for number in range(5 * LONGEST_MEMORY):
            session.server.tell(f"problem {number}")

    assert len(play(fail_a_lot).server._told) <= LONGEST_MEMORY
