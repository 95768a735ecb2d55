"""The channel between a test and its processes: who is served, who is not, and which are ours."""

from __future__ import annotations

import multiprocessing.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import channel, lines
from socrates_amplify.probes.processes.channel import Channel
from socrates_amplify.probes.processes.starting import (
    BOOTSTRAP,
    is_python,
    patch_processes,
    with_hooks,
)
from socrates_amplify.probes.processes.wire import SocketWire


def test_lines_are_taken_as_they_get_complete() -> None:
    buffer = lines.Buffer()
    fed = [buffer.feed(data) for data in (b'{"a"', b": 1}\n[2", b"]\n\n3\n4")]
    assert fed == [[], [{"a": 1}], [[2], 3]]


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        lines.Buffer().feed(b"nonsense\n")


def test_a_peer_that_is_gone_is_told() -> None:
    here, there = socket.socketpair()
    there.close()
    with here, pytest.raises(EOFError):
        lines.receive(here, lines.Buffer())


def test_a_value_in_two_parts_is_waited_for() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b'{"a"')
        there.sendall(b": 1}\n")
        assert lines.receive(here, lines.Buffer()) == {"a": 1}


@pytest.mark.parametrize(("length", "expected"), [(80, True), (81, False)])
def test_the_path_of_a_socket_has_a_longest_length(length: int, expected: bool) -> None:
    assert channel.possible("/" + "a" * (length - 1)) is expected


@pytest.fixture
def served() -> Iterator[Channel]:
    """A channel that answers with what it is asked to say."""
    made = Channel(lambda request: request["say"])
    made.start()
    made.start()
    yield made
    made.close()


def spoken(path: str, *values: object) -> list[object]:
    """What a peer hears that says these things, until the channel hangs up or all are answered."""
    heard: list[object] = []
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(30)
        peer.connect(path)
        buffer = lines.Buffer()
        for value in values:
            try:
                lines.send(peer, value)
                heard.append(lines.receive(peer, buffer))
            except (EOFError, OSError):
                return [*heard, "gone"]
    return heard


@pytest.mark.parametrize(
    ("first", "heard"),
    [
        pytest.param({"auth": "TOKEN", "say": 1}, [1, 2], id="the token"),
        pytest.param({"auth": "other", "say": 1}, ["gone"], id="another token"),
        pytest.param({"auth": 7, "say": 1}, ["gone"], id="no text"),
        pytest.param({"say": 1}, ["gone"], id="no token"),
        pytest.param([1], ["gone"], id="no request"),
        pytest.param({"auth": "TOKEN"}, ["gone"], id="nothing to answer"),
    ],
)
def test_only_who_knows_the_token_is_served(first, heard: list[object], served: Channel) -> None:
    if isinstance(first, dict) and first.get("auth") == "TOKEN":
        first = {**first, "auth": served.token}
    assert spoken(served.path, first, {"say": 2}) == heard


def test_one_peer_that_speaks_nonsense_does_not_end_the_others(served: Channel) -> None:
    spoken(served.path, ["nonsense"])
    assert spoken(served.path, {"auth": served.token, "say": 3}) == [3]


def test_peers_wait_while_the_channel_pauses(served: Channel) -> None:
    served.pause()
    served.pause()
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(served.path)
        lines.send(peer, {"auth": served.token, "say": 4})
        peer.settimeout(0.2)
        with pytest.raises(TimeoutError):
            peer.recv(1)
        served.start()
        peer.settimeout(30)
        assert lines.receive(peer, lines.Buffer()) == 4


def test_nothing_is_left_of_a_closed_channel(tmp_path: Path) -> None:
    made = Channel(lambda request: None, str(tmp_path))
    there = [path.name[:9] for path in tmp_path.iterdir()]
    made.close()
    assert (there, list(tmp_path.iterdir())) == (["socrates-"], [])


def test_without_the_test_every_question_is_answered_with_nothing(tmp_path: Path) -> None:
    wire = SocketWire(str(tmp_path / "gone"), "token")
    assert [wire.ask("a", "b"), wire.ask("a", "b")] == [None, None]


def test_a_question_has_all_its_details(served: Channel) -> None:
    served._answer = lambda request: sorted(request)  # type: ignore[assignment]
    wire = SocketWire(served.path, served.token)
    told = wire.ask("post", "hello", more=1)
    assert wire._connection is not None
    wire._connection.close()
    assert told == ["auth", "do", "endpoint", "more"]


