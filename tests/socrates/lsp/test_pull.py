"""Clients that ask for diagnostics instead of having them pushed."""

from __future__ import annotations

import copy
import os

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
USES_RATE = "def test_sum(rate):\n    assert sum([1, 2]) == 3\n"
CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef rate():\n    return 3\n"
PATIENT = """
from pathlib import Path

from socrates.plugins import hookimpl
from socrates.rule import Rule


class Patient(Rule):
    code, name, summary, advice = "PAT001", "patient", "waits for a pipe", "wait"

    def check(self, file):
        pipe = file.module.path.with_name("pipe")
        if pipe.exists():
            pipe.read_text()
        return ()


@hookimpl
def socrates_rules():
    return [Patient]
"""
WITH_EFFECT = CONFTEST.replace("return 3", "print('on')\n    yield\n    print('off')")


@pytest.fixture(scope="module")
def client(tmp_path_factory, client_class, capabilities):
    """A server that knows that its client pulls, with a rule that waits if there is a pipe."""
    able = copy.deepcopy(capabilities)
    able["textDocument"]["diagnostic"] = {"relatedDocumentSupport": False}
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "patient.py").write_text(PATIENT)
    (folder / "patient-1.dist-info").mkdir()
    (folder / "patient-1.dist-info" / "METADATA").write_text("Name: patient\nVersion: 1\n")
    (folder / "patient-1.dist-info" / "entry_points.txt").write_text("[socrates]\nx = patient\n")
    client = client_class(folder, plugins=folder)
    client.introduced = client.initialize(capabilities=able)
    yield client
    client.close()


@pytest.fixture
def pulled(client):
    """Ask for the diagnostics of a file; the whole answer comes back."""

    def pull(uri, **more):
        params = {"textDocument": {"uri": uri}, **more}
        return client.answer(client.ask("textDocument/diagnostic", params))

    return pull


def test_capability_is_announced(client):
    assert client.introduced["capabilities"]["diagnosticProvider"]["interFileDependencies"]


def test_report_is_full(client, write, pulled):
    uri = client.open(write({"test_a.py": PAIR}) / "test_a.py")
    report = pulled(uri)["result"]
    assert (report["kind"], [item["code"] for item in report["items"]]) == ("full", ["SOC101"])


def test_same_report_again_is_unchanged(client, write, pulled):
    uri = client.open(write({"test_a.py": PAIR}) / "test_a.py")
    first = pulled(uri)["result"]["resultId"]
    assert pulled(uri, previousResultId=first)["result"]["kind"] == "unchanged"


def test_changed_text_is_checked(client, write, pulled):
    uri = client.open(write({"test_a.py": PAIR}) / "test_a.py")
    first = pulled(uri)["result"]["resultId"]
    client.change(uri, CLEAN, 2)
    assert pulled(uri, previousResultId=first)["result"]["items"] == []


def test_nothing_is_pushed_as_well(client, write, pulled):
    uri = client.open(write({"test_a.py": PAIR}) / "test_a.py")
    pulled(uri)
    methods = [message.get("method") for message in client.messages]
    assert "textDocument/publishDiagnostics" not in methods


def test_file_that_is_not_open_has_none(write, pulled):
    folder = write({"test_a.py": PAIR})
    assert pulled((folder / "test_a.py").as_uri())["result"]["items"] == []


def test_conftest_edit_asks_the_client_to_pull_again(client, write, pulled):
    folder = write({"conftest.py": CONFTEST, "test_a.py": USES_RATE})
    conftest, test = client.open(folder / "conftest.py"), client.open(folder / "test_a.py")
    pulled(test)
    client.change(conftest, WITH_EFFECT, 2)
    client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    assert pulled(test)["result"]["items"] == []


@pytest.fixture
def held(client, write):
    """A file whose check waits for a pipe beside it; the pipe is to be opened."""
    folder = write({"test_a.py": PAIR})
    os.mkfifo(folder / "pipe")
    return client.open(folder / "test_a.py"), folder / "pipe"


def test_request_that_the_text_overtakes_is_cancelled(client, held):
    uri, pipe = held
    number = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    with pipe.open("w"):  # opened once the check reads it, and it reads until this is closed
        client.change(uri, CLEAN, 2)
        place = {"line": 0, "character": 0}
        client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
    error = client.answer(number)["error"]
    assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": True})


def test_request_that_the_client_cancels_is_answered_as_cancelled(client, held):
    uri, pipe = held
    number = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    with pipe.open("w"):
        client.notify("$/cancelRequest", {"id": number})
        error = client.answer(number)["error"]
    assert error["code"] == -32800
