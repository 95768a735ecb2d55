"""Whatever ends a run, what was finished is kept and not done again."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
TOTAL = "tests/test_dock.py::test_total_is_kept"


def amplify(project: Path, *flags: str) -> list[str]:
    return [sys.executable, "-m", "socrates", "amplify", TOTAL, "--output-format", "json", *flags]


def finished(project: Path) -> int:
    """How many executions the store of a running process holds."""
    store = project / ".socrates" / "store.sqlite"
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            (count,) = connection.execute("SELECT count(*) FROM outcomes").fetchone()
    except sqlite3.OperationalError:
        return 0  # not yet made
    connection.close()
    return int(count)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example, slowed down so that it can be caught in the middle."""
    ignored = shutil.ignore_patterns(".socrates*", "__pycache__")
    folder = Path(shutil.copytree(EXAMPLES / "accumulator", tmp_path / "project", ignore=ignored))
    test = folder / "tests" / "test_dock.py"
    slow = "    __import__('time').sleep(0.3)\n    assert stock.ask"
    test.write_text(test.read_text().replace("    assert stock.ask", slow))
    return folder


def test_a_killed_run_is_resumed_where_it_was(project: Path) -> None:
    process = subprocess.Popen(amplify(project), cwd=project, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while finished(project) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    kept = finished(project)
    resumed = subprocess.run(
        amplify(project, "--resume"), cwd=project, capture_output=True, text=True, check=False
    )
    (test,) = json.loads(resumed.stdout)["tests"]

    assert kept >= 3
    assert finished(project) == test["executions"]
