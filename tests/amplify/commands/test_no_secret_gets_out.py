"""Secrets of many shapes, sent through every channel, are in nothing that Socrates shows or keeps."""

from __future__ import annotations

import json
import re
import runpy
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

HIDDEN: dict[str, str] = runpy.run_path(
    str(Path(__file__).parents[1] / "model" / "test_secrets.py")
)["HIDDEN"]
"""The shapes of secrets that the masking knows, each in a text."""

SECRETS = (
    *("hUnT3r2xQ9vLp7Zt", "8f14e45fceea167a5a36dedd4bea2543", "Zx81kQp0mWv7Lr3TnB5s"),
    *("k9Jd83hFq0Zp1Lx7Vb2N", "16C7e42F292c6912E7710c838347Ae178B4a", "AKIAIOSFODNN7EXAMPLE"),
    *("4eC39HqLyjWDarjtT1zdp7dc", "eyJhbGciOiJIUzI1NiJ9", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"),
    *("x1y2z3A4B5C6D7E8F9G0", "abcDEF123456", "AIzaSyA1234567890abcd", "MIIEow"),
    *("wJalrXUtnFEMI/K7MDENG", "YW5uOmhVblQzcjJ4UTl2THA3WnQ="),
)
CANARY = re.compile(
    "|".join(
        sorted(
            {re.escape(one[at : at + 8]) for one in SECRETS for at in range(max(1, len(one) - 7))}
        )
    )
)
"""Any eight characters of any secret, since what is cut is a leak, too."""

FORMATS = ("text", "junit", "sarif", "json")
VIEWS = ("tree", "json", "mermaid")


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]

VAULT = """
import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import celery
import pykka
import requests

SECRETS = json.loads((Path(__file__).parent / "secrets.json").read_text())
PASSWORD = "hUnT3r2xQ9vLp7Zt"
app = celery.Celery("vault", broker="memory://", backend="cache+memory://")
app.conf.task_always_eager = True
app.conf.task_eager_propagates = True
kept = []


@app.task(acks_late=True)
def keep(text, password=""):
    kept.append(text)
    return {"kept": text, "password": password}


@app.task
def check():
    for text in kept:
        if kept.count(text) > 1:
            raise LookupError(text)


@dataclass(frozen=True)
class Keep:
    delivery_id: int
    text: str


class Vault(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.seen = []

    def on_receive(self, message):
        if message == "check":
            for text in self.seen:
                if self.seen.count(text) > 1:
                    raise LookupError(text)
            return len(self.seen)
        self.seen.append(message.text)
        return message.text


def look(base, number):
    text = SECRETS[number]
    address = f"{base}/items/{number}?note={quote(text)}&password={PASSWORD}"
    try:
        answer = requests.get(address, headers={"Authorization": f"Bearer {PASSWORD}"}, timeout=5)
        answer.raise_for_status()
    except requests.RequestException as error:
        raise LookupError(f"{text} from {address}") from error
    return answer.text


def put(base, number):
    body = {"text": SECRETS[number], "password": PASSWORD}
    answer = requests.post(f"{base}/items/{number}", json=body, timeout=5)
    answer.raise_for_status()
    return answer.text
"""

SUITE = """
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from vault import PASSWORD, SECRETS, Keep, Vault, check, keep, kept, look, put


class VaultHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def do_GET(self):
        number = int(self.path.partition("?")[0].rpartition("/")[2])
        body = SECRETS[number].encode()
        self.send_response(200)
        self.send_header("X-Note", ascii(SECRETS[number]))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def service():
    server = ThreadingHTTPServer(("127.0.0.1", 0), VaultHandler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_replies_of_actors():
    vault = Vault.start()
    replies = [vault.ask(Keep(number, text)) for number, text in enumerate(SECRETS)]
    seen = vault.proxy().seen.get()
    vault.stop()
    assert replies == SECRETS
    assert seen == SECRETS, "; ".join(SECRETS)


def test_failures_of_actors():
    vault = Vault.start()
    for number, text in enumerate(SECRETS):
        vault.tell(Keep(number, text))
    try:
        assert vault.ask("check") == len(SECRETS)
    finally:
        vault.stop()


def test_assertions():
    vault = Vault.start()
    for number, text in enumerate(SECRETS):
        vault.tell(Keep(number, text))
    try:
        vault.ask("check")
        twice = ""
    except LookupError as error:
        twice = error.args[0]
    finally:
        vault.stop()
    assert twice == ""


def test_results_of_tasks():
    kept.clear()
    for text in SECRETS:
        assert keep.delay(text, password=PASSWORD).get()["kept"] == text
    assert kept == SECRETS


def test_failures_of_tasks():
    kept.clear()
    for text in SECRETS:
        keep.delay(text)
    check.delay().get()
    assert kept == SECRETS


def test_addresses_and_headers(service):
    answers = [look(service, number) for number in range(len(SECRETS))]
    assert answers == SECRETS


def test_bodies(service):
    answers = [put(service, number) for number in range(len(SECRETS))]
    assert answers == SECRETS
"""


