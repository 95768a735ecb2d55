"""Defects kept as tests: red while the defect lives, green once it is repaired.

The test file that ``store.regression_files`` writes into users' repositories imports this module.
"""

from __future__ import annotations

from pathlib import Path

from socrates_amplify.model.outcomes import Outcome, Verdict, in_order
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile
from socrates_amplify.store.scenario_roots import file_of, project_of


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
        told = "; ".join([outcome.reason, *map(str, outcome.notices)])
        pytest.skip(f"{file.nodeid} can not tell: {told}")


def run_scenario(path: Path, file: ScenarioFile) -> Outcome:
    """One execution of the scenario, in a process of its own, with the project's settings."""
    import socrates.session
    from socrates_amplify.executors.base import Suite
    from socrates_amplify.run.request import settings_of
    from socrates_amplify.run.suite_runner import run_once

    root = project_of(file, path, Path.cwd())
    settings = settings_of(socrates.session.prepare((str(root),)), {})
    suite = Suite(root, (str(root / file_of(file)),), probes=settings.tables, rounds=file.rounds)
    return run_once(suite, file.nodeid, file.executed)


def story(file: ScenarioFile, outcome: Outcome) -> str:
    """What was done to the test and how it failed, for people."""
    faults = [
        f"  {fault.what}  {fault.sender} -> {fault.receiver}  {fault.message}"
        for fault in in_order(file.scenario, outcome.trace)
    ]
    failure = outcome.failure
    end = f"{failure.type}: {failure.message}   {failure.location}" if failure else outcome.reason
    return "\n".join([f"{file.nodeid} does not survive", *faults, f"  {end}"])
