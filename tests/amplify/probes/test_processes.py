"""The processes of a run: what they tell the test, and what the test tells the user."""
# socrates: ignore-file[SOC105] lines of this very file are what a message has to name

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.model.notices import Notice
from socrates_amplify.probes.processes.group import ProcessGroup
from socrates_amplify.probes.processes.wire import DIRECTORY, SocketWire
from socrates_amplify.record.recorder import Recorder


class Post:
    """An endpoint that can answer one thing."""

    name = "post"
    modules = ("letters", "parcels")

    def answer(self, request):
        return {"hello": "good morning"}[request["do"]]

    def token_of(self, sent):
        return ""

    def sent_of(self, token):
        return None

    def forked(self, wire):
        """Forks are none of its business."""


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def group(recorder: Recorder) -> Iterator[ProcessGroup]:
    made, post = ProcessGroup.of(recorder), Post()
    made.join(post)
    yield made
    made.leave(post)


@pytest.fixture
def wire(group: ProcessGroup) -> Iterator[SocketWire]:
    """What a started process has; there it is open until the process ends."""
    path, token, _ = group.variables().values()
    made = SocketWire(path, token)
    yield made
    if made._connection is not None:
        made._connection.close()


def test_process_is_told_which_probes_have_an_endpoint(wire: SocketWire) -> None:
    assert wire.ask(DIRECTORY, "hello") == ["post"]


def test_process_is_told_whose_import_makes_it_connect(group: ProcessGroup) -> None:
    assert list(group.variables().values())[2] == "letters,parcels"


def test_endpoint_answers(wire: SocketWire) -> None:
    assert wire.ask("post", "hello") == "good morning"


@pytest.mark.parametrize("notice", [Notice("late"), Notice("KeyError: 'x'", "acme", "acme.py:3")])
def test_notice_of_a_process_is_one_of_the_run(wire, recorder, notice: Notice) -> None:
    wire.notice(notice)
    assert list(recorder.notices) == [notice]


def test_endpoint_that_cannot_answer_is_told_of(wire, recorder) -> None:
    assert wire.ask("post", "deliver") is None
    [notice] = recorder.notices
    line = (
        Path(__file__)
        .read_text()
        .splitlines()
        .index('        return {"hello": "good morning"}[request["do"]]')
    )
    assert notice.message == (
        f"post could not answer a process of the test: KeyError: 'deliver' ({__file__}:{line + 1}); "
        "the process is neither recorded nor faulted from there on"
    )


def test_process_that_imports_no_such_module_loads_nothing_of_ours(group: ProcessGroup) -> None:
    code = "import sys, json; print([name for name in sys.modules if 'socrates_amplify' in name])"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == "[]\n"
