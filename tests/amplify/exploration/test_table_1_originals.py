"""The harness for the original applications, with one of our own that is laid out as they are."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HELPER = """\
import json
from pathlib import Path


class Helper:
    def __init__(self, example):
        settings = Path(__file__).with_name(example) / "networking.json"
        self.networking = json.loads(settings.read_text())

    def url(self, service):
        return f"http://127.0.0.1:{self.networking[service]['port']}"
"""
TRACED = """\
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[4]))

from flask import Flask
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from filibuster.instrumentation.requests import RequestsInstrumentor

app = Flask(__name__)
trace.set_tracer_provider(TracerProvider())
RequestsInstrumentor().instrument(service_name="any")
"""
CALLING = """
import requests
from helper import Helper
from werkzeug.exceptions import ServiceUnavailable


@app.get("/")
def view():
    try:
        if requests.get(Helper("cinema-8").url("monolith"), timeout=9).status_code == 200:
            return "done"
    except (requests.ConnectionError, requests.Timeout):
        pass
    raise ServiceUnavailable
"""
LEAF = """
from werkzeug.exceptions import NotFound


@app.get("/")
def view():
    if not app.name:
        raise NotFound
    return "done"
"""
TEST = """\
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

import requests
from filibuster.assertions import was_fault_injected
from helper import Helper


def test_answers():
    status = requests.get(Helper("cinema-8").url("api-server"), timeout=30).status_code
    assert status == 200 or (was_fault_injected() and status == 503)
"""


@pytest.fixture(scope="module")
def originals(benchmark_module):
    """The benchmark's module."""
    benchmark_module("outages.services")
    return benchmark_module("outages.corpus")


@pytest.fixture
def corpus(tmp_path) -> Path:
    """A checkout with one application, on ports that are free."""
    with ExitStack() as free:
        taken = [free.enter_context(closing(socket.socket())) for _ in range(2)]
        for each in taken:
            each.bind(("127.0.0.1", 0))
        ports = [each.getsockname()[1] for each in taken]
    names = ("api-server", "monolith")
    application = tmp_path / "corpus" / "cinema-8"
    for name, code in zip(names, (CALLING, LEAF), strict=True):
        (application / "services" / name / name).mkdir(parents=True)
        (application / "services" / name / name / "app.py").write_text(TRACED + code)
    networking = {name: {"port": port} for name, port in zip(names, ports, strict=True)}
    (application / "networking.json").write_text(json.dumps(networking))
    (application / "functional").mkdir()
    (application / "functional" / "test_user_bookings.py").write_text(TEST)
    (application.parent / "helper.py").write_text(HELPER)
    return application.parent


@pytest.mark.parametrize("threads", [False, True], ids=["processes", "threads"])
def test_executions_of_an_application_are_counted(originals, corpus, tmp_path, threads) -> None:
    (tmp_path / "work").mkdir()
    found = originals.executions(corpus, threads, tmp_path / "work", "cinema-8", True)
    assert found == 5  # without faults, no connection, no answer, 404, 500


def test_a_folder_that_is_no_corpus_is_told(originals, tmp_path) -> None:
    assert "is no checkout" in originals.complaint(tmp_path, ["cinema-1"])


def test_a_taken_port_is_told(originals, corpus) -> None:
    networking = json.loads((corpus / "cinema-8" / "networking.json").read_text())
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", networking["monolith"]["port"]))
        other.listen()
        assert "is taken, and monolith" in originals.complaint(corpus, ["cinema-8"])
