"""Replays what `socrates amplify` found: each test is red while its defect lives."""

from pathlib import Path

import pytest
from socrates_amplify.regression import assert_survives

SCENARIOS = sorted(Path(__file__).parent.glob("scenarios/*.json"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_survives(scenario: Path) -> None:
    assert_survives(scenario)
