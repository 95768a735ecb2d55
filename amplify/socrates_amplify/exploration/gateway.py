"""The one gateway through which every question goes: dedupe, cache, budget, execution, log."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from socrates_amplify.exploration.traces.verdicts import answer_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import OUT_OF_TIME
from socrates_amplify.model.rounds import DEFAULT_BUDGET
from socrates_amplify.model.search import BudgetSpent, Question


class Cache(Protocol):
    """A memory that outlives the process. The store provides one."""

    def get(self, scenario: Scenario) -> Outcome | None:
        """The final outcome of this scenario, with its trace, or None."""

    def put(self, outcome: Outcome) -> None:
        """Keep a final outcome."""


class Observer(Protocol):
    """Hears of every question, for live progress."""

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """An execution is about to start."""

    def answered(self, question: Question, outcome: Outcome) -> None:
        """An answer arrived, from an execution or from memory."""


class Gateway:
    """A ``Problem``: asks each scenario at most once and never more than the budget allows.

    Guarantees: ``run`` is called at most ``budget`` times, never after ``deadline`` (a value of
    ``clock``), and by ``consider`` never twice for a scenario with a final outcome; others
    (a hang that the time limit ended) are kept in no cache. The empty scenario is answered
    without an execution: it is the control. An answer from this process' own memory comes
    without its trace, so that a thousand questions about a long test fit into memory.
    """

    def __init__(
        self,
        control: Trace,
        faults: Sequence[Fault],
        run: Callable[[Scenario], Outcome],
        *,
        faults_of: Callable[[Trace], Sequence[Fault]] | None = None,
        cache: Cache | None = None,
        budget: int | None = DEFAULT_BUDGET,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        observers: Sequence[Observer] = (),
        questions: list[Question] | None = None,
    ) -> None:
        self._control = control
        self._faults = tuple(faults)
        self._run = run
        self._faults_of = faults_of
        self._cache = cache
        self._budget = budget
        self._deadline = deadline
        self._clock = clock
        self._observers = tuple(observers)
        self._known: dict[Scenario, Outcome] = {}
        self.questions: list[Question] = [] if questions is None else questions
        self._answers: dict[Scenario, str] = {}
        self.calls = 0
        self.unresolved = 0
        self.declined: dict[Scenario, str] = {}
        """Why the test skipped itself, by the scenarios under which it did."""

    @property
    def control(self) -> Trace:
        """The trace of the passing run."""
        return self._control

    @property
    def faults(self) -> Sequence[Fault]:
        """The fault space, in the order to try."""
        return self._faults

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults that this trace offers."""
        return () if self._faults_of is None else self._faults_of(trace)

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """Answer from memory, else by one execution; raises BudgetSpent when none is left."""
        known = self._recall(scenario)
        if known is not None:
            self._log(known, hypothesis, cached=True)
            return known
        return self.again(scenario, hypothesis)

    def again(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """Execute, whatever is known; raises BudgetSpent when no execution is left."""
        self._check_budget()
        for observer in self._observers:
            observer.asking(scenario, hypothesis)
        self.calls += 1
        outcome = self._run(scenario)
        if outcome.verdict is Verdict.UNRESOLVED:
            self.unresolved += 1
        if outcome.final:
            self._known[scenario] = replace(outcome, trace=Trace())
            if self._cache is not None:
                self._cache.put(outcome)
        self._log(outcome, hypothesis, cached=False)
        return outcome

    def _recall(self, scenario: Scenario) -> Outcome | None:
        if not scenario.faults:
            return Outcome(scenario, Verdict.PASS, trace=self._control)
        known = self._known.get(scenario)
        if known is None and self._cache is not None:
            self._check_time()
            known = self._cache.get(scenario)
            if known is not None and not known.final:
                return None
            if known is not None:
                self._known[scenario] = replace(known, trace=Trace())
        return known

    def _check_budget(self) -> None:
        if self._budget is not None and self.calls >= self._budget:
            noun = "execution" if self._budget == 1 else "executions"
            raise BudgetSpent(f"the budget of {self._budget} {noun} is spent")
        self._check_time()

    def _check_time(self) -> None:
        """To read what is known of a long test takes time, too."""
        if self._deadline is not None and self._clock() >= self._deadline:
            raise BudgetSpent(OUT_OF_TIME)

    def _log(self, outcome: Outcome, hypothesis: str, *, cached: bool) -> None:
        known = self._answers.get(outcome.scenario) if cached else None
        answer = self._answers[outcome.scenario] = known or answer_of(outcome)
        if outcome.declined:
            self.declined[outcome.scenario] = outcome.reason
        question = Question(outcome.scenario, hypothesis, answer, cached)
        self.questions.append(question)
        for observer in self._observers:
            observer.answered(question, outcome)
