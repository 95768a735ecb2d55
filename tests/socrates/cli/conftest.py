"""A small project and the real command, run in this process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from socrates.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command said."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write files of a project and make it the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "socrates.toml").touch()

    def write_files(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write_files


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``socrates ARGS`` and catch what it says."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run_main(*args: str) -> Ran:
        capsys.readouterr()
        code = main(args)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run_main


class Started(subprocess.Popen[str]):
    """A process that is waited for two minutes at most, and then killed."""

    def wait(self, timeout: float | None = None) -> int:
        try:
            return super().wait(120 if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., Started]:
    """Start ``socrates ARGS`` as a process of its own, in the test's folder."""

    def popen(
        *args: str,
        environment: Mapping[str, str] | None = None,
        interrupts_ignored: bool = False,
        **streams,
    ) -> Started:
        command = [sys.executable, "-m", "socrates", *args]
        return Started(
            ["sh", "-c", 'trap "" INT; exec "$0" "$@"', *command]
            if interrupts_ignored
            else command,
            cwd=tmp_path,
            env={**os.environ, **(environment or {})},
            **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams),
            text=True,
            encoding="utf-8",
        )

    return popen


@pytest.fixture
def process(start) -> Callable[..., Ran]:
    """Run ``socrates ARGS`` as a process of its own to its end."""

    def communicate(*args: str, environment: Mapping[str, str] | None = None, **streams) -> Ran:
        with start(*args, environment=environment, **streams) as running:
            out, err = running.communicate(timeout=120)
        return Ran(running.returncode, out, err)

    return communicate


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Ran]:
    """Run some code in a fresh interpreter, in the test's folder."""

    def run_code(code: str, **streams) -> Ran:
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            **({"capture_output": True} | streams),
            text=True,
            timeout=120,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    return run_code


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], Ran]:
    """Run a line of sh in the test's folder; ``socrates`` in it is the command."""

    def run_line(line: str) -> Ran:
        prelude = f"socrates() {{ '{sys.executable}' -m socrates \"$@\"; }}\n"
        ran = subprocess.run(
            prelude + line, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    return run_line


@pytest.fixture
def full_disk():
    """A stream on which nothing can be written."""
    with Path("/dev/full").open("w") as stream:
        yield stream


@pytest.fixture
def unread_pipe():
    """A pipe whose reader has gone away."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)
