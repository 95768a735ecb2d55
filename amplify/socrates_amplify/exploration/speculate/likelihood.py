"""How an execution that has not ended may end: how likely each verdict is, and what it would say.

Nothing here has to be right: a wrong guess costs an execution, never an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import Question

_SURE = 0.9
"""For what follows from other answers, if adding faults never repairs a failing test."""
_AGAIN = 0.95
"""That the same scenario ends the same way once more."""
_PASS: str = Verdict.PASS.value
_FAIL: str = Verdict.FAIL.value
_UNRESOLVED: str = Verdict.UNRESOLVED.value
"""Answers as questions have them; asked for very often."""


def likelihood(scenario: Scenario, asked: Sequence[Question]) -> dict[Verdict, float]:
    """How likely each verdict is, given the answers so far; impossible ones are left out."""
    unresolved = sum(question.answer == _UNRESOLVED for question in asked)
    fails = _fails(scenario, asked)
    lost = unresolved / (len(asked) + 2)
    chances = {
        Verdict.PASS: (1 - fails) * (1 - lost),
        Verdict.FAIL: fails * (1 - lost),
        Verdict.UNRESOLVED: lost,
    }
    return {verdict: chance for verdict, chance in chances.items() if chance > 0}


def _fails(scenario: Scenario, asked: Sequence[Question]) -> float:
    """One culprit lies somewhere in the smallest set that failed, but in none that passed.

    That is half of it; the other half is that explorers ask about what they believe in.
    """
    faults = scenario.faults
    around = None
    passed: set[object] = set()
    for question in asked:
        other = question.scenario.faults
        if question.answer == _FAIL:
            if other == faults:
                return _AGAIN
            if other <= faults:
                return _SURE
            if other > faults and (around is None or len(other) < len(around)):
                around = other
        elif question.answer.startswith(_PASS):
            if other >= faults:
                return 1 - _SURE
            passed |= other
    if around is None:
        failed = sum(question.answer == _FAIL for question in asked)
        return (failed + 1) / (len(asked) + 2)
    left = len(around) - len(around & passed)
    share = (len(faults) - len(faults & passed)) / left if left else 1.0
    return (share + 0.5) / 2


def guess(
    scenario: Scenario, verdict: Verdict, known: Sequence[Outcome], control: Trace
) -> Outcome:
    """An outcome with this verdict, as the most similar known one would have it."""
    alike = max(
        (outcome for outcome in known if outcome.verdict is verdict),
        key=lambda outcome: _similarity(outcome.scenario, scenario),
        default=None,
    )
    trace = alike.trace if alike is not None and alike.trace.events else control
    if verdict is Verdict.PASS:
        return Outcome(scenario, verdict, trace=trace)
    failure = None
    if verdict is Verdict.FAIL:
        failure = alike.failure if alike is not None else Failure("unknown", "", "")
    reason = alike.reason if alike is not None else ""
    return Outcome(scenario, verdict, failure, reason, _applied(trace, scenario))


def _applied(trace: Trace, scenario: Scenario) -> Trace:
    """The trace as if just the faults of this scenario had been injected."""
    wanted = {(fault.target, fault.kind) for fault in scenario.faults}
    events = [
        event
        for event in trace.events
        if not isinstance(event, Injected) or (event.target, event.kind) in wanted
    ]
    there = {(event.target, event.kind) for event in events if isinstance(event, Injected)}
    events += [Injected(target, kind) for target, kind in sorted(wanted - there)]
    return Trace(tuple(events))


def _similarity(one: Scenario, other: Scenario) -> float:
    union = len(one.faults | other.faults)
    return len(one.faults & other.faults) / union if union else 1.0
