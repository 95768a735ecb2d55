"""The command as a process: pipes, interrupts, encodings, and what it says about itself."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import socrates

SMELLY = "def test_{0}():  # socrates: ignore\n    assert sum([1]) == 1\n"
COMMAND = [sys.executable, "-m", "socrates"]


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


def run(*args: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *args], cwd=cwd, env={**os.environ, **environment}, capture_output=True
    )


def test_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout == f"socrates {socrates.__version__}\n".encode()


@pytest.mark.parametrize("output_format", ["full", "concise", "json"])
def test_reader_that_goes_away_ends_it_quietly(project: Path, output_format: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", "--output-format", output_format],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (1, b"")


def test_full_disk_is_one_line(project: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, "check"], cwd=project, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (ran.returncode, ran.stderr) == (
        2,
        "socrates: error: standard output: cannot be written: No space left on device\n",
    )


@pytest.mark.parametrize(
    ("args", "code"), [("check", 1), ("check nope", 2), ("rule SOC101", 0), ("--help", 0)]
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_change_no_exit_code(
    small_project: Path, args: str, code: int, closed: str
) -> None:
    command = f"'{sys.executable}' -m socrates {args} {closed}"
    ran = subprocess.run(command, shell=True, cwd=small_project, capture_output=True, text=True)
    assert (ran.returncode, "Traceback" in ran.stderr) == (code, False)


def test_interrupt_is_one_line(project: Path) -> None:
    baseline = project / "baseline.json"
    os.mkfifo(baseline)
    with subprocess.Popen(
        [*COMMAND, "check", "--baseline", str(baseline)], cwd=project, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        with baseline.open("w"):  # waits until the command has begun to read
            process.send_signal(signal.SIGINT)
            complaint = process.stderr.read()
    assert (process.returncode, complaint) == (2, b"socrates: interrupted\n")


def test_terminal_that_knows_ascii_only_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_é():  # socrates: ignore\n    assert 1\n")
    ran = run("check", cwd=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ran.returncode, b"def test_\\xe9" in ran.stdout, ran.stderr) == (1, True, b"")


def test_current_folder_that_is_gone_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    ran = subprocess.run(
        f"rmdir '{gone}'; '{sys.executable}' -m socrates check",
        shell=True,
        cwd=gone,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (
        2,
        "socrates: error: the current folder is gone; change to one that exists\n",
    )


def test_internal_error_is_one_line(project: Path) -> None:
    code = (
        "import sys, socrates.session as s; from socrates.cli import main\n"
        "s.load_settings = lambda *a: 1 / 0\n"
        "sys.exit(main(['check']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True)
    assert ran.stderr.startswith("socrates: internal error: ZeroDivisionError: division by zero at")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


def test_progress_bar_appears_on_a_terminal_after_a_while(tmp_path: Path) -> None:
    code = (
        "import time; from socrates.cli.terminal import ProgressBar\n"
        "with ProgressBar(True, patience=0.05) as bar:\n"
        "    bar(1, 3, 'tests/test_a.py'); time.sleep(0.1); bar(2, 3, 'tests/test_b.py')\n"
        "    bar._bar.refresh()\n"
    )
    screen = on_terminal(code, tmp_path)
    assert "2/3 test_b.py" in screen
    assert "1/3" not in screen


def test_progress_bar_stays_away_from_quick_runs(tmp_path: Path) -> None:
    code = (
        "from socrates.cli.terminal import ProgressBar\n"
        "with ProgressBar(True) as bar:\n"
        "    bar(1, 3, 'tests/test_a.py')\n"
    )
    assert on_terminal(code, tmp_path) == ""


def on_terminal(code: str, cwd: Path) -> str:
    """What a program writes to stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1"}
    subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, stderr=theirs, env=environment, check=True
    )
    os.close(theirs)
    screen = b""
    try:
        while chunk := os.read(ours, 4096):
            screen += chunk
    except OSError:
        pass  # Linux says so when the other end is closed
    os.close(ours)
    return screen.decode()