@pytest.mark.parametrize(
    ("env", "path"),
    [
        pytest.param({}, BOOTSTRAP, id="none"),
        pytest.param({"PYTHONPATH": "a"}, f"{BOOTSTRAP}{os.pathsep}a", id="before others"),
        pytest.param({"PYTHONPATH": BOOTSTRAP}, BOOTSTRAP, id="once"),
        pytest.param(
            {"PYTHONPATH": f"a{os.pathsep}{BOOTSTRAP}{os.pathsep}"},
            f"{BOOTSTRAP}{os.pathsep}a",
            id="empty ones are left out",
        ),
    ],
)
def test_our_hooks_come_first(env: dict[str, str], path: str) -> None:
    given = {**env, "A": "1"}
    assert with_hooks(given, {"X": "2"}) == {"A": "1", "X": "2", "PYTHONPATH": path}


@pytest.mark.parametrize(
    ("env", "variables"), [({"A": "1"}, {}), ({b"A": b"1"}, {"X": "2"})], ids=["none", "bytes"]
)
def test_an_environment_that_is_left_alone(env, variables) -> None:
    assert with_hooks(env, variables) == env


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``tool`` is a script for Python, ``other`` one for the shell."""
    for name, line in (("tool", "#!/usr/bin/env python3"), ("other", "#!/bin/sh")):
        (tmp_path / name).write_text(f"{line}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)


@pytest.mark.usefixtures("script")
@pytest.mark.parametrize(
    ("args", "options", "expected"),
    [
        pytest.param([sys.executable, "-c", ""], {}, True, id="this Python"),
        pytest.param(["python3.99"], {}, True, id="by its name"),
        pytest.param(["/opt/PyPy3"], {}, True, id="PyPy"),
        pytest.param([b"python"], {}, True, id="bytes"),
        pytest.param([Path("python")], {}, True, id="a path"),
        pytest.param("python -c 1", {}, True, id="text"),
        pytest.param("python -c 1", {"shell": True}, True, id="through a shell"),
        pytest.param("ls python", {"shell": True}, False, id="another program"),
        pytest.param(["ls", "python"], {"shell": True}, False, id="only the first word"),
        pytest.param(["tool"], {}, True, id="a script for Python"),
        pytest.param(["other"], {}, False, id="another script"),
        pytest.param(["no-such-program"], {}, False, id="not there"),
        pytest.param(["ls"], {"executable": "python"}, True, id="another executable"),
        pytest.param(["python"], {"executable": "ls"}, False, id="an executable that is none"),
        pytest.param("python", {"executable": "ls", "shell": True}, True, id="the shell's own"),
        pytest.param([1], {}, False, id="no words"),
        pytest.param("'", {}, False, id="an open quote"),
    ],
)
def test_command_that_starts_python(args, options, expected: bool) -> None:
    assert is_python(args, **options) is expected


def test_started_pythons_get_the_variables_and_others_do_not() -> None:
    patches = Patches()
    patch_processes(patches, lambda: {"X_OF_TEST": "1"})
    code = "import os; print(os.environ.get('X_OF_TEST'))"
    try:
        told = [
            subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
            for command in ([sys.executable, "-c", code], ["sh", "-c", "echo $X_OF_TEST"])
        ]
    finally:
        patches.undo()
    assert told == ["1\n", "\n"]


def test_environment_is_changed_only_while_a_process_is_spawned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str | None] = []
    monkeypatch.setenv("X_KEPT", "before")
    monkeypatch.setattr(
        multiprocessing.util,
        "spawnv_passfds",
        lambda path, args, passfds: seen.append(os.environ.get("X_OF_TEST")) or 7,
    )
    patches = Patches()
    patch_processes(patches, lambda: {"X_OF_TEST": "1", "X_KEPT": "meanwhile"})
    try:
        pid = multiprocessing.util.spawnv_passfds(b"python", [], [])  # type: ignore[attr-defined]
    finally:
        patches.undo()
    after = (os.environ.get("X_OF_TEST"), os.environ["X_KEPT"])
    assert (pid, seen, after) == (7, ["1"], (None, "before"))
