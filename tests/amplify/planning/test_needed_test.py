"""Which earlier test does a test need that fails alone?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from socrates_amplify.executors.base import Heard
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.planning.needed_test import needed_test

TESTS = [f"test_a.py::test_{number}" for number in range(8)]
LAST = "test_a.py::test_last"


@dataclass
class Company:
    """A test that passes only after others."""

    needs: Sequence[str]
    runs: int = 0

    def run_together(self, nodeids: Sequence[str], heard: Heard, ticket: Ticket) -> bool:
        self.runs += 1
        passes = set(self.needs) <= set(nodeids)
        for nodeid in nodeids:
            good = passes or nodeid != LAST
            heard(nodeid, Outcome(Scenario(), Verdict.PASS if good else Verdict.FAIL))
        return True


def seen(seconds: float) -> dict[str, Outcome]:
    return {name: Outcome(Scenario(), Verdict.PASS, duration=seconds) for name in TESTS}


@pytest.mark.parametrize("needed", TESTS)
def test_the_one_test_is_found_in_a_few_runs(needed):
    company = Company([needed])
    found = needed_test(company, LAST, TESTS, seen(0.01))
    assert (found, company.runs <= 7) == (needed, True)


def test_several_that_are_needed_are_not_named():
    assert needed_test(Company([TESTS[0], TESTS[7]]), LAST, TESTS, seen(0.01)) == ""


def test_nothing_is_run_where_that_takes_long():
    company = Company([TESTS[0]])
    assert (needed_test(company, LAST, TESTS, seen(60.0)), company.runs) == ("", 0)


def test_slow_tests_of_other_files_are_left_out():
    slow = {"test_0.py::test_slow": Outcome(Scenario(), Verdict.PASS, duration=60.0)}
    company = Company([TESTS[2]])
    assert needed_test(company, LAST, [*slow, *TESTS], {**slow, **seen(0.01)}) == TESTS[2]
