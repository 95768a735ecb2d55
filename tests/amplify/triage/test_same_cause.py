"""Defects with one root cause, at several sites: one group."""

from __future__ import annotations

import pytest

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import groups_of
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.triage.judge import finish

TIMER = "loop#1>loop sleep@create.py:timer+6"
SEQUENCE = "loop#2>loop sleep@create.py:sequence+10"
OTHER = "loop#3>loop sleep@create.py:other+1"


def found(held: str, awaited: str) -> FoundDefect:
    """A test that fails when one step comes after another."""
    name = held.rpartition(":")[2]
    judgement = Judgement(
        DefectClass.EFFECT, Severity.WARNING, "depends on the order", Site(f"loop|{name}", name)
    )
    fault = Fault(held, "order", held.partition(">")[0], "loop", "sleep", f"{held} after {awaited}")
    defect = Defect(Scenario.of([fault]), Failure("E", "", "t.py:1"))
    return FoundDefect(defect, "r.json", judgement=judgement)


def groups(*tests: tuple[FoundDefect, ...]) -> list[str]:
    made = tuple(
        TestResult(f"t.py::t{n}", Status.DEFECTIVE, defects=defects)
        for n, defects in enumerate(tests)
    )
    return [group.judgement.site.name for group in groups_of(finish(RunResult(made)))]


FIRST = found(f"{SEQUENCE} 1", f"{TIMER} 1")
BACK = found(f"{TIMER} 1~then", f"{SEQUENCE} 3")
INSIDE = found("loop#2>lock acquire@create.py:inner+1 1", f"{OTHER} 1")
ELSE = found(f"{TIMER} 2", f"{OTHER} 1")


def slip(line: int, site: str) -> FoundDefect:
    why = f"KeyError at shop.py:{line} in read"
    judgement = Judgement(DefectClass.UNPREPARED, Severity.WARNING, why, Site(site, site, "s.py:1"))
    scenario = Scenario.of([Fault(site, "status", "test", "shop", "GET /", "500")])
    return FoundDefect(
        Defect(scenario, Failure("KeyError", "", "t.py:1")), "r.json", judgement=judgement
    )


@pytest.mark.parametrize(
    ("second", "expected"), [(slip(20, "b"), ["a and 1 more call"]), (slip(21, "b"), ["a", "b"])]
)
def test_slips_at_one_line_are_one_group_whichever_call_they_follow(
    second: FoundDefect, expected: list[str]
) -> None:
    assert groups((slip(20, "a"),), (second,)) == expected


def test_slips_of_several_calls_are_told_with_the_place_of_the_call_that_is_shown() -> None:
    tests = [
        TestResult(f"t.py::t{site}", Status.DEFECTIVE, defects=(slip(20, site),)) for site in "ba"
    ]
    run = finish(RunResult(tuple(tests)))
    assert [
        (found.judgement.site.name, found.judgement.site.key, found.judgement.site.others)
        for _, found in run.found
        if found.judgement
    ] == [("b and 1 more call", "a", ("b",)), ("a and 1 more call", "a", ("b",))]


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        pytest.param(((FIRST, BACK),), ["sequence+10 1"], id="both in one test"),
        pytest.param(((BACK, FIRST),), ["sequence+10 1"], id="in whichever order they were found"),
        pytest.param(((FIRST, BACK), (BACK,)), ["sequence+10 1"], id="and in others"),
        pytest.param(((FIRST,), (BACK,)), ["sequence+10 1", "timer+6 1~then"], id="in two tests"),
        pytest.param(((FIRST, INSIDE),), ["sequence+10 1"], id="same failure, same thread held"),
        pytest.param(((FIRST, ELSE),), ["sequence+10 1", "timer+6 2"], id="other steps"),
    ],
)
def test_both_orders_of_two_steps_are_one_group(
    tests: tuple[tuple[FoundDefect, ...], ...], expected: list[str]
) -> None:
    assert groups(*tests) == expected
