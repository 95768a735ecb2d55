"""What explorers promise, checked against brute force on random systems."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import ExploreOptions

COUNT = 7
TARGETS = [f"m{i}" for i in range(COUNT)]
SUBSETS = [
    frozenset(subset)
    for size in range(1, COUNT + 1)
    for subset in itertools.combinations(TARGETS, size)
]

conflicts = st.lists(
    st.frozensets(st.sampled_from(TARGETS), min_size=1, max_size=3), min_size=1, max_size=4
)
tables = st.lists(
    st.sampled_from(["pass", "pass", "fail", "unresolved"]),
    min_size=len(SUBSETS),
    max_size=len(SUBSETS),
)
explorers = pytest.mark.parametrize(
    "explorer", [SocraticExplorer(), DeltaDebuggingExplorer()], ids=["socratic", "dd"]
)


def minimal(sets):
    return {s for s in sets if not any(other < s for other in sets)}


def found_sets(exploration):
    return {frozenset(f.target for f in defect.scenario) for defect in exploration.defects}


def judge_by(table):
    """An arbitrary system, not monotonic at all: every scenario has its own answer."""
    answers = dict(zip(SUBSETS, table, strict=True))
    return lambda asked: answers[asked] if asked else "pass"


def removable(problem, scenario):
    """The faults without which the scenario still fails."""
    return [f for f in scenario if problem.answer(Scenario(scenario.faults - {f})) == "fail"]


@explorers
@given(table=tables)
@settings(max_examples=150, deadline=None)
def test_every_defect_fails_and_no_fault_of_it_can_be_left_out(explorer, table, rule_problem):
    problem = rule_problem(COUNT, judge_by(table))
    defects = explorer.explore(problem, ExploreOptions()).defects
    told = [(problem.answer(d.scenario), removable(problem, d.scenario)) for d in defects]
    assert told == [("fail", [])] * len(told)
    assert told or table[-1] != "fail", "all faults at once break it, and nothing was found"


@explorers
@given(table=tables, budget=st.integers(1, 12))
@settings(max_examples=100, deadline=None)
def test_what_is_called_minimal_is_so_under_any_budget(explorer, table, budget, rule_problem):
    problem = rule_problem(COUNT, judge_by(table), budget=budget)
    defects = explorer.explore(problem, ExploreOptions()).defects
    told = [
        (problem.answer(d.scenario), removable(problem, d.scenario) if d.minimal else [])
        for d in defects
    ]
    assert told == [("fail", [])] * len(told)
    assert told or table[-1] != "fail", "all faults at once break it, and nothing was found"


@given(rules=conflicts)
@settings(max_examples=150, deadline=None)
def test_socratic_finds_all_minimal_conflicts_of_a_monotonic_system(rules, rule_problem, monotonic):
    problem = rule_problem(COUNT, monotonic(rules))
    found = SocraticExplorer().explore(problem, ExploreOptions())
    assert found_sets(found) == minimal(set(rules))


@explorers
@given(rules=conflicts)
@settings(max_examples=50, deadline=None)
def test_monotonic_option_keeps_results_minimal(explorer, rules, rule_problem, monotonic):
    problem = rule_problem(COUNT, monotonic(rules))
    found = explorer.explore(problem, ExploreOptions(monotonic=True, max_defects=1))
    (only,) = found_sets(found)
    assert only in minimal(set(rules))


@given(rules=conflicts)
@settings(max_examples=50, deadline=None)
def test_monotonic_option_never_costs_more(rules, rule_problem, monotonic):
    careful, trusting = (rule_problem(COUNT, monotonic(rules)) for _ in range(2))
    DeltaDebuggingExplorer().explore(careful, ExploreOptions())
    DeltaDebuggingExplorer().explore(trusting, ExploreOptions(monotonic=True))
    assert 0 < trusting.calls <= careful.calls


@explorers
@given(table=tables)
@settings(max_examples=30, deadline=None)
def test_the_same_system_is_asked_the_same_questions(explorer, table, rule_problem):
    first, second = (rule_problem(COUNT, judge_by(table)) for _ in range(2))
    explorer.explore(first, ExploreOptions(seed=3))
    explorer.explore(second, ExploreOptions(seed=3))
    assert first.questions == second.questions
    assert first.questions, "none was asked"


@st.composite
def systems(draw):
    """A random acyclic system of up to eight counters, and what is wrong with some of them."""
    size = draw(st.integers(2, 8))
    names = [f"N{i}" for i in range(size)]
    tree = {name: [] for name in names}
    for number in range(1, size):
        tree[names[draw(st.integers(0, number - 1))]].append(names[number])
    for a, b in draw(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=3)
    ):
        if a < b:
            tree[names[a]].append(names[b])
    return tree, draw(st.dictionaries(st.sampled_from(names), st.sampled_from("DR"), max_size=3))


@given(system=systems(), use_traces=st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_defective_actor_is_found_and_no_other_is_blamed(system, use_traces, counter_problem):
    tree, flaws = system
    problem = counter_problem(tree, flaws)
    found = SocraticExplorer().explore(problem, ExploreOptions(use_traces=use_traces))
    kinds = {"D": "duplicate", "R": "restart"}
    assert {(f.receiver, f.kind) for d in found.defects for f in d.scenario} == {
        (actor, kinds[flaw]) for actor, flaw in flaws.items()
    }


@given(system=systems())
@settings(max_examples=100, deadline=None)
def test_reading_traces_finds_single_defects_in_few_questions(system, counter_problem):
    tree, flaws = system
    flaw = dict(list(flaws.items())[:1])
    problem = counter_problem(tree, flaw, total_only=True)
    found = SocraticExplorer().explore(problem, ExploreOptions(max_defects=1))
    assert len(found.defects) == len(flaw)
    assert not flaw or problem.calls <= 4
