"""``pytest --amplify``, and the silence without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_without_the_option_nothing_is_imported_or_patched(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(PROBE)
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_option_is_in_the_help(tmp_path: Path) -> None:
    assert "--amplify" in pytest_in(tmp_path, "--help").stdout
