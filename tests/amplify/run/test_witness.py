"""What the runs of a search have shown: which faults were borne, and which run failed by which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.events import Injected, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import Question
from socrates_amplify.run.witness import Witness

DROP = Fault("t1", "drop", "test", "shop", "GET /")
LATE = Fault("t2", "timeout", "test", "shop", "GET /2")
CALL = Send("t1", "test", "shop", "GET /", "d", None)
OTHER = Send("t2", "test", "shop", "GET /2", "d", None)
BOTH = Scenario.of([DROP, LATE])


def outcome(verdict: Verdict, *events: object) -> Outcome:
    failure = Failure("E", "", "t.py:1") if verdict is Verdict.FAIL else None
    return Outcome(BOTH, verdict, failure, trace=Trace((CALL, OTHER, *events)))  # type: ignore[arg-type]


def witness(answer: str, seen: Outcome) -> Witness:
    made = Witness(Trace((CALL, OTHER)))
    made.answered(Question(BOTH, "why", answer), seen)
    return made


@pytest.mark.parametrize(
    ("answer", "events", "expected"),
    [
        pytest.param("pass", (Injected("t1", "drop"),), (DROP,), id="applied"),
        pytest.param("pass", (), (), id="not applied"),
        pytest.param("pass (1 not made)", (Injected("t2", "timeout"),), (LATE,), id="in part"),
        pytest.param("pass", (Injected("t1", "drop"), CALL), (), id="the call was made again"),
        pytest.param("unresolved", (Injected("t1", "drop"),), (), id="no answer"),
    ],
)
def test_faults_that_a_test_bore(
    answer: str, events: tuple[object, ...], expected: tuple[Fault, ...]
) -> None:
    assert witness(answer, outcome(Verdict.PASS, *events)).survived == expected


def test_run_that_failed_by_some_of_its_faults() -> None:
    made = witness("fail", outcome(Verdict.FAIL, Injected("t1", "drop")))
    asked = (Scenario.of([DROP]), Scenario.of([LATE]))
    assert [made.run_that_failed_by(one) for one in asked] == [BOTH, asked[1]]


def test_faults_of_a_run_that_failed_were_not_borne() -> None:
    assert witness("fail", outcome(Verdict.FAIL, Injected("t1", "drop"))).survived == ()


@pytest.mark.parametrize(
    ("seen", "usual", "files"),
    [
        pytest.param(("a.py", "b.py"), ("a.py", "t.py"), ("a.py", "b.py", "t.py"), id="more"),
        pytest.param((), ("t.py",), ("*", "t.py"), id="a run that nobody watched"),
        pytest.param(("a.py",), (), (), id="without faults nobody watched"),
    ],
)
def test_files_that_runs_executed(
    seen: tuple[str, ...], usual: tuple[str, ...], files: tuple[str, ...]
) -> None:
    watched = replace(outcome(Verdict.PASS), files=seen)
    assert witness("pass", watched).files(usual) == files
