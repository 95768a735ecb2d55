"""What the server decides: which files are checked again and when, what is said and how often."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types

from socrates.findings import Finding, Severity, Span
from socrates.lsp import hover
from socrates.lsp.checker import Answer
from socrates.lsp.documents import Document, Documents, path_of
from socrates.lsp.options import Options
from socrates.lsp.positions import Positions
from socrates.lsp.server import LONGEST_MEMORY, Server
from socrates.suppress import Suppression

ROOT = Path("/project")


def uri(name: str) -> str:
    return f"file:///project/{name}"


def finding(row: int = 1, test: str | None = "test_a.py::test_it", code: str = "SOC101") -> Finding:
    return Finding(code, "roulette", Severity.INFO, "2 assertions", "test_a.py", Span(row, 1, row, 2), test)  # fmt: skip


def answer(text: str, *findings: Finding, broken: bool = False, needs: str = "") -> Answer:
    return Answer(text, ROOT, findings, broken, frozenset(needs.split()))


class Asked:
    """In the place of a schedule: what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, float]] = []

    def ask(self, name: str, delay: float = 0.0) -> None:
        self.asked.append((name.rpartition("/")[2], delay))


class Quiet(Server):
    """A server that has no client, and remembers what it would say."""

    def __init__(self, *, pulls: bool = False) -> None:
        self.documents = Documents()
        self.options = Options(debounce=1.0)
        self.pulls = pulls
        self.checks = self.refreshes = cast("Any", Asked())
        self._told = {}
        self._problems = {}
        self.said: list[tuple[str, types.MessageType]] = []

    def window_show_message(self, params: types.ShowMessageParams) -> None:
        self.said.append((params.message, params.type))


def opened(server: Server, name: str, needs: str = "") -> Document:
    document = server.documents.open(uri(name), "", 1)
    assert document is not None
    document.take(answer("", needs=needs))
    return document


def asked(server: Server) -> list[tuple[str, float]]:
    return cast("Asked", cast("Any", server.checks)).asked


def test_changed_text_is_checked_soon_and_what_uses_it_later() -> None:
    server = Quiet()
    conftest = opened(server, "conftest.py")
    test = opened(server, "test_a.py", "file:/project/conftest.py")
    other = opened(server, "test_b.py")
    server.changed(conftest)
    assert (asked(server), test.current, other.current) == (
        [("conftest.py", 1.0), ("test_a.py", 3.0)],
        False,
        True,
    )


def test_client_that_pulls_is_asked_to_do_so() -> None:
    server = Quiet(pulls=True)
    conftest = opened(server, "conftest.py")
    opened(server, "test_a.py", "file:/project/conftest.py")
    server.changed(conftest)
    assert asked(server) == [("all", 3.0)]


@pytest.mark.parametrize(
    ("name", "listed", "expected"),
    [
        pytest.param("pyproject.toml", False, ["test_a.py", "test_b.py"], id="settings"),
        pytest.param(".gitignore", False, ["test_a.py", "test_b.py"], id="ignored files"),
        pytest.param("baseline.json", False, ["test_a.py", "test_b.py"], id="baseline"),
        pytest.param("shop.py", False, ["test_a.py"], id="code"),
        pytest.param("new.py", False, [], id="code that nothing uses"),
        pytest.param("new.py", True, ["test_b.py"], id="code that is new"),
        pytest.param("README.md", True, [], id="text"),
    ],
)
def test_file_that_changes_on_disk(name: str, listed: bool, expected: list[str]) -> None:
    server = Quiet()
    opened(server, "test_a.py", "file:/project/shop.py")
    opened(server, "test_b.py", "dir:/project")
    server.touched(uri(name), listed=listed)
    assert [document for document, _ in asked(server)] == expected


def test_what_is_no_file_touches_nothing() -> None:
    server = Quiet()
    opened(server, "test_a.py", "dir:/project")
    server.touched("file:///a%00b.py", listed=True)
    assert asked(server) == []


def test_message_is_said_once() -> None:
    server = Quiet()
    for message in ("a\nb", "a\nb", "c"):
        server.tell(message)
    assert [said for said, _ in server.said] == ["Socrates: a b", "Socrates: c"]


def test_oldest_message_is_forgotten() -> None:
    server = Quiet()
    for number in range(LONGEST_MEMORY + 1):
        server.tell(f"{number}")
    server.tell("1")
    server.tell("0", types.MessageType.Error)
    assert (len(server.said), server.said[-1]) == (
        LONGEST_MEMORY + 2,
        ("Socrates: 0", types.MessageType.Error),
    )


PULL = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())


@pytest.mark.parametrize(
    ("wanted", "document", "expected"),
    [
        ("auto", PULL, True),
        ("auto", None, False),
        ("auto", types.TextDocumentClientCapabilities(), False),
        ("pull", None, True),
        ("push", PULL, False),
    ],
)
def test_diagnostics_are_pulled_or_pushed(
    wanted: str, document: types.TextDocumentClientCapabilities | None, expected: bool
) -> None:
    server = Quiet()
    server.options = Options(diagnostics=wanted)  # type: ignore[arg-type]
    server.meet(types.ClientCapabilities(text_document=document))
    assert server.pulls is expected


