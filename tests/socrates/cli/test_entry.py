"""The process of a command ends at once, but not before all is done that others asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = """
import atexit, threading, time
from pathlib import Path

atexit.register(lambda: Path("atexit.txt").touch())
threading.Thread(target=lambda: (time.sleep(0.2), Path("thread.txt").touch())).start()
"""


def ran(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """``socrates --version`` in a folder with a module that is loaded when Python starts."""
    (folder / "sitecustomize.py").write_text(ASKED)
    given = os.environ.get("PYTHONPATH", "")
    return subprocess.run(
        [sys.executable, *options, "-m", "socrates", "--version"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(folder), given)))},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


@pytest.mark.parametrize("name", ["atexit.txt", "thread.txt"])
def test_what_is_left_to_do_is_done_before_the_end(tmp_path: Path, name: str) -> None:
    ran(tmp_path)
    assert (tmp_path / name).exists()


def test_profiler_around_a_command_has_the_last_word(tmp_path: Path) -> None:
    assert "function calls" in ran(tmp_path, "-m", "cProfile").stdout
