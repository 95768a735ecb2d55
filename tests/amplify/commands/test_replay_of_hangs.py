"""A test that hangs again when it is replayed is ended from outside, whatever it does to signals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from socrates_amplify.commands import replay
from socrates_amplify.executors.alarm import ALARM
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.store.scenario_files import ScenarioFile, to_text

BEGIN = "import os, pathlib, signal, sys, time; pathlib.Path(sys.argv[1]).touch()\n"
DEAF = f"signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); {BEGIN}time.sleep(600)"
WAYS = {
    "it ends in time": (f"{BEGIN}", False),
    "it hears the signal": (f"{BEGIN}time.sleep(600)", True),
    "it is deaf": (f"import signal\n{DEAF}", True),
    "it ends before its test": ("pass", False),
}

Start = Callable[[str], "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start some code as a process that is ended in any case."""
    running: list[subprocess.Popen[bytes]] = []

    def popen(code: str) -> subprocess.Popen[bytes]:
        running.append(subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "started")]))
        return running[-1]

    yield popen
    for process in running:
        process.kill()
        process.wait(60)


@pytest.mark.parametrize("way", WAYS)
def test_a_process_is_ended_if_need_be(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    code, hangs = WAYS[way]
    limit = 0.2 if hangs else 60.0
    monkeypatch.setattr(replay, "_GRACE", 0.2 if "deaf" in way else 60.0)
    process = start(code)
    hung = replay._hangs(process, tmp_path / "started", limit)
    assert (hung, process.poll() is not None) == (hangs, True)


HANGING = f"""
import signal, time
import pykka


class Counter(pykka.ThreadingActor):
    def on_receive(self, message):
        return message


def test_waits():
    signal.signal({int(ALARM)}, signal.SIG_IGN)
    counter = Counter.start()
    try:
        counter.ask("one")
        time.sleep(600)
    finally:
        counter.stop()
"""


@pytest.mark.slow
def test_a_test_that_ignores_the_signal_breaks_again(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_hang.py").write_text(HANGING)
    fault = Fault("t1", "duplicate", "test", "Counter#1", "one")
    hang = Failure("Hang", "did not end within 1 s", "test_hang.py:11")
    file = ScenarioFile("test_hang.py::test_waits", Scenario.of([fault]), hang)
    (tmp_path / "one.json").write_text(to_text(file))
    code = (
        "import sys; from socrates.cli import main; from socrates_amplify.commands import replay\n"
        "replay._PATIENCE = replay._GRACE = 1.0\n"
        f"sys.exit(main(['replay', {str(tmp_path / 'one.json')!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    told = "test_hang.py::test_waits breaks again: Hang: did not end within 1 s"
    assert (done.returncode, told in done.stdout) == (1, True), json.dumps(done.stderr[-2000:])


LEAVING = """
import threading
import pykka


class Counter(pykka.ThreadingActor):
    seen = 0

    def on_receive(self, message):
        Counter.seen += 1


def test_counts():
    threading.Thread(target=threading.Event().wait, args=(600,)).start()
    counter = Counter.start()
    counter.ask("one")
    counter.stop()
    assert Counter.seen == 1
"""


@pytest.mark.slow
def test_threads_that_never_end_do_not_keep_a_replay(tmp_path: Path) -> None:
    settings = '[tool.socrates.amplify.pykka]\nat-least-once = ["builtins:str"]\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{settings}")
    (tmp_path / "test_left.py").write_text(LEAVING)
    _socrates(tmp_path, "amplify", "--faults", "duplicate")
    [scenario] = (tmp_path / ".socrates" / "scenarios").glob("*.json")
    done = _socrates(tmp_path, "replay", str(scenario))
    assert done.returncode == 1, done.stderr[-2000:]


def _socrates(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "socrates", *args]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
