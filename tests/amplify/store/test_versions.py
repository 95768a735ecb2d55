"""What a store knows under one version of the code, under others, and carries from one to the next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.store import store as module
from socrates_amplify.store.store import KeptTest, Store

ONE, TWO = "tests/test_a.py::test_one", "tests/test_a.py::test_two"
SCENARIO = Scenario.of([Fault("t1", "duplicate")])
PASSED = Outcome(SCENARIO, Verdict.PASS)
FAILED = Outcome(SCENARIO, Verdict.FAIL, Failure("E", "m", "a.py:1"))
CONTROL = Outcome(Scenario(), Verdict.PASS)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store whose clock goes on by a second whenever it is looked at."""
    seconds = itertools.count(1000.0)
    monkeypatch.setattr(module.time, "time", lambda: next(seconds))
    with Store.open(tmp_path) as opened:
        yield opened


def test_new_store_knows_no_code(store: Store) -> None:
    assert (store.newest_code(), store.newest_code(but="new"), store.latest()) == ("", "", [])


def test_newest_code_is_that_of_the_last_result(store: Store) -> None:
    store.add_test("b", ONE, "resilient", {"x": 1})
    store.add_test("a", TWO, "resilient", {"x": 2})
    assert store.newest_code() == "a"


@pytest.mark.parametrize(("code", "expected"), [("a", ""), ("b", "a")])
def test_newest_code_but_for_one(code: str, expected: str, store: Store) -> None:
    store.add_test("a", ONE, "resilient", {"x": 1})
    assert store.newest_code(but=code) == expected


def test_latest_result_of_each_test(store: Store) -> None:
    store.add_test("a", TWO, "flaky", {"x": 1})
    store.add_test("a", ONE, "resilient", {"x": 2})
    store.add_test("b", ONE, "defective", {"x": 3})
    assert store.latest() == [
        KeptTest("b", ONE, "defective", {"x": 3}),
        KeptTest("a", TWO, "flaky", {"x": 1}),
    ]


def test_statuses_are_those_of_one_version(store: Store) -> None:
    store.add_test("a", ONE, "resilient", {})
    store.add_test("b", TWO, "flaky", {})
    assert store.statuses("a") == {ONE: "resilient"}


def test_surroundings_come_back_and_are_no_test(store: Store) -> None:
    store.add_surroundings("a", {"files": ["a.py"]})
    assert (store.surroundings("a"), store.surroundings("b"), store.latest()) == (
        {"files": ["a.py"]},
        {},
        [],
    )


def test_candidates_are_the_latest_first(store: Store) -> None:
    for number, code in enumerate("abc"):
        store.add_test(code, ONE, "resilient", {"x": number})
    found = store.candidates([ONE, TWO], 2)
    assert {test: [kept.code for kept in one] for test, one in found.items()} == {ONE: ["c", "b"]}


def test_traced_tests_without_a_result(store: Store) -> None:
    store.add_control_runs("a", TWO, [CONTROL])
    store.add_control_runs("a", ONE, [CONTROL])
    store.add_test("a", ONE, "resilient", {})
    assert store.traced_only() == [("a", TWO)]


def test_what_is_known_is_carried_over(store: Store) -> None:
    store.add_test("a", ONE, "resilient", {"x": 1})
    store.add_outcome("a", ONE, PASSED)
    store.add_control_runs("a", ONE, [CONTROL, CONTROL])
    store.carry_over("a", "b", ONE)
    assert (
        store.statuses("b"),
        store.outcome("b", ONE, SCENARIO),
        len(store.control_runs("b", ONE)),
    ) == ({ONE: "resilient"}, PASSED, 2)


def test_what_is_carried_over_takes_the_place_of_what_was_there(store: Store) -> None:
    store.add_outcome("b", ONE, FAILED)
    store.add_test("a", ONE, "resilient", {"x": 1})
    store.carry_over("a", "b", ONE)
    assert store.outcome("b", ONE, SCENARIO) is None


def test_carrying_over_to_the_same_code_leaves_all_as_it_is(store: Store) -> None:
    store.add_outcome("a", ONE, PASSED)
    store.carry_over("a", "a", ONE)
    assert store.outcome("a", ONE, SCENARIO) == PASSED


def test_known_scenarios_are_those_with_a_final_outcome(store: Store) -> None:
    store.add_outcome("a", ONE, PASSED)
    store.add_outcome("a", ONE, Outcome(Scenario(), Verdict.UNRESOLVED, final=False))
    assert store.known("a", ONE) == {SCENARIO.key}


def test_last_outcome_counts_those_that_are_not_final(store: Store) -> None:
    store.add_outcome("a", ONE, PASSED)
    late = Outcome(SCENARIO, Verdict.UNRESOLVED, final=False, reason="slow")
    store.add_outcome("a", ONE, late)
    assert store.last("a", ONE, SCENARIO) == late


def test_forgotten_tests_are_gone_under_one_code_only(store: Store) -> None:
    for code in "ab":
        for test in (ONE, TWO):
            store.add_test(code, test, "resilient", {})
            store.add_outcome(code, test, PASSED)
    store.forget("a", ONE)
    left = [[store.executions(code, test) for test in (ONE, TWO)] for code in "ab"]
    assert (left, store.statuses("a")) == ([[0, 1], [1, 1]], {TWO: "resilient"})
