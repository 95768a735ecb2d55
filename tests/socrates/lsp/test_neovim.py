"""The server in a real editor: Neovim without a screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_finding_is_shown_and_silenced(write, tmp_path):
    folder = write({"test_a.py": PAIR})
    places = {
        "TEST_FILE": str(folder / "test_a.py"),
        "TEST_ROOT": str(folder),
        "TEST_RESULT": str(folder / "result.json"),
        "PYTHON": sys.executable,
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    script = Path(__file__).with_name("neovim.lua")
    command = ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {script}"]
    ran = subprocess.run(
        command, cwd=tmp_path, env=os.environ | places, capture_output=True, text=True, timeout=150
    )
    assert (folder / "result.json").exists(), ran.stderr
    result = json.loads((folder / "result.json").read_text())
    assert result["before"] == [{"code": "SOC101", "severity": 3, "line": 0}]
    assert result["after"] == []
    assert result["line"] == "def test_pair():  # socrates: ignore[SOC101]"
