"""The plain explorers: static, naive and dd."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.naive import NaiveExplorer
from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.static import StaticExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import ExploreOptions

ONE = ExploreOptions(max_defects=1)
ALL = ExploreOptions()
STAR = {"root": [f"leaf{i}" for i in range(16)]} | {f"leaf{i}": [] for i in range(16)}


def targets(exploration):
    return [[f.target for f in defect.scenario] for defect in exploration.defects]


class DropsEverything:
    """A pruner that is wrong: it keeps only the first fault."""

    name = "wrong"

    def prune(self, faults, control, failure):
        return faults[:1]


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "the only duplicate fault breaks the test"),
        (2, "all 2 duplicate faults together break the test"),
    ],
)
@pytest.mark.parametrize("explorer", [DeltaDebuggingExplorer(), SocraticExplorer()])
def test_the_first_question_counts_as_people_do(explorer, count, said, rule_problem, monotonic):
    problem = rule_problem(count, monotonic([["m0"]]))
    explorer.explore(problem, ONE)
    assert problem.questions[0].hypothesis == said


def test_naive_asks_one_fault_at_a_time_in_order(rule_problem, monotonic):
    problem = rule_problem(8, monotonic([["m5"]]))
    found = NaiveExplorer().explore(problem, ONE)
    assert (targets(found), problem.calls) == ([["m5"]], 6)


def test_naive_never_sees_faults_that_only_fail_together(rule_problem, monotonic):
    problem = rule_problem(8, monotonic([["m5", "m6"]]))
    assert NaiveExplorer().explore(problem, ALL).defects == ()


def test_naive_skips_the_family_of_a_fault_that_broke_the_test(rule_problem, monotonic):
    problem = rule_problem(8, monotonic([["m0"], ["m4"]]), actors=4)
    assert targets(NaiveExplorer().explore(problem, ALL)) == [["m0"]]


def test_naive_says_when_the_budget_ended_it(rule_problem, monotonic):
    found = NaiveExplorer().explore(rule_problem(8, monotonic([["m5"]]), budget=2), ALL)
    assert (found.defects, found.exhausted) == ((), False)


def test_static_reports_exactly_the_given_scenarios_that_fail(rule_problem, monotonic):
    problem = rule_problem(8, monotonic([["m1"]]))
    first, second = (Scenario.of(problem.faults[i : i + 1]) for i in (0, 1))
    assert targets(StaticExplorer([first, second]).explore(problem, ALL)) == [["m1"]]


def test_static_says_that_it_did_not_minimise(rule_problem, monotonic):
    problem = rule_problem(8, monotonic([["m1"]]))
    (defect,) = StaticExplorer([Scenario.of(problem.faults)]).explore(problem, ALL).defects
    assert (defect.minimal, defect.note) == (False, "given by hand, not minimised")


def test_static_without_scenarios_asks_for_all_faults_at_once(rule_problem, monotonic):
    problem = rule_problem(3, monotonic([["m1"]]))
    assert targets(StaticExplorer().explore(problem, ALL)) == [["m0", "m1", "m2"]]


def test_a_single_fault_that_was_given_is_minimal(rule_problem, monotonic):
    problem = rule_problem(3, monotonic([["m1"]]))
    given = Scenario.of(problem.faults[1:2])
    (defect,) = StaticExplorer([given]).explore(problem, ALL).defects
    assert (defect.minimal, defect.note) == (True, "")


def test_static_stops_after_as_many_defects_as_were_asked_for(rule_problem, monotonic):
    problem = rule_problem(3, monotonic([["m0"], ["m1"]]))
    given = [Scenario.of([fault]) for fault in problem.faults]
    found = StaticExplorer(given).explore(problem, ONE)
    assert (targets(found), found.exhausted, problem.calls) == ([["m0"]], True, 1)


def test_static_says_when_the_budget_ended_it(rule_problem, monotonic):
    problem = rule_problem(3, monotonic([["m0"], ["m1"]]), budget=1)
    given = [Scenario.of([fault]) for fault in problem.faults]
    found = StaticExplorer(given).explore(problem, ALL)
    told = (targets(found), found.exhausted, found.note)
    assert told == ([["m0"]], False, "the budget of 1 execution is spent")


def test_dd_minimises_to_the_faults_that_fail_together(rule_problem, monotonic):
    problem = rule_problem(20, monotonic([["m0", "m1", "m2", "m10"]]))
    found = DeltaDebuggingExplorer().explore(problem, ONE)
    assert (targets(found), problem.calls <= 43) == ([["m0", "m1", "m10", "m2"]], True)


def test_dd_finds_one_fault_of_many_in_about_two_questions_a_halving(rule_problem, monotonic):
    problem = rule_problem(1024, monotonic([["m777"]]))
    DeltaDebuggingExplorer().explore(problem, ONE)
    assert problem.calls <= 21


def test_dd_all_together_passing_is_resilient(rule_problem):
    problem = rule_problem(64, lambda asked: "pass")
    found = DeltaDebuggingExplorer().explore(problem, ALL)
    assert (found.defects, found.exhausted, problem.calls) == ((), True, 1)


def test_dd_goes_on_to_the_next_defect(rule_problem, monotonic):
    problem = rule_problem(16, monotonic([["m3"], ["m12"]]))
    assert sorted(targets(DeltaDebuggingExplorer().explore(problem, ALL))) == [["m12"], ["m3"]]


def test_dd_does_not_slip_to_another_failure(rule_problem):
    def judge(asked):
        if {"m6", "m7"} <= asked:
            return "line 1"
        return "line 2" if "m6" in asked else "pass"

    (defect,) = DeltaDebuggingExplorer().explore(rule_problem(8, judge), ONE).defects
    assert (defect.failure.location, len(defect.scenario)) == ("line 1", 2)


def test_dd_with_a_spent_budget_reports_what_it_has(rule_problem, monotonic):
    problem = rule_problem(64, monotonic([["m3", "m60"]]), budget=6)
    (defect,) = DeltaDebuggingExplorer().explore(problem, ALL).defects
    assert (defect.minimal, problem.answer(defect.scenario)) == (False, "fail")


def test_dd_with_causality_asks_less_than_without(counter_problem):
    plain, pruned = (counter_problem(STAR, {"leaf9": "D"}) for _ in range(2))
    DeltaDebuggingExplorer().explore(plain, ONE)
    DeltaDebuggingExplorer().explore(pruned, ExploreOptions(1, pruner=CausalityPruner()))
    assert pruned.calls < plain.calls


def test_dd_recovers_from_a_pruner_that_was_wrong(rule_problem, monotonic):
    problem = rule_problem(16, monotonic([["m9"]]))
    options = ExploreOptions(max_defects=1, pruner=DropsEverything())
    assert targets(DeltaDebuggingExplorer().explore(problem, options)) == [["m9"]]
