"""The server: the state of one connection, and everything that is sent to the client."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from socrates import __version__
from socrates.findings import Finding
from socrates.lsp import streams
from socrates.lsp.checker import Checker, Question, Stale
from socrates.lsp.diagnostics import Abilities, diagnostic
from socrates.lsp.documents import Document, Documents, path_of
from socrates.lsp.options import Options, parse
from socrates.lsp.place import CONFIG_FILES
from socrates.lsp.positions import Encoding, Positions
from socrates.lsp.protocol import LONGEST_MEMORY, Protocol
from socrates.lsp.schedule import Schedule
from socrates.lsp.worker import Worker
from socrates.printable import one_line

_DEPENDENT_DELAY = 3
"""Tests wait longer than the conftest.py that they use: it is the one being typed in."""


class Server(LanguageServer):
    """The state of one connection."""

    def __init__(self) -> None:
        super().__init__(
            "socrates",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            max_workers=1,
        )
        self.documents = Documents()
        self.options = Options()
        self.checker = Checker(self.options)
        self.worker = Worker()
        self.checks = Schedule(self._check)
        self.refreshes = Schedule(self._refresh)
        self.pulls = False
        self.abilities = Abilities()
        self._told: dict[str, None] = {}
        self._problems: dict[Path, str] = {}

    # -- settings ----------------------------------------------------------------------------

    def configure(self, raw: object) -> list[str]:
        """Take the client's options; returns what is wrong with them."""
        options, problems = parse(raw)
        base = Path(self.workspace.root_path or Path.cwd())
        self.options = replace(options, config=tuple(str(base / item) for item in options.config))
        self.checker = Checker(self.options)
        return problems

    def meet(self, client: types.ClientCapabilities) -> None:
        """Take what the client can do."""
        self.abilities = Abilities.of(client)
        can_pull = client.text_document is not None and client.text_document.diagnostic is not None
        self.pulls = self.options.diagnostics == "pull" or (
            self.options.diagnostics == "auto" and can_pull
        )

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Show the user a message, once."""
        if message not in self._told:
            self._told[message] = None
            while len(self._told) > LONGEST_MEMORY:
                del self._told[next(iter(self._told))]
            text = one_line(f"Socrates: {message}")
            self.window_show_message(types.ShowMessageParams(kind, text))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Errors that no request waits for go to the client's log, not into a message for its user."""
        message = one_line(f"Socrates: {type(error).__name__}: {error}")
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    # -- checking ----------------------------------------------------------------------------

    def question(self, document: Document, is_stale: Callable[[], bool]) -> Question:
        """A document as it is now."""
        return Question(document.path, document.text, self.documents.texts(), is_stale)

    def changed(self, document: Document) -> None:
        """A text was changed: check it soon, and after it the open files that use it."""
        if not self.pulls:
            self.checks.ask(document.uri, self.options.debounce)
        self.recheck(f"file:{document.path}", beside=document)

    def recheck(self, *names: str, beside: Document | None = None) -> None:
        """Check the open files again whose answers rest on any of these; all if none is given."""
        delay = self.options.debounce * _DEPENDENT_DELAY if names else 0.0
        for document in self.documents:
            if document is beside or (names and not document.depends_on(*names)):
                continue
            document.current = False
            if self.pulls:
                self.refreshes.ask("all", delay)
            else:
                self.checks.ask(document.uri, delay)

    def start_anew(self) -> None:
        """Forget all that was read from disk, and check what is open again."""
        self.checker = Checker(self.options)
        self._told.clear()
        self._problems.clear()
        self.recheck()

    async def brought_up_to_date(self, document: Document) -> None:
        """Wait until the answer is for the text as it is. Raises when it changes meanwhile."""
        revision = document.revision

        def is_same() -> bool:
            return document.revision == revision and self.documents.get(document.uri) is document

        while not document.current and is_same():
            self.checks.ask(document.uri)
            await self.checks.settled(document.uri)
        if not is_same():
            raise modified()

    async def _check(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        revision = document.revision

        def is_stale() -> bool:
            return self.checks.is_waiting(uri) or document.revision != revision

        question = self.question(document, is_stale)
        checker = self.checker
        try:
            answer = await self.worker.run(lambda: checker.check(question))
        except Stale:
            return
        except Exception as error:  # a defect of ours: said, and the server goes on
            self.report_server_error(error, type(error))
            document.current = document.revision == revision
            return
        if is_stale() or self.documents.get(uri) is not document:
            return
        document.take(answer)
        if answer.problem != self._problems.get(answer.root, ""):
            self._problems[answer.root] = answer.problem
            self._told.pop(answer.problem, None)
            if answer.problem:
                self.tell(answer.problem, types.MessageType.Error)
        for failed in answer.errors:
            self.tell(f"{failed.plugin} failed at {failed.location}: {failed.message}")
        if not self.pulls:
            self.publish(document)

    async def _refresh(self, _: str) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    # -- showing -----------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        """The units that the client counts in."""
        agreed = self.workspace.position_encoding
        return _ENCODINGS.get(str(getattr(agreed, "value", agreed)), "utf-16")

    def positions(self, text: str) -> Positions:
        """The positions of a text as the client counts them."""
        return Positions.of(text, self.encoding)

    def shown(self, document: Document) -> dict[Finding, types.Diagnostic]:
        """The findings of a document with what the client shows for each."""
        positions = self.positions(document.text)

        def positions_of(path: Path) -> Positions | None:
            text = self.documents.text_of(path)
            return None if text is None else self.positions(text)

        return {
            finding: diagnostic(
                finding, positions, document.root, positions_of, self.abilities, document.docs_url
            )
            for finding in document.findings()
        }

    def publish(self, document: Document) -> None:
        """Push what there is to show."""
        items = list(self.shown(document).values())
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, items, document.version)
        )

    def clear(self, uri: str) -> None:
        """Take back what was pushed for a file that is closed."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    # -- files -------------------------------------------------------------------------------

    def touched(self, uri: str, *, listed: bool = False) -> None:
        """A file changed on disk; ``listed``: it came or went, so that its folder changed too."""
        path = path_of(uri)
        if path is None:
            return
        if path.name in CONFIG_FILES or path.name == ".gitignore" or path.suffix == ".json":
            self.recheck()
        elif path.suffix == ".py":
            names = [f"file:{path}"]
            if listed:
                names += [f"dir:{path.parent}"]
            self.recheck(*names)


_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


def modified() -> JsonRpcException:
    """The answer to a request that the text has overtaken."""
    code = types.LSPErrorCodes.ContentModified
    return JsonRpcException("the text has changed since", code.value)


def serve() -> int:
    """Talk to the client on standard input and output until it ends. Returns the exit code."""
    from socrates.lsp import commands, features

    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    source, sink = streams.take_stdio()
    answers = streams.Answers(sink)
    server = Server()
    features.register(server)
    commands.register(server)
    server.start_io(streams.Messages(source, answers), answers)  # type: ignore[arg-type]
    return 0 if server.protocol._shutdown else 1
