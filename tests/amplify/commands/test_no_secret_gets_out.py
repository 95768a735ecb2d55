"""Secrets of many shapes, sent through every channel, are in nothing that Socrates shows or keeps."""

from __future__ import annotations

import json
import re
import runpy
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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

FORMATS = ("text", "junit", "sarif")
VIEWS = {"tree": "::test_replies_of_actors", "json": "", "mermaid": "::test_bodies"}


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

SECRETS = json.loads((Path(__file__).parent / "secrets.json").read_text())  # by test
PASSWORD = "hUnT3r2xQ9vLp7Zt"
http = requests.Session()
http.trust_env = False  # looks for proxies in the environment with every request
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
    text = SECRETS["test_addresses_and_headers"][number]
    address = f"{base}/items/{number}?note={quote(text)}&password={PASSWORD}"
    try:
        answer = http.get(address, headers={"Authorization": f"Bearer {PASSWORD}"}, timeout=5)
        answer.raise_for_status()
    except requests.RequestException as error:
        raise LookupError(f"{text} from {address}") from error
    return answer.text


def put(base, number):
    body = {"text": SECRETS["test_bodies"][number], "password": PASSWORD}
    answer = http.post(f"{base}/items/{number}", json=body, timeout=5)
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
        self.answer("test_bodies")

    def do_GET(self):
        self.answer("test_addresses_and_headers")

    def answer(self, test):
        text = SECRETS[test][int(self.path.partition("?")[0].rpartition("/")[2])]
        body = text.encode()
        self.send_response(200)
        self.send_header("X-Note", ascii(text))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def secrets(request):
    return SECRETS[request.function.__name__]


