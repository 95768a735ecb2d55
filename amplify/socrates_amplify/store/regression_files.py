"""The regression tests that ``--write-tests DIR`` writes: one test file, and a folder of scenarios.

The file never changes; each defect is one more scenario, and those of repaired defects stay to
guard them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import reading, writing
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile

NAME = "test_resilience.py"
FOLDER = "scenarios"
SOURCE = '''\
"""Replays what `socrates amplify` found: each test is red while its defect lives."""

from pathlib import Path

import pytest
from socrates_amplify.regression import assert_survives

SCENARIOS = sorted(Path(__file__).parent.glob("scenarios/*.json"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_survives(scenario: Path) -> None:
    assert_survives(scenario)
'''


def write(folder: Path, scenarios: Iterable[Path], root: Path | None = None) -> Path | None:
    """Add these scenario files to the regression tests in ``folder``; the test file, or None.

    ``root`` is the project that the folder has to lie in once links are followed, None for a
    folder that the user has named outside of it. Files never leave the folder.
    """
    files = [(path, scenario_files.read(path)) for path in scenarios]
    if not files:
        return None
    target = folder / NAME
    beside = folder / FOLDER
    try:
        writing.inside(beside, root)
        beside.mkdir(parents=True, exist_ok=True)
        writing.inside(beside, folder)
        if os.path.lexists(target) and not is_kept(target):
            raise SocratesError(
                f"--write-tests: {target} is not ours to change; move it or give another folder"
            )
        writing.write(target, SOURCE.encode(), folder)
        for path, file in files:
            start = os.path.relpath(file.root(path), beside.resolve())
            text = scenario_files.to_text(replace(file, rootdir=Path(start).as_posix()))
            writing.write(beside / f"{_slug(file)}-{file.name}", text.encode(), beside)
    except writing.Failed as error:
        raise SocratesError(f"--write-tests: cannot write {folder}: {error.reason}") from None
    except writing.NotWritten as error:
        raise SocratesError(f"--write-tests: cannot write {folder}: {error}") from None
    except OSError as error:
        raise SocratesError(f"--write-tests: cannot write {folder}: {error.strerror}") from None
    return target


def is_kept(file: Path) -> bool:
    """Whether this is the test file that ``write`` writes; to amplify it would say nothing."""
    try:
        return file.name == NAME and reading.read_text(file, reading.LARGEST_SOURCE) == SOURCE
    except (reading.Unreadable, ValueError):
        return False


def _slug(file: ScenarioFile) -> str:
    """The test's name as a file name can hold it."""
    name = file.nodeid.rpartition("::")[2].partition("[")[0]
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)[:60]