@pytest.mark.parametrize(
    ("agreed", "expected"),
    [("utf-8", "utf-8"), ("utf-32", "utf-32"), (None, "utf-16"), ("latin-1", "utf-16")],
)
def test_units_of_the_client(
    agreed: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = SimpleNamespace(position_encoding=agreed)
    monkeypatch.setattr(Quiet, "workspace", workspace)
    assert Quiet().encoding == expected


class TestDocuments:
    """Open files: their texts, their answers, and what is shown meanwhile."""

    @pytest.fixture
    def document(self) -> Document:
        return Document(uri("test_a.py"), ROOT / "test_a.py", 1, "a\nb\n")

    def test_change_makes_the_answer_old(self, document: Document) -> None:
        document.take(answer("a\nb\n"))
        document.change("x\n", 2)
        assert (document.text, document.version, document.revision, document.current) == (
            "x\n",
            2,
            1,
            False,
        )

    def test_findings_move_with_their_lines(self, document: Document) -> None:
        document.take(answer("a\nb\n", finding(2)))
        document.change("new\na\nb\n", 2)
        assert [one.span.row for one in document.findings()] == [3]

    def test_last_good_findings_stay_while_the_text_is_broken(self, document: Document) -> None:
        document.take(answer("a\nb\n", finding(2)))
        document.change("a\nb(\n", 2)
        document.take(answer("a\nb(\n", finding(2, None, "SOC000"), broken=True))
        assert (document.is_broken, [one.code for one in document.findings()]) == (
            True,
            ["SOC101", "SOC000"],
        )

    def test_good_text_has_its_own_findings_only(self, document: Document) -> None:
        document.take(answer("a\nb\n", finding(1)))
        document.take(answer("a\nb\n", finding(2)))
        assert [one.span.row for one in document.findings()] == [2]

    def test_new_document_knows_nothing(self, document: Document) -> None:
        told = (document.is_broken, document.root, document.docs_url, document.findings())
        assert (told, document.depends_on("x")) == ((False, ROOT, None, []), False)

    def test_answer_while_broken_rests_on_the_good_one_too(self, document: Document) -> None:
        document.take(answer("", needs="a"))
        document.take(answer("", broken=True, needs="b"))
        assert [document.depends_on(name) for name in "abc"] == [True, True, False]

    def test_text_of_a_file(self, tmp_path: Path) -> None:
        documents = Documents()
        path = tmp_path / "a.py"
        path.write_text("disk", "utf-8")
        before = documents.text_of(path)
        documents.open(path.as_uri(), "open", 1)
        assert (before, documents.text_of(path), documents.text_of(tmp_path / "b.py")) == (
            "disk",
            "open",
            None,
        )

    def test_closed_document_is_forgotten(self) -> None:
        documents = Documents()
        document = documents.open(uri("a.py"), "", 1)
        closed = documents.close(uri("a.py"))
        assert (closed is document, documents.get(uri("a.py")), list(documents)) == (True, None, [])

    @pytest.mark.parametrize(
        ("address", "path"),
        [
            ("file:///project/../a.py", Path("/a.py")),
            ("file:///a%00b.py", None),
            ("untitled:Untitled-1", None),
        ],
    )
    def test_path_of_an_address(self, address: str, path: Path | None) -> None:
        assert path_of(address) == path


class TestHover:
    """What is shown over a finding and over a comment."""

    def test_finding_comes_before_the_page_of_its_rule(self) -> None:
        shown = hover.of_finding(finding(), "https://docs/SOC101").split("\n\n")
        assert (shown[:3], shown[3].startswith("#### ")) == (
            ["**SOC101 roulette**: 2 assertions", "[Read more](https://docs/SOC101)", "---"],
            True,
        )

    def test_rule_that_is_not_installed_has_no_page(self) -> None:
        assert hover.of_finding(finding(code="X1"), "") == "**X1 roulette**: 2 assertions\n\n---"

    def test_comment_for_every_rule(self) -> None:
        comment = Suppression("ignore-file", None, Span(1, 1, 1, 2))
        assert hover.of_suppression(comment, [finding(), finding(1, None)]) == (
            "**`# socrates: ignore-file`** silences findings about the whole file.\n\nEvery rule:\n\n"
            "- `test_it`: 2 assertions\n- 2 assertions"
        )

    def test_comment_for_some_rules(self) -> None:
        comment = Suppression("ignore", ("SOC101", "nothing"), Span(1, 1, 1, 2), 1, 1)
        lines = hover.of_suppression(comment, [finding(code="SOC102")]).split("\n\n")
        assert (lines[0], lines[1].startswith("**SOC101 assertion-roulette**: "), lines[2:]) == (
            "**`# socrates: ignore`** silences findings about this line, or the test that starts here.",
            True,
            [
                "- silences nothing that no other comment silences",
                "**nothing**: there is no such rule.",
            ],
        )

    @pytest.mark.parametrize(
        ("character", "there"), [(3, False), (4, True), (12, True), (22, True), (23, False)]
    )
    def test_comment_under_the_pointer(self, character: int, there: bool) -> None:
        text = "x   # socrates: ignore\n"
        found = hover.comment_at(text, Positions.of(text), types.Position(0, character))
        assert (found is not None) is there

    @pytest.mark.parametrize(
        ("line", "character", "expected"),
        [(1, 2, True), (1, 1, False), (2, 9, True), (3, 4, True), (3, 5, False), (4, 0, False)],
    )
    def test_place_in_a_stretch(self, line: int, character: int, expected: bool) -> None:
        stretch = types.Range(types.Position(1, 2), types.Position(3, 4))
        assert hover.is_in(types.Position(line, character), stretch) is expected
