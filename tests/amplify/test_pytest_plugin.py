"""``pytest --amplify``, and the silence without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify import pytest_handover, pytest_plugin

SILENT = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:pytest-lsp")
"""Ours is found as an installed plugin is; others that take long to import stay out."""

PROBE = """
import sys

def test_nothing_is_imported_or_patched():
    import pykka
    loaded = sorted(name for name in sys.modules if name.startswith("socrates"))
    assert loaded == ["socrates_amplify", "socrates_amplify.pytest_plugin"]
    assert pykka.ActorRef.tell.__module__ == "pykka._ref"
"""


def pytest_in(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A real pytest run."""
    command = [sys.executable, "-m", "pytest", *SILENT, *args]
    environment = {**os.environ}
    environment.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_without_the_option_nothing_is_imported_or_patched(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(PROBE)
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_option_is_in_the_help(tmp_path: Path) -> None:
    assert "--amplify" in pytest_in(tmp_path, "--help").stdout


DEFECTIVE = """
import pykka

class Box(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.total = 0

    def on_receive(self, message):
        if isinstance(message, dict):
            self.total += 1
        return self.total

def test_total():
    box = Box.start()
    box.tell({"delivery_id": 1})
    total = box.ask("total")
    box.stop()
    assert total == 1
"""


def test_with_the_option_defects_are_found(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(DEFECTIVE)
    (tmp_path / "socrates.toml").touch()
    done = pytest_in(tmp_path, "--amplify", "test_it.py")
    assert "test_it.py::test_total" in done.stdout, done.stderr
    assert done.returncode == 1, done.stdout


@pytest.mark.parametrize(("asked", "expected"), [(False, None), (True, 7)])
def test_run_is_handed_over_only_when_asked(
    asked: bool, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []

    def run(command: list[str], cwd: Path, check: bool) -> SimpleNamespace:
        started.append((command[1:], cwd, check))
        return SimpleNamespace(returncode=7)

    monkeypatch.setattr(pytest_handover.subprocess, "run", run)
    given = SimpleNamespace(args=["--amplify", "tests", "-x"], dir=Path("/p"))
    config: Any = SimpleNamespace(option=SimpleNamespace(amplify=asked), invocation_params=given)
    command = ["-m", "socrates", "amplify", "--", "tests", "-x"]
    assert (pytest_plugin.pytest_cmdline_main(config), started) == (
        expected,
        [(command, Path("/p"), False)] if asked else [],
    )
