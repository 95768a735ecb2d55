"""A client that speaks the protocol to a real ``socrates lsp`` process over its pipes."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")

PATIENCE = 60.0
"""Seconds to wait for an answer: generous, since a busy machine is no defect."""

CAPABILITIES: dict[str, Any] = {
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
    },
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    },
}


class RefusedError(Exception):
    """The server answered with an error."""


class SilentError(Exception):
    """What was waited for did not come."""


FORKS = """
import os, signal, socket, sys
import socrates.lsp.server
from socrates.cli import main

line = socket.socket(fileno=int(sys.argv[1]))
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    folder, pipes, _, _ = socket.recv_fds(line, 4096, 3)
    if not folder:
        break
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        line.close()
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        os.chdir(folder)
        try:
            main(["lsp", "--stdio"])
        finally:
            os._exit(1)
    for pipe in pipes:
        os.close(pipe)
    line.sendall(b"%d" % pid)
"""
"""A process that has imported the server, which takes longer than most tests, and forks it."""


class Fork:
    """A server that was forked, with as much of ``Popen`` as a client needs."""

    def __init__(self, line: socket.socket, folder: Path) -> None:
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        theirs = (theirs_in, theirs_out, theirs_err)
        socket.send_fds(line, [os.fsencode(folder)], theirs)
        for pipe in theirs:
            os.close(pipe)
        self.stdin = os.fdopen(ours_in, "wb")
        self.stdout, self.stderr = os.fdopen(ours_out, "rb"), os.fdopen(ours_err, "rb")
        self.pid = int(line.recv(4096))

    def poll(self) -> int | None:
        """None while it runs; how it ended only its parent knows."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def kill(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self, patience: float) -> None:
        """Wait until it has ended."""
        over = time.monotonic() + patience
        while self.poll() is None:
            assert time.monotonic() < over, "it never ended"
            time.sleep(0.01)


