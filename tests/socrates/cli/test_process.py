"""The command as a process: pipes, interrupts, encodings, and what it says about itself."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest

import socrates

SMELLY = "def test_{0}():  # socrates: ignore[\n    assert sum([1]) == 1\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with more findings than a pipe holds."""
    (tmp_path / "socrates.toml").touch()
    (tmp_path / "test_a.py").write_text("".join(SMELLY.format(n) for n in range(900)))
    return tmp_path


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """A project with one finding."""
    (tmp_path / "socrates.toml").touch()
    (tmp_path / "test_a.py").write_text(SMELLY.format(1))
    return tmp_path


@pytest.fixture
def test_file(small_project: Path) -> Iterator[TextIO]:
    """The tests of the small project, as standard input."""
    with (small_project / "test_a.py").open() as stream:
        yield stream


def test_version(process) -> None:
    assert process("--version").out == f"socrates {socrates.__version__}\n"


@pytest.mark.parametrize("output_format", ["full", "concise", "json"])
@pytest.mark.usefixtures("project")
def test_reader_that_goes_away_ends_it_quietly(start, output_format: str) -> None:
    with start("check", "--output-format", output_format) as running:
        running.stdout.read(10)
        running.stdout.close()
        complaint = running.stderr.read()
    assert (running.returncode, complaint) == (1, "")


BUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])


@BUFFERED
@pytest.mark.parametrize(
    "args",
    [
        "--version",
        "--help",
        "check --help",
        "check",
        "check --fix -",
        "check --show-files",
        "baseline",
        "rule SOC101",
        "config",
        "init",
    ],
)
def test_full_disk_is_one_line(process, full_disk, test_file, args: str, unbuffered: str) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    ran = process(*args.split(), stdout=full_disk, stdin=test_file, environment=environment)
    assert (ran.code, ran.err) == (
        2,
        "socrates: error: standard output: cannot be written: No space left on device\n",
    )


@BUFFERED
@pytest.mark.parametrize(
    ("args", "code"), [("--help", 0), ("check --fix -q -", 1), ("check -q -", 1)]
)
def test_pipe_without_a_reader_changes_no_exit_code(
    process, unread_pipe, test_file, args: str, code: int, unbuffered: str
) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    ran = process(*args.split(), stdout=unread_pipe, stdin=test_file, environment=environment)
    assert (ran.code, ran.err) == (code, "")


@BUFFERED
@pytest.mark.parametrize(("args", "code"), [("check", 1), ("check nope", 2), ("chekc", 2)])
@pytest.mark.usefixtures("small_project")
def test_full_disk_under_stderr_changes_no_exit_code(
    process, full_disk, args: str, code: int, unbuffered: str
) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    assert process(*args.split(), stderr=full_disk, environment=environment).code == code


@pytest.mark.parametrize(
    ("args", "code"), [("check", 1), ("check nope", 2), ("rule SOC101", 0), ("--help", 0)]
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.usefixtures("small_project")
def test_closed_streams_change_no_exit_code(shell, args: str, code: int, closed: str) -> None:
    ran = shell(f"socrates {args} {closed}")
    assert (ran.code, "Traceback" in ran.err) == (code, False)


@pytest.mark.parametrize("ignored", [False, True], ids=["", "ignored at the start"])
def test_interrupt_is_one_line(start, ignored: bool) -> None:
    command = start("check", "-", interrupts_ignored=ignored, stdin=subprocess.PIPE)
    with command as running:
        # More than a pipe holds: it is written once the command has begun to read.
        running.stdin.write("#" * 200_000)
        running.stdin.flush()
        while not _waits(running):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        complaint = running.stderr.read()
    assert (running.returncode, complaint) == (2, "socrates: interrupted\n")


def _waits(running: subprocess.Popen[str]) -> bool:
    """Whether a process has read all that is in its standard input, and waits for more."""
    unread = fcntl.ioctl(running.stdin, termios.FIONREAD, bytes(4))
    state = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[0]
    return unread == bytes(4) and state == "S"


def test_terminal_that_knows_ascii_only_gets_escapes(process, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_é():  # socrates: ignore\n    assert 1\n")
    ran = process("check", environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (ran.code, "def test_\\xe9" in ran.out, ran.err) == (1, True, "")


def test_current_folder_that_is_gone_is_one_line(shell) -> None:
    ran = shell("mkdir gone; cd gone; rmdir ../gone; socrates check")
    assert (ran.code, ran.err) == (
        2,
        "socrates: error: the current folder is gone; change to one that exists\n",
    )


def test_internal_error_is_one_line(python) -> None:
    ran = python(
        "import sys, socrates.session as s; from socrates.cli import main\n"
        "s.load_settings = lambda *a: 1 / 0\n"
        "sys.exit(main(['check']))"
    )
    start_of_line = "socrates: internal error: ZeroDivisionError: division by zero at"
    assert (ran.code, ran.err[: len(start_of_line)], ran.err.count("\n")) == (2, start_of_line, 1)


@pytest.fixture
def on_terminal(python) -> Callable[[str], str]:
    """Run code whose stderr is a terminal, and give back what it wrote there."""

    def run_code(code: str) -> str:
        ours, theirs = pty.openpty()
        terminal = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1"}
        python(code, capture_output=False, stderr=theirs, env=terminal)
        os.close(theirs)
        screen = b""
        try:
            while chunk := os.read(ours, 4096):
                screen += chunk
        except OSError:
            pass  # Linux says so when the other end is closed
        os.close(ours)
        return screen.decode()

    return run_code


def test_progress_bar_appears_on_a_terminal_after_a_while(on_terminal) -> None:
    screen = on_terminal(
        "import time; from socrates.cli.terminal import ProgressBar\n"
        "with ProgressBar(True, patience=0.05) as bar:\n"
        "    bar(1, 3, 'tests/test_a.py'); time.sleep(0.1); bar(2, 3, 'tests/test_b.py')\n"
        "    bar._bar.refresh()\n"
    )
    assert ("2/3 test_b.py" in screen, "1/3" in screen) == (True, False)


@pytest.mark.parametrize("name", ["test_[red]b.py", "test_b[bold].py", "test_{0}.py"])
def test_progress_bar_shows_file_names_as_they_are(name: str, on_terminal) -> None:
    screen = on_terminal(
        "from socrates.cli.terminal import ProgressBar\n"
        "with ProgressBar(True, patience=0) as bar:\n"
        f"    bar(2, 3, 'tests/{name}')\n"
        "    bar._bar.refresh()\n"
    )
    assert f"2/3 {name}" in screen


def test_progress_bar_stays_away_from_quick_runs(on_terminal) -> None:
    screen = on_terminal(
        "from socrates.cli.terminal import ProgressBar\n"
        "with ProgressBar(True) as bar:\n"
        "    bar(1, 3, 'tests/test_a.py')\n"
    )
    assert screen == ""
