"""The process of tests is forked from that of the command, and looks like a new one to every test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from socrates_amplify.executors.fork import early

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")

CONFTEST = """
import atexit, gc, json, os, signal, sys, threading, warnings
from pathlib import Path

atexit.register(lambda: Path("atexit.txt").write_text("ran"))

def stream(one):
    return [one.encoding, one.errors, one.line_buffering, one.write_through]

def pytest_sessionstart(session):
    main = sys.modules["__main__"]
    signals = [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())]
    links = {int(name): Path("/dev/fd", name) for name in os.listdir("/dev/fd")}
    ours = ("socrates", "socrates_amplify", "socrates_rules")
    Path("seen.json").write_text(json.dumps({
        "command line": Path("/proc/self/cmdline").read_text().split("\\0"),
        "sys.argv": sys.argv,
        "sys.path": sys.path,
        "sys.flags": str(sys.flags),
        "main module": [main.__name__, main.__file__, str(main.__spec__.name)],
        "environment": sorted(item for item in os.environ.items() if item[0] != "PYTEST_VERSION"),
        "folder": os.getcwd(),
        "signals": signals,
        "threads": [thread.name for thread in threading.enumerate()],
        "warnings": [str(one) for one in warnings.filters],
        "thresholds": gc.get_threshold(),
        "collects": gc.isenabled(),
        "recursion": sys.getrecursionlimit(),
        "hooks": [str(sys.excepthook), str(sys.displayhook), str(sys.gettrace())],
        "standard input": os.readlink("/dev/fd/0"),
        "streams": [stream(one) for one in (sys.__stdout__, sys.__stderr__)],
        "inherited": sorted(n for n, p in links.items() if n > 2 and p.exists() and os.get_inheritable(n)),
        "leads session": os.getsid(0) == os.getpid(),
        "ours": sorted(name for name in sys.modules if name.partition(".")[0] in ours),
    }))
"""
TESTS = "def test_one():\n    assert True\n\ndef test_two():\n    assert True\n"
ALIKE = (
    *("sys.argv", "sys.path", "sys.flags", "main module", "environment", "folder", "signals"),
    *("threads", "warnings", "thresholds", "collects", "recursion", "hooks", "standard input"),
    *("streams", "leads session"),
)


def amplified(project: Path, *options: str) -> dict[str, Any]:
    """What the process of the tests sees when Python was started with these options."""
    project.mkdir(exist_ok=True)
    (project / "conftest.py").write_text(CONFTEST)
    (project / "test_it.py").write_text(TESTS)
    (project / "pytest.ini").write_text("[pytest]\n")
    given, other = os.pipe()
    try:
        ran = subprocess.run(
            [sys.executable, *options, "-m", "socrates", "amplify", "--isolated"],
            cwd=project,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "SOCRATES_STORE_KEY": "k"},
            pass_fds=[given],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    finally:
        os.close(given)
        os.close(other)
    seen = json.loads((project / "seen.json").read_text())
    assert isinstance(seen, dict)
    told = ran.stdout.rpartition(",")[0]  # what comes then is the time
    return {**seen, "ended": (project / "atexit.txt").read_text(), "said": told}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The same project with and without an early fork: options for Python rule it out."""
    project = tmp_path_factory.mktemp("early") / "project"
    return {"fork": amplified(project), "new": amplified(project, "-B")}


def test_process_of_tests_is_a_fork_of_the_command(seen: dict[str, dict[str, Any]]) -> None:
    starts = {how: "socrates" in one["command line"] for how, one in seen.items()}
    assert starts == {"fork": True, "new": False}


@pytest.mark.parametrize("what", [*ALIKE, "ended", "said"])
def test_fork_looks_like_a_new_interpreter(seen: dict[str, dict[str, Any]], what: str) -> None:
    assert seen["fork"][what] == seen["new"][what]


def test_fork_has_loaded_nothing_of_ours_that_only_commands_need(
    seen: dict[str, dict[str, Any]],
) -> None:
    rooms = {name.split(".")[1] for name in seen["fork"]["ours"] if name.count(".")}
    assert not rooms & {"cli", "commands", "engine", "planning", "report", "run", "store"}


def test_fork_has_nothing_open_that_the_command_was_given(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["fork"]["inherited"] == []


@pytest.mark.parametrize(
    ("options", "way"),
    [
        pytest.param({}, True, id="a command"),
        pytest.param({"orig_argv": ["python", "-m", "pytest"]}, False, id="another program"),
        pytest.param({"orig_argv": ["python", "-B", "-m", "socrates"]}, False, id="options"),
    ],
)
def test_path_of_a_new_interpreter_is_known_for_commands_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: dict[str, Any], way: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"orig_argv": ["python", "-m", "socrates", "amplify"], **options}.items():
        monkeypatch.setattr(sys, name, value)
    assert early.fresh_path() == ([str(tmp_path), *sys.path] if way else None)


def test_path_of_the_script_is_not_that_of_the_tests(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "bin" / "socrates"
    script.parent.mkdir()
    script.write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "orig_argv", ["python", str(script), "amplify"])
    monkeypatch.setattr(sys, "argv", [str(script), "amplify"])
    monkeypatch.setattr(sys, "path", [str(script.parent.resolve()), "/lib"])
    assert early.fresh_path() == [str(tmp_path), "/lib"]


def test_fork_that_nobody_takes_ends() -> None:
    child = subprocess.run(
        [sys.executable, "-c", UNTAKEN], capture_output=True, text=True, check=True, timeout=60
    )
    assert child.stdout.split() == ["waits", "ended"]


UNTAKEN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
sys.orig_argv[1:3] = ["-m", "socrates"]
from socrates_amplify.executors.fork import early
early.prepare()
pid = early._waiting[0].pid
print("waits" if os.waitpid(pid, os.WNOHANG) == (0, 0) else "ended")
early.dismiss()
try:
    os.kill(pid, 0)
except ProcessLookupError:
    print("ended")
"""


def test_where_the_folder_is_gone_nothing_is_forked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "socrates", "amplify"])
    assert early.fresh_path() is None
