"""Which orders to force: both orders of every two messages that no promise orders.

The search of Bita (Tasharofi et al. 2013) in a closed loop. A run under control, without anything
forced, shows which messages of one receiver could have changed places. Each such pair is a goal:
one message is held back until the other one has been handled. Every run shows further pairs, of
messages that only another order brings about, and these are goals together with what led to them.
Goals that are unlike all that was tried come first: one of each kind of pair, then the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from socrates_amplify.exploration.shrink.shrinking import Shrinking
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import (
    NOT_CONTROLLED,
    THREADS,
    Pair,
    Schedule,
    forced,
    is_step,
    named_sends,
    pair_of,
    told_order,
)
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import (
    BudgetSpent,
    Defect,
    Exploration,
    ExploreOptions,
    Problem,
)

MAX_TRIES = 2
"""So often a pair is asked for, each time with other orders forced before it."""

MAX_PASSING = 12
"""So many orders are tried to see whether a test that fails under control can pass there."""

Kinship = tuple[str, str, str]
"""The receiver of two messages, and their types."""


def is_forced(fault: Fault) -> bool:
    """Whether this fault is about the order of a run under control."""
    return kind_of(fault.kind).schedules


@dataclass(frozen=True, slots=True)
class _Goal:
    fault: Fault
    pair: Pair
    parents: tuple[Fault, ...]
    number: int

    @property
    def kinship(self) -> Kinship:
        return kinship_of(self.pair)


class OrdersReduction(Shrinking):
    """Leaves out every hold, and every other fault, that is not needed."""

    def _search(self, relevant: Sequence[Fault]) -> None:
        """Few faults come here, so each is left out in turn, which ``reduce`` does anyway."""


class Orders:
    """One search. Defects are handed to ``report`` as they are found.

    Guarantee: unless limits end it, each pair that some run showed to be free was seen in both
    orders, or was asked for in vain, or has the kinship of a pair that breaks the test.
    """

    def __init__(
        self, problem: Problem, options: ExploreOptions, report: Callable[[Defect], None]
    ) -> None:
        self._problem = problem
        self._options = options
        self._report = report
        self._goals: list[_Goal] = []
        self._free: set[frozenset[str]] = set()
        self._seen: set[Pair] = set()
        self._tries: Counter[Pair] = Counter()
        self._kin: Counter[Kinship] = Counter()
        self._broken: set[Kinship] = set()
        self._asked: set[Scenario] = set()
        self._failures: list[Failure] = []
        self.unfinished: OrdersReduction | None = None
        self.note = ""
        self.idle = False
        """Whether no order could be tried: there is only one, or none can be forced."""

    def run(self) -> None:
        """The whole search; nothing where no run under control is offered."""
        for fault in self._problem.faults:
            if is_forced(fault) and pair_of(fault.detail) is None:
                self._search(fault)

    def _search(self, unforced: Fault) -> None:
        scenario = Scenario.of([unforced])
        first = self._problem.consider(scenario, "it passes with one thread at a time")
        why_not, second = _uncontrolled(first), first
        if not why_not:
            second = self._problem.again(scenario, "it does the same thing again")
            why_not = _uncontrolled(second) or _difference(first, second)
        if why_not:
            self.idle, self.note = True, f"its orders were not tried: {why_not}"
            return
        self._learn(second.trace, ())
        failure = failure_of(second)
        if failure is not None:
            self._find_passing(second, failure)
            return
        self.idle = not self._free
        try:
            while (goal := self._next()) is not None:
                self._try(goal)
        finally:
            self.note = self._coverage()

    def _find_passing(self, unforced: Outcome, failure: Failure) -> None:
        """Under control it fails: if another order lets it pass, the order is to blame.

        Else control itself may be what it does not bear, and nothing is told of its orders.
        """
        told = f"{failure.type}: {failure.message}"
        for _ in range(MAX_PASSING):
            goal = self._next()
            if goal is None:
                break
            self._count(goal)
            scenario = Scenario.of((goal.fault,))
            outcome = self._problem.consider(scenario, f"it passes with {goal.fault.message}")
            if outcome.verdict is Verdict.PASS:
                fault = _opposite(goal.fault, unforced.trace)
                asked = Scenario.of([fault])
                failed = failure_of(self._problem.consider(asked, f"{fault.message} breaks it"))
                if failed is not None:
                    self._report(Defect(asked, failed))
                    self.note = self._coverage()
                    return
            elif outcome.trace.events:
                self._learn(outcome.trace, ())
        self.idle, self.note = True, f"its orders were not tried: under control it fails: {told}"

    def _learn(self, trace: Trace, parents: tuple[Fault, ...]) -> None:
        """Take in what a run showed: the orders that it had, and those that it could have had."""
        self._seen.update(Schedule.of(trace).pairs)
        for fault in self._problem.faults_of(trace):
            pair = pair_of(fault.detail) if is_forced(fault) else None
            if pair is not None:
                self._free.add(frozenset(pair))
                self._goals.append(_Goal(fault, pair, parents, len(self._goals)))

    def _next(self) -> _Goal | None:
        """The goal that is least like what was tried; those that are reached already are left out.

        Of what threads do, one of each kinship is asked for all the same: two threads that each
        hold a lock are no matter of which of them came first.
        """
        self._goals = [goal for goal in self._goals if self._is_open(goal)]
        return min(self._goals, key=self._rank, default=None)

    def _is_open(self, goal: _Goal) -> bool:
        known = goal.pair in self._seen
        if known and is_step(goal.pair[0]) and not self._kin[goal.kinship]:
            known = False
        if known or self._tries[goal.pair] >= MAX_TRIES:
            return False
        holds = (goal.fault, *goal.parents)
        kin = {kinship_of(pair) for fault in holds if (pair := pair_of(fault.detail)) is not None}
        return self._broken.isdisjoint(kin) and Scenario.of(holds) not in self._asked

    def _rank(self, goal: _Goal) -> tuple[int, bool, bool, int, int]:
        receiver, one, other = goal.kinship
        vague = receiver == THREADS
        return (self._kin[goal.kinship], vague, one == other, len(goal.parents), goal.number)

    def _try(self, goal: _Goal) -> None:
        faults = (*goal.parents, goal.fault)
        self._count(goal)
        scenario = Scenario.of(faults)
        outcome = self._problem.consider(scenario, f"{goal.fault.message} breaks the test")
        failure = failure_of(outcome)
        if failure is not None:
            self._reduce(faults, outcome, failure)
        elif outcome.trace.events:
            reached = outcome.verdict is Verdict.PASS
            if reached:
                self._seen.add(goal.pair)
            self._learn(outcome.trace, faults if reached else goal.parents)

    def _count(self, goal: _Goal) -> None:
        self._tries[goal.pair] += 1
        self._kin[goal.kinship] += 1
        self._asked.add(Scenario.of((*goal.parents, goal.fault)))

    def _reduce(self, faults: Sequence[Fault], outcome: Outcome, failure: Failure) -> None:
        reduction = OrdersReduction(self._problem, self._options, faults, failure, outcome.final)
        self.unfinished = reduction
        reduction.reduce()
        self.unfinished = None
        if not reduction.repeats:
            return
        pairs = [pair for fault in reduction.best if (pair := pair_of(fault.detail)) is not None]
        self._broken |= {kinship_of(pair) for pair in pairs}
        vague = all(kinship_of(pair)[0] == THREADS for pair in pairs)
        if vague and reduction.failure in self._failures:
            return  # told already, with the object that the threads share
        self._failures.append(reduction.failure)
        self._report(reduction.defect())

    def _coverage(self) -> str:
        if not self._free:
            return "nothing in it can come in another order"
        both = sum(
            1
            for one, other in map(tuple, self._free)
            if (one, other) in self._seen and (other, one) in self._seen
        )
        noun = "pair" if len(self._free) == 1 else "pairs"
        return f"orders: {len(self._free)} free {noun}, {both} seen in both orders"


class SchedulesExplorer:
    """Looks for orders alone, whatever other faults there are."""

    name = "schedules"

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Search until every free pair was seen in both orders, or limits end it."""
        defects: list[Defect] = []

        def report(defect: Defect) -> None:
            defects.append(defect)
            if options.max_defects is not None and len(defects) >= options.max_defects:
                raise _EnoughError

        orders = Orders(problem, options, report)
        try:
            orders.run()
        except BudgetSpent as spent:
            if orders.unfinished is not None:
                defects.append(orders.unfinished.defect(str(spent)))
            return Exploration(tuple(defects), False, _joined(orders.note, str(spent)))
        except _EnoughError:
            pass
        return Exploration(tuple(defects), True, orders.note, idle=orders.idle)


