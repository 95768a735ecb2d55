"""What handlers of the language server do with a request, in this process and without a client."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from socrates.findings import Finding, Severity, Span
from socrates.lsp import actions, features, hover
from socrates.lsp.place import Stale
from socrates.lsp.positions import Positions
from socrates.suppress import Suppression

URI = "file:///p/test_a.py"
ID = types.TextDocumentIdentifier(URI)
VERSIONED = types.VersionedTextDocumentIdentifier(2, URI)
TEXT = "def test_it():  # socrates: ignore\n    pass\n"


def finding(code: str = "SOC101", **given: Any) -> Finding:
    return Finding(
        code, "a-name", Severity.INFO, "it smells", "test_a.py", Span(1, 1, 1, 4), **given
    )


class Log(list[Any]):
    """What was asked for, by name."""

    def note(self, name: str) -> Any:
        return lambda *given, **named: self.append((name, *given, *named.items()))


class Server:
    """A server with one open document, which notes what is asked of it."""

    encoding = "utf-16"

    def __init__(self, *, pulls: bool = False, there: bool = True) -> None:
        self.log = Log()
        self.pulls = pulls
        self.document: Any = SimpleNamespace(
            uri=URI,
            text=TEXT,
            version=2,
            is_broken=False,
            change=self.log.note("change"),
        )
        found = self.document if there else None
        self.documents: Any = SimpleNamespace(
            get=lambda uri: found if uri == URI else None,
            open=lambda uri, text, version: found,
            close=lambda uri: found,
        )
        self.checks = SimpleNamespace(ask=self.log.note("check"), drop=self.log.note("drop"))
        self.clear = self.log.note("clear")
        self.touched = self.log.note("touched")
        self.changed = self.log.note("changed")
        self.recheck = self.log.note("recheck")
        self.tell = self.log.note("tell")
        self.meet = self.log.note("meet")
        self.options = SimpleNamespace(diagnostics="auto")
        self.problems: list[str] = []
        self.client_capabilities: Any = SimpleNamespace(workspace=None, text_document=None)
        self.checker: Any = SimpleNamespace()
        self.worker = SimpleNamespace(run=self._run)
        self.findings: dict[Finding, Any] = {}
        unstructure = lambda items: [repr(item) for item in items]  # noqa: E731
        self.protocol = SimpleNamespace(_converter=SimpleNamespace(unstructure=unstructure))
        self.fails: JsonRpcException | None = None

    async def _run(self, act: Any) -> Any:
        return act()

    async def brought_up_to_date(self, document: Any) -> None:
        if self.fails is not None:
            raise self.fails

    def configure(self, raw: object) -> list[str]:
        self.log.append(("configure", raw))
        return self.problems

    def client_register_capability(self, params: types.RegistrationParams) -> None:
        self.log.append(("register", params.registrations[0].method))

    def feature(self, name: str, options: object = None) -> Any:
        self.log.append(("feature", name))
        return lambda handler: handler

    def question(self, document: Any, is_stale: Any) -> str:
        return "question"

    def positions(self, text: str) -> Positions:
        return Positions.of(text, "utf-16")

    def shown(self, document: Any) -> dict[Finding, Any]:
        return self.findings

    def shows(self, *findings: Finding) -> None:
        place = types.Range(types.Position(0, 0), types.Position(0, 3))
        for one in findings:
            self.findings[one] = types.Diagnostic(place, one.message)


def did(handler: Any, server: Server, params: Any) -> Any:
    asked = handler(server, params)
    return asyncio.run(asked) if isinstance(asked, Coroutine) else asked


OPEN = types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "python", 1, TEXT))
SAVE, CLOSE = types.DidSaveTextDocumentParams(ID), types.DidCloseTextDocumentParams(ID)
CHECK, TOUCHED = ("check", URI), ("touched", URI)


@pytest.mark.parametrize(
    ("handler", "params", "how", "log"),
    [
        (features.did_open, OPEN, {}, [CHECK]),
        (features.did_open, OPEN, {"pulls": True}, []),
        (features.did_open, OPEN, {"there": False}, []),
        (features.did_save, SAVE, {}, [CHECK, TOUCHED]),
        (features.did_save, SAVE, {"pulls": True}, [TOUCHED]),
        (features.did_save, SAVE, {"there": False}, [TOUCHED]),
        (features.did_close, CLOSE, {}, [("drop", URI), ("clear", URI), TOUCHED]),
        (features.did_close, CLOSE, {"pulls": True}, [("drop", URI), TOUCHED]),
        (features.did_close, CLOSE, {"there": False}, []),
    ],
)
def test_document_comes_and_goes(
    handler: Any, params: Any, how: dict[str, bool], log: list[object]
) -> None:
    server = Server(**how)
    did(handler, server, params)
    assert server.log == log


WHOLE = types.TextDocumentContentChangeWholeDocument("new")


@pytest.mark.parametrize(
    ("changes", "there", "asked"),
    [([WHOLE], True, ["change", "changed"]), ([], True, []), ([WHOLE], False, [])],
    ids=["changed", "no change", "not open"],
)
def test_text_is_changed(changes: list[Any], there: bool, asked: list[str]) -> None:
    server = Server(there=there)
    did(features.did_change, server, types.DidChangeTextDocumentParams(VERSIONED, changes))
    assert ([name for name, *_ in server.log], server.log[:1]) == (
        asked,
        [("change", "new", 2)] if asked else [],
    )


@pytest.mark.parametrize(
    ("kind", "listed"),
    [
        (types.FileChangeType.Created, True),
        (types.FileChangeType.Deleted, True),
        (types.FileChangeType.Changed, False),
    ],
)
def test_file_that_comes_or_goes_changes_its_folder(
    kind: types.FileChangeType, listed: bool
) -> None:
    server = Server()
    params = types.DidChangeWatchedFilesParams([types.FileEvent(URI, kind)])
    did(features.did_change_watched_files, server, params)
    assert server.log == [("touched", URI, ("listed", listed))]


@pytest.mark.parametrize(
    ("settings", "log"),
    [
        ({"socrates": {"strict": True}}, [("configure", {"strict": True}), ("recheck",)]),
        ({"socrates": 3}, [("recheck",)]),
        ({"other": {}}, [("recheck",)]),
        (None, [("recheck",)]),
    ],
)
def test_new_options_are_taken_if_they_are_for_us(settings: object, log: list[object]) -> None:
    server = Server()
    did(features.did_change_configuration, server, types.DidChangeConfigurationParams(settings))
    assert server.log == log


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("push", "pull", ["diagnostics: takes effect when the server starts again"]),
        ("push", "push", []),
        ("push", "auto", []),
    ],
)
def test_way_of_showing_stays_until_the_next_start(
    before: str, after: str, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server()
    server.options.diagnostics = before

    def configure(raw: object) -> list[str]:
        server.options.diagnostics = after
        return []

    monkeypatch.setattr(server, "configure", configure)
    params = types.DidChangeConfigurationParams({"socrates": {}})
    did(features.did_change_configuration, server, params)
    assert [rest[0] for name, *rest in server.log if name == "tell"] == told


@pytest.mark.parametrize(("pulls", "registered"), [(True, 1), (False, 0)])
def test_client_that_pulls_is_told_that_it_may(
    pulls: bool, registered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(pulls=pulls)
    server.problems = ["strict: must be true or false"]
    ended: list[int | None] = []
    monkeypatch.setattr(features.streams, "end_with", ended.append)
    params = types.InitializeParams(
        types.ClientCapabilities(), process_id=7, initialization_options={"a": 1}
    )
    did(features.initialize, server, params)
    features_ = [rest[0] for name, *rest in server.log if name == "feature"]
    assert (server.log[0], server.log[1], features_, ended) == (
        ("configure", {"a": 1}),
        ("tell", "strict: must be true or false"),
        [types.TEXT_DOCUMENT_DIAGNOSTIC] * registered,
        [7],
    )


@pytest.mark.parametrize(
    ("workspace", "asks"),
    [
        (None, False),
        (SimpleNamespace(did_change_watched_files=None), False),
        (
            SimpleNamespace(did_change_watched_files=SimpleNamespace(dynamic_registration=False)),
            False,
        ),
        (
            SimpleNamespace(did_change_watched_files=SimpleNamespace(dynamic_registration=True)),
            True,
        ),
    ],
    ids=["no workspace", "does not watch", "watches by itself", "can be asked"],
)
def test_client_that_can_watch_files_is_asked_to(workspace: Any, asks: bool) -> None:
    server = Server()
    server.client_capabilities.workspace = workspace
    did(features.initialized, server, types.InitializedParams())
    expected = [("register", types.WORKSPACE_DID_CHANGE_WATCHED_FILES)]
    assert server.log == (expected if asks else [])


def pulled(server: Server, known: str | None = None) -> Any:
    return did(features.pull, server, types.DocumentDiagnosticParams(ID, previous_result_id=known))


def test_findings_are_pulled_once() -> None:
    server = Server()
    server.shows(finding())
    first = pulled(server)
    again = pulled(server, first.result_id)
    assert (len(first.items), again.kind, again.result_id) == (1, "unchanged", first.result_id)


def test_findings_that_changed_are_pulled_anew() -> None:
    server = Server()
    known = pulled(server).result_id
    server.shows(finding())
    assert pulled(server, known).kind == "full"


def test_document_that_is_not_open_has_nothing_to_show() -> None:
    assert pulled(Server(there=False)).items == []


def test_client_whose_text_has_changed_meanwhile_asks_again() -> None:
    server = Server()
    server.fails = JsonRpcException("the text has changed since", -32801)
    with pytest.raises(JsonRpcException) as raised:
        pulled(server)
    assert (raised.value.code, raised.value.data) == (-32802, {"retriggerRequest": True})


def hovered(server: Server, line: int = 0, character: int = 1) -> Any:
    params = types.HoverParams(ID, types.Position(line, character))
    return did(features.hover, server, params)


def test_finding_under_the_pointer_is_explained() -> None:
    server = Server()
    server.shows(finding())
    found = hovered(server)
    assert (found.contents.value.startswith("**SOC101 a-name**: it smells"), found.range) == (
        True,
        next(iter(server.findings.values())).range,
    )


@pytest.mark.parametrize(("line", "character"), [(0, 5), (1, 0)])
def test_nothing_is_said_beside_findings_and_comments(line: int, character: int) -> None:
    server = Server()
    server.shows(finding())
    assert hovered(server, line, character) is None


def test_nothing_is_said_of_a_document_that_is_not_open() -> None:
    assert hovered(Server(there=False)) is None


def test_comment_under_the_pointer_says_what_it_silences() -> None:
    server = Server()
    server.checker.silenced = lambda question, comment: (finding(test="test_a.py::test_it"),)
    text = hovered(server, character=20).contents.value
    assert text == (
        "**`# socrates: ignore`** silences findings about this line, or the test that starts "
        "here.\n\nEvery rule:\n\n- `test_it`: it smells"
    )


def test_comment_of_a_text_that_has_changed_is_not_explained() -> None:
    def silenced(question: object, comment: object) -> Any:
        raise Stale

    server = Server()
    server.checker.silenced = silenced
    with pytest.raises(JsonRpcException):
        hovered(server, character=20)


def comment(word: str = "ignore", codes: tuple[str, ...] | None = None) -> Suppression:
    return Suppression(word, codes, Span(1, 1, 1, 9))


def test_comment_for_a_whole_file_says_so() -> None:
    assert "about the whole file." in hover.of_suppression(comment("ignore-file"), [])


def test_comment_that_silences_nothing_says_so() -> None:
    told = hover.of_suppression(comment(codes=("SOC101",)), [finding("SOC102")])
    assert told.endswith("- silences nothing that no other comment silences")


def test_comment_names_the_rules_that_it_silences() -> None:
    told = hover.of_suppression(
        comment(codes=("SOC101", "SOC999", "eager-test")), [finding("SOC102", test="a.py::t")]
    )
    heads = [line.partition(":")[0] for line in told.split("\n\n") if line.startswith("**SOC")]
    assert (heads, "**SOC999**: there is no such rule." in told, told.endswith("smells")) == (
        ["**SOC101 assertion-roulette**", "**SOC999**", "**SOC102 eager-test**"],
        True,
        True,
    )


@pytest.mark.parametrize("link", ["", "https://example.org/SOC101"])
def test_page_of_a_rule_follows_its_finding(link: str) -> None:
    told = hover.of_finding(finding(advice="split it"), link)
    parts = told.split("\n\n")
    more = [f"[Read more]({link})"] if link else []
    assert (parts[1 : 3 + len(more)], parts[3 + len(more)].startswith("#### ")) == (
        ["split it", *more, "---"],
        True,
    )


def test_rule_that_is_not_installed_has_no_page() -> None:
    assert hover.of_finding(finding("XYZ1"), "") == "**XYZ1 a-name**: it smells\n\n---"


@pytest.mark.parametrize(
    ("at", "inside"),
    [((1, 4), True), ((1, 3), False), ((2, 0), True), ((3, 2), True), ((3, 3), False)],
)
def test_place_in_a_stretch(at: tuple[int, int], inside: bool) -> None:
    place = types.Range(types.Position(1, 4), types.Position(3, 2))
    assert hover.is_in(types.Position(*at), place) is inside


ALL = types.CodeAction("all", kind=actions.FIX_ALL, data={"uri": URI, "version": 2})


def resolved(server: Server, action: types.CodeAction) -> types.CodeAction:
    return did(features.resolve, server, action)


def with_fix(text: str | None) -> Server:
    server = Server()
    server.checker.fixed = lambda question: text
    return server


def test_edit_of_an_action_is_made_when_it_is_chosen() -> None:
    action = types.CodeAction("all", kind=actions.FIX_ALL, data=ALL.data)
    assert resolved(with_fix("fixed\n"), action).edit is not None


def test_action_without_a_fix_has_no_edit() -> None:
    action = types.CodeAction("all", kind=actions.FIX_ALL, data=ALL.data)
    assert resolved(with_fix(None), action).edit is None


@pytest.mark.parametrize(
    "action",
    [
        types.CodeAction("one", kind="quickfix", data=ALL.data),
        types.CodeAction("all", kind=actions.FIX_ALL, data={"uri": "file:///q", "version": 2}),
        types.CodeAction("all", kind=actions.FIX_ALL),
    ],
    ids=["another kind", "another document", "not ours"],
)
def test_action_that_is_not_ours_to_complete_stays(action: types.CodeAction) -> None:
    assert resolved(with_fix("fixed\n"), action).edit is None


def test_action_for_an_older_text_is_refused() -> None:
    server = with_fix("fixed\n")
    server.document.version = 3
    with pytest.raises(JsonRpcException):
        resolved(server, types.CodeAction("all", kind=actions.FIX_ALL, data=ALL.data))


def test_text_that_changes_while_it_is_fixed_is_refused() -> None:
    server = Server()

    def fixed(question: object) -> str:
        server.document.text = "changed\n"
        return "fixed\n"

    server.checker.fixed = fixed
    with pytest.raises(JsonRpcException):
        resolved(server, types.CodeAction("all", kind=actions.FIX_ALL, data=ALL.data))


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (None, False),
        (SimpleNamespace(code_action=None), False),
        (SimpleNamespace(code_action=SimpleNamespace(resolve_support=None)), False),
        (
            SimpleNamespace(
                code_action=SimpleNamespace(resolve_support=SimpleNamespace(properties=["edit"]))
            ),
            True,
        ),
        (
            SimpleNamespace(
                code_action=SimpleNamespace(resolve_support=SimpleNamespace(properties=["data"]))
            ),
            False,
        ),
    ],
    ids=["nothing", "no actions", "at once", "edits", "other things"],
)
def test_client_that_fetches_edits_later(document: Any, expected: bool) -> None:
    server: Any = Server()
    server.client_capabilities.text_document = document
    assert features._resolves(server) is expected
