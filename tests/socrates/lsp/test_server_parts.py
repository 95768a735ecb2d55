"""The state of one connection: what is checked again and what is told, without a client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from socrates.lsp.checker import Answer, Stale
from socrates.lsp.documents import Document
from socrates.lsp.protocol import LONGEST_MEMORY
from socrates.lsp.server import Server

A, B = "file:///p/test_a.py", "file:///p/test_b.py"


class Asked:
    """A schedule that notes what it is asked for."""

    def __init__(self) -> None:
        self.log: list[tuple[object, ...]] = []
        self.waiting = False

    def ask(self, *what: object) -> None:
        self.log.append(what)

    def is_waiting(self, uri: str) -> bool:
        return self.waiting


class Lab(Server):
    """A server whose client is this test, with two open files."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Any = Asked()
        self.refreshed: Any = Asked()
        self.checks, self.refreshes = self.asked, self.refreshed
        self.told: list[tuple[types.MessageType, str]] = []
        self.pushed: list[str] = []
        for uri in (A, B):
            self.documents.open(uri, "", 1)

    def window_show_message(self, params: types.ShowMessageParams) -> None:
        self.told.append((params.type, params.message))

    def window_log_message(self, params: types.LogMessageParams) -> None:
        self.told.append((params.type, params.message))

    def publish(self, document: Document) -> None:
        self.pushed.append(document.uri)

    def rest_on(self, uri: str, name: str) -> None:
        document = self.documents.get(uri)
        assert document is not None
        document.take(Answer("", Path("/p"), dependencies=frozenset({name})))


@pytest.fixture
def server() -> Any:
    made = Lab()
    yield made
    made.shutdown()


def test_all_open_files_are_checked_again_at_once(server: Lab) -> None:
    server.recheck()
    assert server.asked.log == [(A, 0.0), (B, 0.0)]


def test_files_that_rest_on_what_changed_are_checked_later(server: Lab) -> None:
    server.rest_on(A, "file:/p/conftest.py")
    server.rest_on(B, "file:/p/other.py")
    server.recheck("file:/p/conftest.py")
    assert server.asked.log == [(A, server.options.debounce * 3)]


def test_what_is_being_typed_is_not_checked_twice(server: Lab) -> None:
    document = server.documents.get(A)
    assert document is not None
    server.rest_on(B, f"file:{document.path}")
    server.changed(document)
    delay = server.options.debounce
    assert server.asked.log == [(A, delay), (B, delay * 3)]


def test_client_that_pulls_is_asked_to_pull_again(server: Lab) -> None:
    server.pulls = True
    server.recheck()
    assert (server.asked.log, server.refreshed.log) == ([], [("all", 0.0)] * 2)


@pytest.mark.parametrize(
    ("uri", "listed", "names"),
    [
        ("file:///p/pyproject.toml", False, []),
        ("file:///p/socrates.toml", False, []),
        ("file:///p/.gitignore", False, []),
        ("file:///p/baseline.json", False, []),
        ("file:///p/shop.py", False, ["file:/p/shop.py"]),
        ("file:///p/shop.py", True, ["file:/p/shop.py", "dir:/p"]),
        ("file:///p/README.md", False, None),
        ("untitled:1", False, None),
    ],
)
def test_file_that_changed_on_disk(
    uri: str,
    listed: bool,
    names: list[str] | None,
    server: Lab,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(server, "recheck", lambda *names: asked.append(list(names)))
    server.touched(uri, listed=listed)
    assert asked == ([] if names is None else [names])


def test_message_is_told_once(server: Lab) -> None:
    server.tell("strict: no")
    server.tell("strict: no")
    assert server.told == [(types.MessageType.Warning, "Socrates: strict: no")]


def test_only_the_last_messages_are_remembered(server: Lab) -> None:
    for number in range(LONGEST_MEMORY + 1):
        server.tell(str(number))
    server.tell(str(LONGEST_MEMORY))
    server.tell("0")
    assert len(server.told) == LONGEST_MEMORY + 2


@pytest.mark.parametrize(
    ("way", "can", "pulls"),
    [("auto", True, True), ("auto", False, False), ("pull", False, True), ("push", True, False)],
)
def test_way_of_showing(way: str, can: bool, pulls: bool, server: Lab) -> None:
    server.options = replace(server.options, diagnostics=way)
    document = types.TextDocumentClientCapabilities(
        diagnostic=types.DiagnosticClientCapabilities() if can else None
    )
    server.meet(types.ClientCapabilities(text_document=document))
    assert server.pulls is pulls


def check(server: Lab, answer: Callable[[Any], Answer]) -> None:
    async def run(act: Callable[[], Answer]) -> Answer:
        return act()

    server.worker = SimpleNamespace(run=run, shutdown=lambda: None)  # type: ignore[assignment]
    server.checker = SimpleNamespace(check=answer)  # type: ignore[assignment]
    asyncio.run(server._check(A))


def test_answer_is_taken_and_pushed(server: Lab) -> None:
    check(server, lambda question: Answer(question.text, Path("/p")))
    document = server.documents.get(A)
    assert document is not None
    assert (server.pushed, document.current) == ([A], True)


def test_answer_is_not_pushed_to_a_client_that_pulls(server: Lab) -> None:
    server.pulls = True
    check(server, lambda question: Answer("", Path("/p")))
    assert server.pushed == []


def test_answer_that_is_overtaken_is_dropped(server: Lab) -> None:
    def answer(question: Any) -> Answer:
        server.asked.waiting = True
        return Answer("", Path("/p"))

    check(server, answer)
    assert server.pushed == []


def test_answer_of_a_closed_file_is_dropped(server: Lab) -> None:
    def answer(question: Any) -> Answer:
        server.documents.close(A)
        return Answer("", Path("/p"))

    check(server, answer)
    assert server.pushed == []


def test_check_that_is_given_up_says_nothing(server: Lab) -> None:
    def answer(question: Any) -> Answer:
        raise Stale

    check(server, answer)
    assert (server.pushed, server.told) == ([], [])


def test_defect_of_ours_is_logged_and_the_server_goes_on(server: Lab) -> None:
    def answer(question: Any) -> Answer:
        raise KeyError("id")

    check(server, answer)
    document = server.documents.get(A)
    assert document is not None
    assert (server.told, document.current) == (
        [(types.MessageType.Error, "Socrates: KeyError: 'id'")],
        True,
    )


def test_problem_is_told_again_only_after_it_was_gone(server: Lab) -> None:
    for problem in ("no", "no", "", "no"):
        check(server, lambda question, problem=problem: Answer("", Path("/p"), problem=problem))
    assert server.told == [(types.MessageType.Error, "Socrates: no")] * 2


@pytest.mark.parametrize(
    ("workspace", "refreshes"),
    [
        (None, 0),
        (types.WorkspaceClientCapabilities(), 0),
        (
            types.WorkspaceClientCapabilities(
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
            ),
            1,
        ),
    ],
    ids=["no workspace", "can not", "can"],
)
def test_client_refreshes_if_it_can(
    workspace: Any, refreshes: int, server: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        Lab, "client_capabilities", types.ClientCapabilities(workspace=workspace), raising=False
    )
    monkeypatch.setattr(server, "workspace_diagnostic_refresh", asked.append)
    asyncio.run(server._refresh("all"))
    assert len(asked) == refreshes


def test_everything_is_forgotten_and_checked_anew(server: Lab) -> None:
    server.tell("no")
    before = server.checker
    server.start_anew()
    server.tell("no")
    assert (server.checker is before, len(server.told), len(server.asked.log)) == (False, 2, 2)
