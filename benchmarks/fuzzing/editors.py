"""Messages of an editor, mutated and sent to a real ``socrates lsp`` process."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

from fuzzing import seeds
from fuzzing.drivers import ACCEPTED, BROKEN, REFUSED, Kind, Verdict
from fuzzing.mutators import as_json, json_mutant, mutant

_INTERNAL = -32603
_PATIENCE = 20.0
_MESSAGES_PER_SERVER = 1000


class Messages(Kind):
    """Messages of editors. After each, a request that makes sense has to be answered."""

    name, share = "editor messages", 8

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._server: _Server | None = None
        self._sent = 0

    def attempt(self, number: int, rng: Random) -> Verdict:
        if self._server is None or self._sent >= _MESSAGES_PER_SERVER:
            self._start()
        server = self._server
        assert server is not None
        self._sent += 1
        uri = (self.folder / "tests" / "test_shop.py").as_uri()
        method, params = rng.choice(_sound(uri, number))
        if method == "textDocument/didChange" and rng.random() < 0.5:
            text = mutant(seeds.TESTS, rng, seeds.PYTHON_WORDS, [seeds.TESTS])
            params["contentChanges"] = [{"text": text.decode("utf-8", "replace")}]
        else:
            params = json_mutant(params, rng)
        message = {"jsonrpc": "2.0", "id": f"mutant {number}", "method": method, "params": params}
        if "did" in method and rng.random() < 0.9:
            del message["id"]
        body = as_json(message, rng) if rng.random() < 0.1 else json.dumps(message).encode()
        verdict = server.judge(body, number)
        if verdict.said == BROKEN:
            self.close()
        return verdict

    def _start(self) -> None:
        self.close()
        self._server = _Server(self.folder)
        self._sent = 0

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = None


class _Server:
    """A server and what it says."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "socrates", "lsp"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
        self._ask("initialize", {"capabilities": capabilities, "rootUri": folder.as_uri()}, "begin")
        self._until("begin")

    def judge(self, body: bytes, number: int) -> Verdict:
        """Send a message, then a request that makes sense, and look at all that comes back."""
        before = self._send(body)
        position = {"line": 3, "character": 1}
        sound = {"textDocument": {"uri": "file:///nowhere/test_a.py"}, "position": position}
        self._ask("textDocument/hover", sound, f"sound {number}")
        told = [*before, *(self._until(f"sound {number}") or [{"gone": True}])]
        for message in told:
            error = message.get("error") or {}
            params = message.get("params") or {}
            is_logged = (
                message.get("method") == "window/logMessage"
                and params.get("type") == 1
                and "JsonRpc" not in params.get("message", "")  # that is the client's mistake
            )
            if message.get("gone") or error.get("code") == _INTERNAL or is_logged:
                return Verdict(BROKEN, json.dumps(message)[:600] + f" after {body[:600]!r}")
        methods = ("window/logMessage", "window/showMessage")
        is_told = any("error" in one or one.get("method") in methods for one in told)
        return Verdict(REFUSED if is_told else ACCEPTED)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def _ask(self, method: str, params: object, number: str) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._send(json.dumps(message).encode())

    def _send(self, body: bytes) -> list[dict[str, Any]]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self._process.stdin.flush()
        except OSError:
            return [{"gone": True}]
        return []

    def _until(self, number: str) -> list[dict[str, Any]] | None:
        """What came up to the answer of a request; None when the process is gone."""
        told: list[dict[str, Any]] = []
        while True:
            try:
                message = self._said.get(timeout=_PATIENCE)
            except queue.Empty:
                return [*told, {"gone": True, "silent for": _PATIENCE}]
            if message is None:
                return None
            told.append(message)
            if message.get("id") == number and "method" not in message:
                return told

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(ValueError, OSError):
            while line := stream.readline():
                length = 0
                while line.strip():
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                    line = stream.readline()
                self._said.put(json.loads(stream.read(length)))
        self._said.put(None)


def _sound(uri: str, version: int) -> list[tuple[str, dict[str, Any]]]:
    """Messages as an editor sends them."""
    text = seeds.TESTS.decode()
    place = {"line": 11, "character": 9}
    span = {"start": place, "end": {"line": 12, "character": 0}}
    document = {"uri": uri}
    item = {"uri": uri, "languageId": "python", "version": version, "text": text}
    change = {"range": span, "rangeLength": 3, "text": "x = 1\n"}
    diagnostic = {"range": span, "message": "x", "code": "SOC101", "source": "socrates"}
    context = {"diagnostics": [diagnostic], "only": ["quickfix"], "triggerKind": 1}
    versioned = {"uri": uri, "version": version}
    settings = {"socrates": {"strict": True, "debounce": 0.1, "config": [], "diagnostics": "push"}}
    asked = {"textDocument": document, "range": span, "context": context}
    return [
        ("textDocument/didOpen", {"textDocument": item}),
        ("textDocument/didChange", {"textDocument": versioned, "contentChanges": [change]}),
        ("textDocument/didChange", {"textDocument": versioned, "contentChanges": [{"text": text}]}),
        ("textDocument/didSave", {"textDocument": document, "text": text}),
        ("textDocument/didClose", {"textDocument": document}),
        ("textDocument/codeAction", asked),
        ("textDocument/codeAction", {**asked, "context": {"diagnostics": []}}),
        ("textDocument/hover", {"textDocument": document, "position": place}),
        ("textDocument/diagnostic", {"textDocument": document}),
        ("codeAction/resolve", {"title": "x", "kind": "quickfix", "data": {"uri": uri}}),
        ("workspace/didChangeConfiguration", {"settings": settings}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}),
        ("workspace/executeCommand", {"command": "socrates.restart", "arguments": [uri]}),
        ("$/cancelRequest", {"id": 1}),
        ("initialize", {"capabilities": {}, "initializationOptions": settings}),
    ]
