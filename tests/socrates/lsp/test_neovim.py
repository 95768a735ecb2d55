"""The server in a real editor: Neovim without a screen."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).parents[3] / "docs" / "editors.md"
PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"


@pytest.fixture
def seen(write):
    """What Neovim shows for a test file, before and after its finding is silenced."""
    if shutil.which("nvim") is None:
        pytest.skip("Neovim is not installed")

    def edit(text):
        [recipe] = re.findall(r"```lua\n([^`]*start_client.*?)```", GUIDE.read_text(), re.DOTALL)
        folder = write({"test_a.py": text, "test_b.py": text, "recipe.lua": recipe})
        places = {
            "TEST_FILE": str(folder / "test_a.py"),
            "TEST_ROOT": str(folder),
            "TEST_RESULT": str(folder / "result.json"),
            "TEST_OTHER": str(folder / "test_b.py"),
            "TEST_RECIPE": str(folder / "recipe.lua"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        script = Path(__file__).with_name("neovim.lua")
        command = ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {script}"]
        subprocess.run(
            command, cwd=folder, env=os.environ | places, capture_output=True, timeout=150
        )
        return json.loads((folder / "result.json").read_text())

    return edit


def test_recipe_of_the_guide_starts_one_server_for_two_buffers(seen):
    result = seen(PAIR)
    assert (result["servers"], [item["code"] for item in result["other"]]) == (1, ["SOC101"])


def test_finding_is_shown_and_silenced(seen):
    result = seen(PAIR)
    assert result["before"] == [{"code": "SOC101", "severity": 3, "line": 0}]
    assert result["after"] == []
    assert result["line"] == "def test_pair():  # socrates: ignore[SOC101]"
