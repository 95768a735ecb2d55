"""The gateway asks each scenario once, within its budget, and forgets what is not final."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.events import Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, Question

BASELINE = Trace((Turn("A", "m1"),))
FIRST = Scenario.of([Fault("m1", "duplicate")])
SECOND = Scenario.of([Fault("m2", "duplicate")])


class Runner:
    """Counts executions and answers each with the same verdict."""

    def __init__(self, verdict: Verdict = Verdict.PASS, final: bool = True) -> None:
        self.asked: list[Scenario] = []
        self._verdict = verdict
        self._final = final

    def __call__(self, scenario: Scenario) -> Outcome:
        self.asked.append(scenario)
        return Outcome(scenario, self._verdict, trace=BASELINE, final=self._final)


class MemoryCache:
    """A store in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, Outcome] = {}

    def get(self, scenario: Scenario) -> Outcome | None:
        return self.kept.get(scenario.key)

    def put(self, outcome: Outcome) -> None:
        self.kept[outcome.scenario.key] = outcome


class Listener:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        self.heard.append(f"asking {hypothesis}")

    def answered(self, question: Question, outcome: Outcome) -> None:
        self.heard.append(f"{question.hypothesis} {question.answer}")


def test_the_same_scenario_is_executed_once():
    run = Runner()
    gateway = Gateway(BASELINE, (), run)
    gateway.consider(FIRST)
    gateway.consider(FIRST)
    assert run.asked == [FIRST]


def test_asking_again_executes_again():
    run = Runner()
    gateway = Gateway(BASELINE, (), run)
    gateway.consider(FIRST)
    gateway.again(FIRST)
    assert run.asked == [FIRST, FIRST]


def test_the_empty_scenario_is_the_baseline_and_costs_nothing():
    gateway = Gateway(BASELINE, (), Runner())
    outcome = gateway.consider(Scenario())
    assert (outcome.verdict, outcome.trace, gateway.calls) == (Verdict.PASS, BASELINE, 0)


def test_budget_ends_the_questions():
    gateway = Gateway(BASELINE, (), Runner(), budget=1)
    gateway.consider(FIRST)
    with pytest.raises(BudgetSpent, match="1 execution is spent"):
        gateway.consider(SECOND)


def test_a_known_answer_is_given_when_the_budget_is_spent():
    gateway = Gateway(BASELINE, (), Runner(), budget=1)
    gateway.consider(FIRST)
    assert gateway.consider(FIRST).verdict is Verdict.PASS


def test_deadline_ends_the_questions():
    gateway = Gateway(BASELINE, (), Runner(), deadline=10.0, clock=lambda: 10.0)
    with pytest.raises(BudgetSpent, match="time budget"):
        gateway.consider(FIRST)


def test_after_the_deadline_nothing_is_read_from_the_store():
    cache = MemoryCache()
    Gateway(BASELINE, (), Runner(), cache=cache).consider(FIRST)
    gateway = Gateway(BASELINE, (), Runner(), cache=cache, deadline=10.0, clock=lambda: 10.0)
    with pytest.raises(BudgetSpent, match="time budget"):
        gateway.consider(FIRST)


def test_a_hang_is_asked_again():
    run = Runner(Verdict.UNRESOLVED, final=False)
    gateway = Gateway(BASELINE, (), run)
    gateway.consider(FIRST)
    gateway.consider(FIRST)
    assert len(run.asked) == 2


def test_a_hang_never_reaches_the_store():
    cache = MemoryCache()
    Gateway(BASELINE, (), Runner(final=False), cache=cache).consider(FIRST)
    assert cache.kept == {}


def test_a_stored_answer_costs_nothing_and_keeps_its_trace():
    cache = MemoryCache()
    Gateway(BASELINE, (), Runner(), cache=cache).consider(FIRST)
    resumed = Gateway(BASELINE, (), Runner(), cache=cache)
    assert (resumed.consider(FIRST).trace, resumed.calls) == (BASELINE, 0)


def test_a_remembered_answer_has_no_trace():
    gateway = Gateway(BASELINE, (), Runner())
    gateway.consider(FIRST)
    assert gateway.consider(FIRST).trace == Trace()


def test_unresolved_answers_are_counted():
    gateway = Gateway(BASELINE, (), Runner(Verdict.UNRESOLVED))
    gateway.consider(FIRST)
    assert gateway.unresolved == 1


def test_every_question_is_logged_with_its_answer():
    gateway = Gateway(BASELINE, (), Runner())
    gateway.consider(FIRST, "why not")
    gateway.consider(FIRST, "again")
    assert gateway.questions == [
        Question(FIRST, "why not", "pass", False),
        Question(FIRST, "again", "pass", True),
    ]


def test_observers_hear_of_executions_and_answers():
    listener = Listener()
    gateway = Gateway(BASELINE, (), Runner(), observers=[listener])
    gateway.consider(FIRST, "why")
    gateway.consider(FIRST, "again")
    assert listener.heard == ["asking why", "why pass", "again pass"]


def test_answer_that_changes_is_told_as_it_is_now():
    verdicts = iter([Verdict.UNRESOLVED, Verdict.PASS])
    gateway = Gateway(BASELINE, (), lambda scenario: Outcome(scenario, next(verdicts), final=False))
    gateway.consider(FIRST)
    gateway.consider(FIRST)
    first, second = (question.answer for question in gateway.questions)
    assert (first == second, second) == (False, "pass")