class Client:
    """Starts a server, sends, and waits for what it asks for by name."""

    def __init__(
        self, folder: Path, plugins: Path | None = None, process: Fork | None = None
    ) -> None:
        self.folder = folder
        found = {"PYTHONPATH": str(plugins)} if plugins else {}
        self.process = process or subprocess.Popen(
            [sys.executable, "-m", "socrates", "lsp", "--stdio"],
            cwd=folder,
            env={**os.environ, **found},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.messages: list[dict[str, Any]] = []
        self._incoming: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._last_id = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # -- talking -----------------------------------------------------------------------------

    def send(self, **message: Any) -> None:
        """One message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send_bytes(self, data: bytes) -> None:
        """Anything at all."""
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        """A notification."""
        self.send(method=method, params=params)

    def ask(self, method: str, params: Any = None) -> int:
        """A request, without waiting for its answer."""
        self._last_id += 1
        self.send(id=self._last_id, method=method, params=params)
        return self._last_id

    def answer(self, number: int) -> dict[str, Any]:
        """The whole answer to a request: with ``result`` or ``error``."""
        return self.wait(lambda m: m.get("id") == number and "method" not in m)

    def request(self, method: str, params: Any = None) -> Any:
        """The result of a request."""
        answer = self.answer(self.ask(method, params))
        if "error" in answer:
            raise RefusedError(answer["error"])
        return answer.get("result")

    def wait(self, wanted: Any, patience: float = PATIENCE) -> dict[str, Any]:
        """The first message, old or new, that was not waited for yet and is wanted."""
        end = time.monotonic() + patience
        seen = 0
        while True:
            for position, message in enumerate(self.messages[seen:], start=seen):
                if wanted(message):
                    return self.messages.pop(position)
            seen = len(self.messages)
            try:
                message = self._incoming.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise SilentError(f"nothing came; got {self.messages}") from None
            if message is None:
                raise SilentError(f"the server ended; got {self.messages}")
            self.messages.append(message)

    # -- the usual ---------------------------------------------------------------------------

    def initialize(self, *folders: Path, **changes: Any) -> dict[str, Any]:
        """Introduce ourselves; returns the server's capabilities."""
        params = {
            "processId": None,
            "rootUri": self.folder.as_uri(),
            "capabilities": CAPABILITIES,
            "workspaceFolders": [
                {"uri": folder.as_uri(), "name": folder.name} for folder in folders
            ],
            **changes,
        }
        result: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None, version: int = 1) -> str:
        """Open a file, with the text on disk unless another is given; returns its address."""
        uri = path.as_uri()
        content = path.read_bytes().decode() if text is None else text
        item = {"uri": uri, "languageId": "python", "version": version, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        """Replace the text of an open file."""
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", params)

    def diagnostics(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """What is pushed for a file next, or for one version of it."""

        def wanted(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and version in (None, params.get("version"))
            )

        found: list[dict[str, Any]] = self.wait(wanted)["params"]["diagnostics"]
        return found

    def actions(self, uri: str, line: int, *only: str) -> list[dict[str, Any]]:
        """The code actions for a line (from 0)."""
        place = {"line": line, "character": 0}
        context: dict[str, Any] = {"diagnostics": []}
        if only:
            context["only"] = list(only)
        params = {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": context,
        }
        return self.request("textDocument/codeAction", params) or []

    def hang_up(self) -> None:
        """Close the server's input."""
        self.process.stdin.close()

    def end(self) -> int:
        """Say goodbye as the protocol wants it; returns the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """Leave no process behind."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = stream.read(length)
            if not body:
                self._incoming.put(None)
                return
            self._incoming.put(json.loads(body))


Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the files of a project, as they are, and return its folder."""

    def write_files(files: Mapping[str, str]) -> Path:
        for name, text in {"socrates.toml": "", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path

    return write_files


Start = Callable[[], Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers that nobody has talked to yet; none of them outlives the test."""
    with _started(lambda: Client(tmp_path)) as start:
        yield start


@pytest.fixture(scope="session")
def forks() -> Iterator[socket.socket]:
    """A line to the process that forks servers."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", FORKS, str(theirs.fileno())]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    theirs.close()
    yield ours
    ours.close()
    process.kill()
    process.wait(PATIENCE)


@pytest.fixture
def fork(tmp_path: Path, forks: socket.socket) -> Iterator[Start]:
    """The same for tests that are not about the process of the server: it is there at once."""
    with _started(lambda: Client(tmp_path, process=Fork(forks, tmp_path))) as start:
        yield start


@contextlib.contextmanager
def _started(make: Start) -> Iterator[Start]:
    clients: list[Client] = []

    def start_one() -> Client:
        clients.append(make())
        return clients[-1]

    yield start_one
    for client in clients:
        client.close()


@pytest.fixture(scope="session")
def client_class() -> type[Client]:
    """The client, for tests that introduce it in their own way."""
    return Client


@pytest.fixture(scope="session")
def capabilities() -> dict[str, Any]:
    """What the client says that it can do."""
    return CAPABILITIES


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, forks: socket.socket) -> Iterator[Client]:
    """A server for all tests of a module, each of which has files of its own."""
    folder = tmp_path_factory.mktemp("elsewhere")
    client = Client(folder, process=Fork(forks, folder))
    client.initialize()
    yield client
    client.close()


@pytest.fixture
def edited() -> Callable[[str, dict[str, Any]], str]:
    """Apply the edits of a code action to a text, as an editor does: in UTF-16 units."""

    def apply(text: str, action: dict[str, Any]) -> str:
        [change] = action["edit"]["documentChanges"]
        units = text.encode("utf-16-le")
        starts = [0]
        for line in text.split("\n")[:-1]:
            starts.append(starts[-1] + len(f"{line}\n".encode("utf-16-le")))

        def offset(place: dict[str, int]) -> int:
            return starts[place["line"]] + 2 * place["character"]

        edits = sorted(change["edits"], key=lambda edit: -offset(edit["range"]["start"]))
        for edit in edits:
            begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
            units = units[:begin] + edit["newText"].encode("utf-16-le") + units[end:]
        return units.decode("utf-16-le")

    return apply
