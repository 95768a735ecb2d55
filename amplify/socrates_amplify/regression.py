"""Defects kept as tests: red while the defect lives, green once it is repaired.

``--write-tests DIR`` writes one small test file, and beside it a folder of scenarios. The file
never changes; each defect is one more scenario, and those of repaired defects stay to guard them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.model.outcomes import Outcome, Verdict, in_order
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


def write(folder: Path, scenarios: Iterable[Path]) -> Path | None:
    """Add these scenario files to the regression tests in ``folder``; the test file, or None."""
    files = [(path, scenario_files.read(path)) for path in scenarios]
    if not files:
        return None
    target = folder / NAME
    beside = folder / FOLDER
    try:
        beside.mkdir(parents=True, exist_ok=True)
        if target.exists() and target.read_text(encoding="utf-8") != SOURCE:
            raise SocratesError(
                f"--write-tests: {target} is not ours to change; move it or give another folder"
            )
        target.write_text(SOURCE, encoding="utf-8")
        for path, file in files:
            root = os.path.relpath(file.root(path), beside.resolve())
            moved = replace(file, rootdir=Path(root).as_posix())
            text = scenario_files.to_text(moved)
            (beside / f"{_slug(file)}-{file.name}").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SocratesError(f"--write-tests: cannot write {folder}: {error.strerror}") from None
    return target


def is_kept(file: Path) -> bool:
    """Whether this is the test file that ``write`` writes; to amplify it would say nothing."""
    try:
        return file.name == NAME and file.read_text(encoding="utf-8") == SOURCE
    except (OSError, ValueError):
        return False


def assert_survives(path: Path) -> None:
    """Run the scenario's test under its faults, in a process of its own.

    Fails with the story of the defect when the test breaks. Skips when a fault finds no target
    any more: the code has moved on, and the scenario can no longer tell.
    """
    __tracebackhide__ = True
    import pytest

    file = scenario_files.read(path)
    outcome = run_scenario(path, file)
    if outcome.verdict is Verdict.FAIL:
        pytest.fail(story(file, outcome), pytrace=False)
    if outcome.verdict is Verdict.UNRESOLVED:
        pytest.skip(f"{file.nodeid} can not tell: {outcome.reason}")


def run_scenario(path: Path, file: ScenarioFile) -> Outcome:
    """One execution of the scenario, in a process of its own, with the project's settings."""
    import socrates.session
    from socrates_amplify.executors.base import Suite
    from socrates_amplify.run.session import settings_of
    from socrates_amplify.run.suite_runner import run_once

    root = file.root(path)
    settings = settings_of(socrates.session.prepare((str(root),)), {})
    name = file.nodeid.partition("::")[0]
    suite = Suite(root, (name,), probes=settings.probes, rounds=file.rounds)
    return run_once(suite, file.nodeid, file.scenario)


def story(file: ScenarioFile, outcome: Outcome) -> str:
    """What was done to the test and how it failed, for people."""
    faults = [
        f"  {fault.what}  {fault.sender} -> {fault.receiver}  {fault.message}"
        for fault in in_order(file.scenario, outcome.trace)
    ]
    failure = outcome.failure
    end = f"{failure.type}: {failure.message}   {failure.location}" if failure else outcome.reason
    return "\n".join([f"{file.nodeid} does not survive", *faults, f"  {end}"])


def _slug(file: ScenarioFile) -> str:
    """The test's name as a file name can hold it."""
    name = file.nodeid.rpartition("::")[2].partition("[")[0]
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)[:60]