FLAGS = ("--explorer", "naive", "--faults", "duplicate,connection-error")
EVERY_SECRET = ("--explorer", "exhaustive", "--max-faults", "1", *FLAGS[2:])
"""Asks for one run per message, so that each secret is in a failure once."""
FAILURES = ("test_failures_of_actors", "test_assertions", "test_addresses_and_headers")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, socrates: Run) -> Path:
    """A project whose tests send every secret through every channel, amplified."""
    folder = tmp_path_factory.mktemp("vault")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "secrets.json").write_text(json.dumps(list(HIDDEN.values())))
    (folder / "vault.py").write_text(VAULT)
    (folder / "test_vault.py").write_text(SUITE)
    out = ("--output-format", "json", "--output-file", "report.json", "--report", "report.html")
    tests = [f"test_vault.py::{name}" for name in FAILURES]
    every = socrates(
        folder, "amplify", *tests, *EVERY_SECRET, "--jobs", "2", "--output-format", "json"
    )
    done = socrates(folder, "amplify", "--resume", *FLAGS, "--write-tests", "kept", *out)
    (folder / "said.txt").write_text(every.stdout + every.stderr + done.stdout + done.stderr)
    (folder / "every.json").write_text(every.stdout)
    return folder


def leaks(text: str | bytes) -> list[str]:
    """What stands around a secret in a text, for every one that is there."""
    plain = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return [plain[max(0, at.start() - 60) : at.end() + 20] for at in CANARY.finditer(plain)]


def test_every_secret_was_sent_through_every_channel(project: Path) -> None:
    every = json.loads((project / "every.json").read_text())["tests"]
    tests = json.loads((project / "report.json").read_text())["tests"]

    assert len(HIDDEN) >= 30
    assert [test["executions"] >= len(HIDDEN) for test in every] == [True] * 3, "each in a failure"
    assert [test["status"] for test in tests] == ["defective"] * 7, "each in messages and replies"


@pytest.mark.parametrize("name", ["report.json", "report.html", "said.txt"])
def test_no_secret_is_in_a_report(project: Path, name: str) -> None:
    assert leaks((project / name).read_text()) == []


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_is_in_a_format(project: Path, form: str, socrates: Run) -> None:
    done = socrates(project, "amplify", "--resume", *FLAGS, "--output-format", form)

    assert (done.returncode, leaks(done.stdout + done.stderr)) == (1, [])


def test_no_secret_is_in_files_to_keep(project: Path) -> None:
    files = [*project.glob(".socrates/scenarios/*"), *project.glob("kept/**/*.*")]

    assert len(files) >= 14, "one per test, twice"
    assert [leak for file in files for leak in leaks(file.read_text())] == []


def test_no_secret_is_in_the_store(project: Path) -> None:
    store = project / ".socrates" / "store.sqlite"
    raw = [path.read_bytes() for path in store.parent.glob("store.sqlite*")]

    assert [leak for data in (*raw, *_rows(store)) for leak in leaks(data)] == []


def _rows(store: Path) -> Iterator[bytes]:
    """What the store has kept of every run, unpacked."""
    with closing(sqlite3.connect(store)) as connection:
        for table in ("outcomes", "traces"):
            for (document,) in connection.execute(f"SELECT document FROM {table}"):
                yield zlib.decompress(document)


@pytest.mark.parametrize("form", VIEWS)
def test_no_secret_is_in_a_trace(project: Path, form: str, socrates: Run) -> None:
    done = socrates(project, "trace", "test_vault.py", "--output-format", form)

    assert (done.returncode, leaks(done.stdout + done.stderr)) == (0, [])
    assert "***" in done.stdout


def test_no_secret_is_in_what_a_replay_says_itself(project: Path, socrates: Run) -> None:
    said = []
    for path in sorted(project.glob("kept/scenarios/*"))[::2]:
        done = socrates(project, "replay", str(path), "--", "-p", "no:terminal")
        said.append((done.returncode, leaks(done.stdout + done.stderr)))

    assert said == [(1, [])] * 4


@pytest.mark.parametrize("place", ["conftest.py", "test_it.py"])
@pytest.mark.parametrize(
    "secret", ["password=hUnT3r2xQ9vLp7Zt", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"]
)
def test_no_secret_is_in_what_could_not_be_collected(
    place: str, secret: str, tmp_path: Path, socrates: Run
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    (tmp_path / place).write_text(f"raise LookupError({secret!r})\n")
    done = socrates(tmp_path, "amplify")

    assert (done.returncode, "LookupError" in done.stderr, leaks(done.stderr)) == (2, True, [])
