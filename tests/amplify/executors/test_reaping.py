"""Which processes are ended with a test, and which are left alone. No process is started here."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from socrates_amplify.executors import reaping
from socrates_amplify.originals import Clock, Process

Log = list[tuple[object, ...]]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    """What would have been done to processes."""
    done: Log = []

    def noted(name: str) -> Any:
        return staticmethod(lambda *args: done.append((name, *args)))

    for name in ("kill", "killpg", "waitpid"):
        monkeypatch.setattr(Process, name, noted(name))
    monkeypatch.setattr(Clock, "wait", noted("wait"))
    monkeypatch.setattr(Process, "getpid", staticmethod(lambda: 5))
    return done


def raising(error: type[Exception]) -> Any:
    def kill(*args: object) -> None:
        raise error

    return staticmethod(kill)


def test_group_is_killed_and_its_leader(log: Log) -> None:
    reaping.kill_group(7)
    assert log == [("killpg", 7, signal.SIGKILL), ("kill", 7, signal.SIGKILL)]


@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_process_that_leads_no_group_is_killed_alone(
    error: type[Exception], log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Process, "killpg", raising(error))
    reaping.kill_group(7)
    assert log == [("kill", 7, signal.SIGKILL)]


def test_orphans_are_killed_and_reaped_until_none_is_left(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([[7, 8, 9], [8, 10], [8]])
    monkeypatch.setattr(reaping, "_children", lambda: next(looks))
    reaping.kill_orphans(keep={8})
    ended = [(("kill", pid, signal.SIGKILL), ("waitpid", pid, 0)) for pid in (7, 9, 10)]
    assert log == [call for calls in ended for call in calls]


def test_orphan_that_is_gone_is_reaped_all_the_same(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([[7], []])
    monkeypatch.setattr(reaping, "_children", lambda: next(looks))
    monkeypatch.setattr(Process, "kill", raising(ProcessLookupError))
    reaping.kill_orphans(keep=())
    assert log == [("waitpid", 7, 0)]


def test_orphan_that_somebody_else_reaped_is_no_problem(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([[7], []])
    monkeypatch.setattr(reaping, "_children", lambda: next(looks))
    monkeypatch.setattr(Process, "waitpid", raising(ChildProcessError))
    reaping.kill_orphans(keep=())
    assert log == [("kill", 7, signal.SIGKILL)]


def test_orphans_that_can_not_be_killed_are_given_up(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reaping, "_children", lambda: [7])
    reaping.kill_orphans(keep=())
    assert log.count(("kill", 7, signal.SIGKILL)) == 100


def test_inheritors_are_killed_until_none_is_left_but_this_process(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([[5, 7], [5]])
    marks: list[bytes] = []

    def with_mark(mark: bytes) -> list[int]:
        marks.append(mark)
        return next(looks)

    monkeypatch.setattr(reaping, "_with_mark", with_mark)
    reaping.kill_inheritors("NAME", "7")
    assert (marks, log[:1], len(log)) == ([b"NAME=7"] * 2, [("kill", 7, signal.SIGKILL)], 2)


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the system's."""
    monkeypatch.setattr(reaping, "Path", lambda name: Path(f"{tmp_path}{name}"))
    return tmp_path / "proc"


def test_inheritor_has_the_whole_variable(proc: Path) -> None:
    for pid, content in {"11": b"A=1\0NAME=7\0", "12": b"NAME=70\0", "13": b"NAME=7"}.items():
        (proc / pid).mkdir(parents=True)
        (proc / pid / "environ").write_bytes(content)
    (proc / "self").mkdir()
    (proc / "self" / "environ").write_bytes(b"NAME=7")
    assert sorted(reaping._with_mark(b"NAME=7")) == [11, 13]


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(("text", "expected"), [("7 12 ", [7, 12]), ("", []), ("seven", [])])
def test_children_are_read_from_the_system(text: str, expected: list[int], proc: Path) -> None:
    task = proc / "self" / "task" / "5"
    task.mkdir(parents=True)
    (task / "children").write_text(text)
    assert reaping._children() == expected


@pytest.mark.usefixtures("log", "proc")
def test_system_that_does_not_tell_has_no_children() -> None:
    assert reaping._children() == []