@pytest.fixture
def service():
    server = ThreadingHTTPServer(("127.0.0.1", 0), VaultHandler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_replies_of_actors(secrets):
    vault = Vault.start()
    replies = [vault.ask(Keep(number, text)) for number, text in enumerate(secrets)]
    seen = vault.proxy().seen.get()
    vault.stop()
    assert replies == secrets
    assert seen == secrets, "; ".join(secrets)


def test_failures_of_actors(secrets):
    vault = Vault.start()
    for number, text in enumerate(secrets):
        vault.tell(Keep(number, text))
    try:
        assert vault.ask("check") == len(secrets)
    finally:
        vault.stop()


def test_assertions(secrets):
    vault = Vault.start()
    for number, text in enumerate(secrets):
        vault.tell(Keep(number, text))
    try:
        vault.ask("check")
        twice = ""
    except LookupError as error:
        twice = error.args[0]
    finally:
        vault.stop()
    assert twice == ""


def test_results_of_tasks(secrets):
    kept.clear()
    for text in secrets:
        assert keep.delay(text, password=PASSWORD).get()["kept"] == text
    assert kept == secrets


def test_failures_of_tasks(secrets):
    kept.clear()
    for text in secrets:
        keep.delay(text)
    check.delay().get()
    assert kept == secrets


def test_addresses_and_headers(service, secrets):
    answers = [look(service, number) for number in range(len(secrets))]
    assert answers == secrets


def test_bodies(service, secrets):
    answers = [put(service, number) for number in range(len(secrets))]
    assert answers == secrets
"""


FLAGS = ("--explorer", "naive", "--faults", "duplicate,connection-error")
EVERY_SECRET = ("--explorer", "exhaustive", "--max-faults", "1", *FLAGS[2:])
"""Asks for one run per message, so that each secret is in a failure once."""
FAILURES = ("test_failures_of_actors", "test_assertions", "test_addresses_and_headers")
OTHERS = (
    "test_replies_of_actors",
    "test_results_of_tasks",
    "test_failures_of_tasks",
    "test_bodies",
)


def write(folder: Path, secrets: Mapping[str, Sequence[str]]) -> None:
    """The project whose tests send these secrets."""
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "secrets.json").write_text(json.dumps(secrets))
    (folder / "vault.py").write_text(VAULT)
    (folder / "test_vault.py").write_text(SUITE)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, socrates: Run) -> Path:
    """A project whose tests send every secret through every channel, amplified.

    In ``failures`` beside it each secret is in a failure of one of three tests.
    """
    folder = tmp_path_factory.mktemp("secrets") / "vault"
    every = list(HIDDEN.values())
    write(folder, dict.fromkeys((*FAILURES, *OTHERS), every))
    write(folder.parent / "failures", {test: every[at::3] for at, test in enumerate(FAILURES)})
    out = ("--output-format", "json", "--output-file", "report.json", "--report", "report.html")
    tests = [f"test_vault.py::{name}" for name in FAILURES]
    done = [
        socrates(folder, "amplify", *FLAGS, "--write-tests", "kept", *out),
        socrates(folder.parent / "failures", "amplify", *tests, *EVERY_SECRET, "--jobs", "2", *out),
    ]
    (folder / "said.txt").write_text("".join(one.stdout + one.stderr for one in done))
    return folder


def leaks(text: str | bytes) -> list[str]:
    """What stands around a secret in a text, for every one that is there."""
    plain = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return [plain[max(0, at.start() - 60) : at.end() + 20] for at in CANARY.finditer(plain)]


def test_every_secret_was_sent_through_every_channel(project: Path) -> None:
    tests = json.loads((project / "report.json").read_text())["tests"]

    assert len(HIDDEN) >= 30
    assert [test["status"] for test in tests] == ["defective"] * 7, "each in messages and replies"


def test_every_secret_was_in_a_failure(project: Path) -> None:
    tests = json.loads((project.parent / "failures" / "report.json").read_text())["tests"]

    assert [test["executions"] >= len(HIDDEN) / 3 for test in tests] == [True] * 3


@pytest.mark.parametrize(
    "place", ["report.json", "report.html", "said.txt", "../failures/report.json"]
)
def test_no_secret_is_in_a_report(project: Path, place: str) -> None:
    assert leaks((project / place).read_text()) == []


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_is_in_a_format(project: Path, form: str, socrates: Run) -> None:
    done = socrates(project, "amplify", "--resume", *FLAGS, "--output-format", form)

    assert (done.returncode, leaks(done.stdout + done.stderr)) == (1, [])


def test_no_secret_is_in_files_to_keep(project: Path) -> None:
    files = [*project.parent.rglob(".socrates/scenarios/*"), *project.glob("kept/**/*.*")]

    assert len(files) >= 17, "one per test, and twice where it is kept"
    assert [leak for file in files for leak in leaks(file.read_text())] == []


def test_no_secret_is_in_the_store(project: Path) -> None:
    raw = [path.read_bytes() for path in project.parent.rglob(".socrates/store.sqlite*")]
    rows = [row for path in project.parent.rglob("store.sqlite") for row in _rows(path)]

    assert len(rows) > len(HIDDEN), "each failure is kept"
    assert [leak for data in (*raw, *rows) for leak in leaks(data)] == []


def _rows(store: Path) -> Iterator[bytes]:
    """What the store has kept of every run, unpacked."""
    with closing(sqlite3.connect(store)) as connection:
        for table in ("outcomes", "traces"):
            for (document,) in connection.execute(f"SELECT document FROM {table}"):
                yield zlib.decompress(document)


@pytest.mark.parametrize(("form", "test"), VIEWS.items(), ids=list(VIEWS))
def test_no_secret_is_in_a_trace(project: Path, form: str, test: str, socrates: Run) -> None:
    done = socrates(project, "trace", f"test_vault.py{test}", "--output-format", form)

    assert (done.returncode, leaks(done.stdout + done.stderr)) == (0, [])
    assert "***" in done.stdout


def test_no_secret_is_in_what_a_replay_says_itself(project: Path, socrates: Run) -> None:
    said = []
    for path in sorted(project.glob("kept/scenarios/*"))[::3]:
        done = socrates(project, "replay", str(path), "--", "-p", "no:terminal")
        said.append((done.returncode, leaks(done.stdout + done.stderr)))

    assert said == [(1, [])] * 3


@pytest.mark.parametrize(
    ("place", "secret"),
    [
        ("conftest.py", "password=hUnT3r2xQ9vLp7Zt"),
        ("test_it.py", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ],
)
def test_no_secret_is_in_what_could_not_be_collected(
    place: str, secret: str, tmp_path: Path, socrates: Run
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    (tmp_path / place).write_text(f"raise LookupError({secret!r})\n")
    done = socrates(tmp_path, "amplify")

    assert (done.returncode, "LookupError" in done.stderr, leaks(done.stderr)) == (2, True, [])
