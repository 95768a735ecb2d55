"""A standard output that cannot be written is one line and exit code 2.

``replay`` hands the terminal to pytest, which complains in its own words.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOLD = "socrates: error: standard output: cannot be written: No space left on device\n"
TEST = "tests/test_dock.py::test_total_is_kept"
SHORT = ("--faults", "duplicate", "--max-defects", "1")


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory,
    example: Callable[[str, Path], Path],
    socrates: Callable[..., object],
) -> Path:
    """The example after a run that found a defect and wrote its report."""
    folder = example("accumulator", tmp_path_factory.mktemp("full"))
    report = ("--output-format", "json", "--output-file", "report.json")
    socrates(folder, "amplify", TEST, *SHORT, *report)
    return folder


@pytest.fixture
def complaint(project: Path) -> Callable[..., tuple[int, str]]:
    """Runs a command whose output goes to a full disk: its exit code and what it says."""

    def run(*args: str, unbuffered: str) -> tuple[int, str]:
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "socrates", *args],
                cwd=project,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=60,
                check=False,
            )
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize(
    ("args", "unbuffered"),
    [
        (("amplify", TEST, *SHORT), ""),
        (("trace", TEST), ""),
        (("trace", TEST), "1"),
        (("trace", TEST, "--output-format", "json"), ""),
        (("merge", "report.json"), ""),
    ],
    ids=["amplify", "trace", "trace, unbuffered", "trace as json", "merge"],
)
def test_full_disk_is_one_line(complaint, args: tuple[str, ...], unbuffered: str) -> None:
    assert complaint(*args, unbuffered=unbuffered) == (2, TOLD)