class _EnoughError(Exception):
    """As many defects as wanted."""


def _uncontrolled(outcome: Outcome) -> str:
    """Why a run was not under control; empty where it was."""
    if outcome.status == "hung":
        return "it did not come to its end"
    if outcome.verdict is not Verdict.UNRESOLVED:
        return ""
    return outcome.reason.partition(f"{NOT_CONTROLLED}: ")[2] or outcome.reason


def _difference(first: Outcome, second: Outcome) -> str:
    """How two runs under control differ; empty where they do not."""
    if first.verdict is not second.verdict:
        return "two runs under control end differently"
    if first.trace.events and Schedule.of(first.trace) != Schedule.of(second.trace):
        return "two runs under control differ"
    return ""


def _opposite(fault: Fault, trace: Trace) -> Fault:
    """The fault that forces the order which ``fault`` forbids; ``trace`` knows both messages."""
    pair = pair_of(fault.detail)
    sends = named_sends(trace)
    if pair is None or not all(name in sends for name in pair):
        return fault
    held, awaited, detail = sends[pair[0]], sends[pair[1]], forced(*pair)
    told = told_order(held, awaited, detail)
    return Fault(held.target, fault.kind, held.sender, held.receiver, told, detail)


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def kinship_of(pair: Pair) -> Kinship:
    """The receiver of two messages, and their types, from their names."""
    first, second = pair
    return (_parts(first)[0], _parts(first)[1], _parts(second)[1])


def _parts(name: str) -> tuple[str, str]:
    ends, _, rest = name.partition(" ")
    return ends.partition(">")[2], rest.rpartition(" ")[0]
