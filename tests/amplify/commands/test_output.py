"""What a command says beside its results."""

from __future__ import annotations

import pytest

from socrates_amplify.commands.output import tell_if_unexamined
from socrates_amplify.model.results import RunResult, Status, TestResult


def several(count: int, status: Status) -> tuple[TestResult, ...]:
    return tuple(TestResult(f"t.py::t{n}", status, smells=("SOC101",)) for n in range(count))


@pytest.mark.parametrize(
    ("failing", "smelly", "expected"),
    [(3, 1, "run pytest first"), (1, 3, "--gate off"), (2, 0, "run pytest first")],
)
def test_the_way_out_is_that_of_most_tests(
    failing: int, smelly: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_if_unexamined(RunResult(several(failing, Status.FAILING) + several(smelly, Status.SMELLY)))
    assert expected in capsys.readouterr().err


def test_an_interrupted_run_gives_no_reason_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    tell_if_unexamined(RunResult(several(4, Status.SMELLY), interrupted=True))
    assert capsys.readouterr().err == ""
