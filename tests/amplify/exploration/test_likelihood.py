"""How likely an answer is before it is there, and what it would look like."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.speculate.likelihood import guess, likelihood
from socrates_amplify.model.events import Injected, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import Question

SEND = Send("a", "test", "A#1", "m", "d", None)
CONTROL = Trace((SEND,))


def scenario(letters: str) -> Scenario:
    return Scenario.of([Fault(letter, "duplicate") for letter in letters])


def chances(asked: str, *answers: tuple[str, str]) -> dict[str, float]:
    """How likely each answer about ``asked`` is, after these answers."""
    known = [Question(scenario(letters), "", answer) for letters, answer in answers]
    found = likelihood(scenario(asked), known)
    return {verdict.value: round(chance, 3) for verdict, chance in found.items()}


@pytest.mark.parametrize(
    ("answers", "fails"),
    [
        pytest.param([], 0.5, id="nothing is known"),
        pytest.param([("ab", "fail")], 0.95, id="the same failed"),
        pytest.param([("a", "fail")], 0.9, id="a part of it failed"),
        pytest.param([("abc", "pass")], 0.1, id="more of it passed"),
        pytest.param([("ab", "pass (declined)")], 0.1, id="the same passed"),
        pytest.param([("abcd", "fail")], 0.5, id="half of what failed"),
        pytest.param([("abcdefgh", "fail")], 0.375, id="a quarter of what failed"),
        pytest.param([("abcdefgh", "fail"), ("abcd", "fail")], 0.5, id="the smallest that failed"),
        pytest.param([("abcd", "fail"), ("abcdefgh", "fail")], 0.5, id="in any order"),
        pytest.param([("abcd", "fail"), ("c", "pass")], 0.583, id="without what passed"),
        pytest.param([("abcd", "fail"), ("acd", "pass")], 0.75, id="the rest of it"),
        pytest.param([("abc", "fail"), ("a", "pass"), ("bc", "pass")], 0.75, id="nothing is left"),
        pytest.param([("c", "pass"), ("d", "fail")], 0.5, id="others"),
        pytest.param([("c", "pass"), ("d", "pass")], 0.25, id="others that passed"),
    ],
)
def test_how_likely_a_failure_is(answers: list[tuple[str, str]], fails: float) -> None:
    assert chances("ab", *answers) == {"pass": round(1 - fails, 3), "fail": fails}


def test_questions_without_an_answer_leave_others_without_one() -> None:
    known = [("c", "unresolved"), ("d", "pass")]
    assert chances("ab", *known) == {"pass": 0.562, "fail": 0.188, "unresolved": 0.25}


FAILED = Outcome(
    scenario("ab"),
    Verdict.FAIL,
    Failure("E", "two", "t:2"),
    "why",
    Trace((SEND, Injected("a", "duplicate"), Injected("b", "duplicate"))),
)
OTHER = Outcome(scenario("z"), Verdict.FAIL, Failure("E", "z", "t:9"), trace=CONTROL)
PASSED = Outcome(scenario("c"), Verdict.PASS, trace=Trace((SEND, SEND)))
KNOWN = [OTHER, FAILED, PASSED]


def test_a_guessed_failure_is_that_of_the_most_similar_run() -> None:
    found = guess(scenario("ac"), Verdict.FAIL, KNOWN, CONTROL)
    events = (SEND, Injected("a", "duplicate"), Injected("c", "duplicate"))
    assert found == Outcome(scenario("ac"), Verdict.FAIL, FAILED.failure, "why", Trace(events))


def test_a_guessed_pass_has_the_trace_of_one() -> None:
    found = guess(scenario("cd"), Verdict.PASS, KNOWN, CONTROL)
    assert found == Outcome(scenario("cd"), Verdict.PASS, trace=PASSED.trace)


@pytest.mark.parametrize(
    ("verdict", "failure"),
    [(Verdict.FAIL, Failure("unknown", "", "")), (Verdict.UNRESOLVED, None)],
    ids=["fail", "unresolved"],
)
def test_without_a_similar_run_the_control_run_stands_for_it(
    verdict: Verdict, failure: Failure | None
) -> None:
    found = guess(scenario("a"), verdict, [PASSED], CONTROL)
    events = Trace((SEND, Injected("a", "duplicate")))
    assert found == Outcome(scenario("a"), verdict, failure, trace=events)


def test_a_run_without_a_trace_is_read_as_the_control_run() -> None:
    bare = Outcome(scenario("c"), Verdict.PASS)
    assert guess(scenario("c"), Verdict.PASS, [bare], CONTROL).trace == CONTROL
