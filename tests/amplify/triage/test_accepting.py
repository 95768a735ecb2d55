"""Known defects: which groups a baseline accepts, what is new, what is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates.baseline import Entry
from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import groups_of, shown_groups
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.triage.accepting import accept, entries_after

SMELL = Entry("t.py", "t.py::a", "SOC101", "several", "f00d", Severity.WARNING)


def defective(name: str) -> TestResult:
    kind = DefectClass.EFFECT
    means = Judgement(kind, kind.severity, "is done twice", Site(name, name, f"{name}.py:3"))
    scenario = Scenario.of([Fault("t", "duplicate")])
    defect = Defect(scenario, Failure("AssertionError", "", "t.py:1"))
    found = FoundDefect(defect, "r.json", judgement=means)
    return TestResult(f"t.py::{name}", Status.DEFECTIVE, defects=(found,))


@pytest.fixture
def before() -> list[Entry]:
    """The baseline after a run with the defects of ``a`` and ``b``."""
    return entries_after(RunResult((defective("a"), defective("b"))), [SMELL])


def test_what_is_accepted_does_not_fail_the_run(before: list[Entry]) -> None:
    assert accept(RunResult((defective("a"), defective("b"))), before).exit_code == 0


def test_what_is_accepted_is_not_shown(before: list[Entry]) -> None:
    assert shown_groups(accept(RunResult((defective("a"),)), before)) == ()


def test_what_is_new_fails_the_run(before: list[Entry]) -> None:
    assert accept(RunResult((defective("a"), defective("c"))), before).exit_code == 1


def test_what_is_gone_is_told(before: list[Entry]) -> None:
    run = RunResult((defective("a"), TestResult("t.py::b", Status.RESILIENT)))
    assert accept(run, before).gone == ("t.py::b: amplify/effect b: is done twice",)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(RunResult((TestResult("t.py::b", Status.NOT_RUN),)), id="not run"),
        pytest.param(RunResult((TestResult("u.py::x", Status.RESILIENT),)), id="another file"),
        pytest.param(
            RunResult((TestResult("t.py::b", Status.RESILIENT),), interrupted=True),
            id="interrupted",
        ),
    ],
)
def test_what_could_not_be_met_is_not_gone(run: RunResult, before: list[Entry]) -> None:
    assert accept(run, [entry for entry in before if entry.test == "t.py::b"]).gone == ()


def test_writing_it_anew_drops_what_is_gone(before: list[Entry]) -> None:
    run = RunResult((defective("a"), TestResult("t.py::b", Status.RESILIENT)))
    assert {entry.code for entry in entries_after(run, before) if entry.test == "t.py::b"} == set()


def test_findings_of_the_linter_stay_as_they_are(before: list[Entry]) -> None:
    assert SMELL in entries_after(RunResult((defective("a"),)), before)


def test_what_has_got_worse_is_new(before: list[Entry]) -> None:
    test = defective("a")
    (found,) = test.defects
    assert found.judgement
    worse = replace(found, judgement=replace(found.judgement, kind=DefectClass.STUCK))
    run = accept(RunResult((replace(test, defects=(worse,)),)), before)
    assert len(groups_of(run)) == len(shown_groups(run))
