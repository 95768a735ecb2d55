"""The socratic explorer: what it finds, what it costs, and what it says when it can't go on."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.model.events import Create, Injected, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import ExploreOptions

CHAIN = {f"N{i}": [f"N{i + 1}"] for i in range(15)} | {"N15": []}
STAR = {"root": [f"leaf{i}" for i in range(16)]} | {f"leaf{i}": [] for i in range(16)}
DIAMOND = {"a": ["b", "c", "e"], "b": ["d"], "c": ["d"], "d": ["e", "e"], "e": ["f"], "f": []}
ONE = ExploreOptions(max_defects=1)
ALL = ExploreOptions()


def explore(problem, options=ALL):
    return SocraticExplorer().explore(problem, options)


def blamed(exploration):
    return [sorted({f.receiver for f in defect.scenario}) for defect in exploration.defects]


@pytest.mark.parametrize("tree", [CHAIN, STAR, DIAMOND], ids=["chain", "star", "diamond"])
@pytest.mark.parametrize("flaw", ["D", "R"])
@pytest.mark.parametrize("total_only", [False, True], ids=["each", "total"])
def test_a_readable_defect_costs_one_question_for_all_and_one_to_confirm(
    counter_problem, tree, flaw, total_only
):
    guilty = list(tree)[len(tree) // 2]
    problem = counter_problem(tree, {guilty: flaw}, total_only=total_only)
    found = explore(problem, ONE)
    assert (blamed(found), problem.calls <= 3) == ([[guilty]], True)


def test_a_single_kind_of_fault_costs_exactly_two_questions(counter_problem):
    problem = counter_problem(DIAMOND, {"d": "D"}, kinds=["duplicate"], total_only=True)
    explore(problem, ONE)
    assert problem.calls == 2


def test_a_resilient_system_has_no_defects(counter_problem):
    problem = counter_problem(DIAMOND, {})
    found = explore(problem)
    assert (found.defects, found.exhausted) == ((), True)


def test_three_independent_defects_are_all_found(counter_problem):
    problem = counter_problem(STAR, {"leaf3": "D", "leaf7": "R", "leaf11": "D"})
    assert sorted(blamed(explore(problem))) == [["leaf11"], ["leaf3"], ["leaf7"]]


def test_defects_of_two_kinds_in_one_actor_are_two_defects(counter_problem):
    problem = counter_problem(DIAMOND, {"d": "DR"})
    kinds = [f.kind for defect in explore(problem).defects for f in defect.scenario]
    assert sorted(kinds) == ["duplicate", "restart"]


def test_a_defect_that_needs_two_faults_together_is_found_whole(counter_problem):
    problem = counter_problem(STAR, {"leaf5": "M"})
    (defect,) = explore(problem, ONE).defects
    assert [(f.receiver, f.kind) for f in defect.scenario] == [
        ("leaf5", "duplicate"),
        ("leaf5", "restart"),
    ]


def test_a_pair_on_one_message_is_guessed_from_the_trace(counter_problem):
    problem = counter_problem(STAR, {"leaf5": "M"})
    explore(problem, ONE)
    assert problem.calls <= 5


def test_faults_that_compensate_each_other_are_unmasked(counter_problem):
    flaws = {"leaf2": "D", "leaf9": "U"}
    problem = counter_problem(STAR, flaws, kinds=["duplicate"], total_only=True)
    assert sorted(blamed(explore(problem))) == [["leaf2"], ["leaf9"]]


def test_what_changed_though_the_test_passed_is_sampled_first(counter_problem):
    flaws = {"leaf2": "D", "leaf9": "U"}
    problem = counter_problem(STAR, flaws, kinds=["duplicate"], total_only=True)
    explore(problem, ONE)
    assert problem.calls == 2


def test_without_traces_actors_are_searched_by_halves(counter_problem):
    problem = counter_problem(STAR, {"leaf9": "D"}, kinds=["duplicate"])
    found = explore(problem, ExploreOptions(max_defects=1, use_traces=False))
    assert (blamed(found), problem.calls <= 7) == ([["leaf9"]], True)


def test_two_particular_faults_of_many_cost_logarithmically(rule_problem, monotonic):
    problem = rule_problem(128, monotonic([["m17", "m93"]]))
    (defect,) = explore(problem, ONE).defects
    assert ({f.target for f in defect.scenario}, problem.calls <= 22) == ({"m17", "m93"}, True)


def test_two_messages_of_one_actor_are_found_among_its_messages(rule_problem, monotonic):
    problem = rule_problem(64, monotonic([["m8", "m40"]]), actors=8)
    (defect,) = explore(problem, ONE).defects
    assert {f.target for f in defect.scenario} == {"m8", "m40"}


def test_a_spent_budget_leaves_the_smallest_known_scenario_and_says_so(rule_problem, monotonic):
    problem = rule_problem(64, monotonic([["m7", "m50"]]), budget=4)
    found = explore(problem)
    (defect,) = found.defects
    said = (defect.minimal, defect.note, found.exhausted, problem.answer(defect.scenario))
    assert said == (False, "the budget of 4 executions is spent", False, "fail")


def test_a_spent_budget_while_sampling_is_no_defect(rule_problem):
    problem = rule_problem(64, lambda asked: "pass", budget=4)
    found = explore(problem)
    assert (found.defects, found.exhausted, problem.calls) == ((), False, 4)


def test_each_defect_reports_the_failure_of_its_own_scenario(rule_problem):
    def judge(asked):
        return "line 1" if "m1" in asked else "line 2" if "m2" in asked else "pass"

    found = explore(rule_problem(4, judge))
    assert [(d.failure.location, [f.target for f in d.scenario]) for d in found.defects] == [
        ("line 1", ["m1"]),
        ("line 2", ["m2"]),
    ]


def test_an_unresolved_whole_is_taken_apart(rule_problem):
    def judge(asked):
        return "unresolved" if {"m0", "m7"} <= asked else "fail" if "m3" in asked else "pass"

    found = explore(rule_problem(8, judge))
    assert [[f.target for f in d.scenario] for d in found.defects] == [["m3"]]


@pytest.mark.parametrize(("hangs", "found"), [(9, 1), (1, 0)], ids=["every time", "once"])
def test_a_hang_is_a_defect_only_if_it_repeats(hangs, found):
    fault = Fault("m", "duplicate", receiver="A")
    left = [True] * hangs

    def run(scenario):
        if left and left.pop():
            return Outcome(scenario, Verdict.FAIL, Failure("Hang", "slow", "t"), final=False)
        return Outcome(scenario, Verdict.PASS)

    assert len(explore(Gateway(Trace(), [fault], run)).defects) == found


def test_faults_that_broke_the_test_together_but_not_again_are_no_defect():
    pair = [Fault(f"m{i}", "duplicate", receiver=f"A{i}") for i in range(2)]
    answers = [Verdict.FAIL]

    def run(scenario):
        verdict = answers.pop() if answers and len(scenario) == 2 else Verdict.PASS
        return Outcome(scenario, verdict, Failure("E", "raced", "t:1"))

    found = explore(Gateway(Trace(), pair, run))
    assert (found.defects, found.note) == ((), "once, but not again: raced")


def test_messages_that_a_first_failure_kept_from_being_sent_are_looked_at_later():
    """The test stops at its first failing assertion, so the second message is never sent."""
    first, second = (Fault(f"m{i}", "duplicate", receiver=f"A{i}") for i in range(2))

    def run(scenario):
        sent = [first] if first in scenario.faults else [first, second]
        hit = [fault for fault in sent if fault in scenario.faults]
        trace = Trace(tuple(Injected(fault.target, fault.kind) for fault in hit))
        failure = Failure("E", "", f"t:{hit[0].target}") if hit else None
        return Outcome(scenario, Verdict.FAIL if hit else Verdict.PASS, failure, trace=trace)

    found = explore(Gateway(Trace(), [first, second], run))
    assert blamed(found) == [["A0"], ["A1"]]


def test_restarts_after_messages_of_two_types_are_one_defect():
    faults = [Fault(f"m{i}", "restart", receiver="A", message=f"M{i}()") for i in range(2)]

    def run(scenario):
        return Outcome(scenario, Verdict.FAIL, Failure("E", "lost", "t:1"))

    assert len(explore(Gateway(Trace(), faults, run)).defects) == 1


def test_a_pruner_is_told_the_failure_and_what_it_left_out_is_reported(counter_problem):
    problem = counter_problem(STAR, {"leaf9": "D"}, kinds=["duplicate"])
    found = explore(problem, ExploreOptions(pruner=CausalityPruner(), max_defects=1))
    assert {f.receiver for f in found.pruned} == {f"leaf{i}" for i in range(16)} - {"leaf9"}


def test_a_target_that_first_appears_under_a_fault_joins_the_space():
    first, retry = Fault("call", "drop", receiver="A"), Fault("retry", "drop", receiver="A")

    def run(scenario):
        retried = first in scenario.faults
        trace = Trace((Create("test", "retry" if retried else "quiet"),))
        if retried and retry in scenario.faults:
            return Outcome(scenario, Verdict.FAIL, Failure("E", "gave up", "t:1"), trace=trace)
        verdict = Verdict.UNRESOLVED if retry in scenario.faults else Verdict.PASS
        return Outcome(scenario, verdict, trace=trace)

    def faults_of(trace):
        return [first, retry] if trace.events[0].child == "retry" else [first]

    problem = Gateway(Trace(), [first], run, faults_of=faults_of)
    assert [d.scenario for d in explore(problem).defects] == [Scenario.of([first, retry])]


@pytest.fixture
def surroundings() -> Gateway:
    """Six circumstances, of which two together break the test."""
    faults = [Fault(f"circumstance:{n}", "circumstance", "setting", n, f"{n}=2") for n in "abcdef"]

    def run(scenario: Scenario) -> Outcome:
        done = Trace(tuple(Injected(fault.target, fault.kind) for fault in scenario))
        if {"b", "e"} <= {fault.receiver for fault in scenario}:
            return Outcome(scenario, Verdict.FAIL, Failure("AssertionError", "", "a:1"), trace=done)
        return Outcome(scenario, Verdict.PASS, trace=done)

    return Gateway(Trace(), faults, run)


def test_circumstances_are_not_spoken_of_as_actors(surroundings):
    explore(surroundings)
    told = " ".join(question.hypothesis for question in surroundings.questions)
    assert ("actor" in told, "circumstance of" in told) == (False, False)


def test_circumstances_are_told_by_their_values(surroundings):
    explore(surroundings)
    told = {question.hypothesis for question in surroundings.questions}
    assert told >= {"all 6 circumstances together break the test", "not needed: b=2"}
