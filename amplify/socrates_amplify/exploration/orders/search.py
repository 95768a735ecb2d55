"""Which orders to force: both orders of every two messages that no promise orders.

The search of Bita (Tasharofi et al. 2013) in a closed loop. A run under control, without anything
forced, shows which messages of one receiver could have changed places. Each such pair is a goal:
one message is held back until the other one has been handled. Every run shows further pairs, of
messages that only another order brings about, and these are goals together with what led to them.
Where few orders are left, all of them are asked for; where many are, some by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from socrates_amplify.exploration.orders.all_orders import AllOrders
from socrates_amplify.exploration.orders.baseline import Baseline
from socrates_amplify.exploration.orders.goals import Goal, Goals, hold, kinship_of
from socrates_amplify.exploration.orders.sampling import Sampling, full_order
from socrates_amplify.exploration.orders.swaps import (
    asked_only_here,
    changes_order,
    inside_tasks,
)
from socrates_amplify.exploration.shrink.reduction import needed_units
from socrates_amplify.exploration.shrink.shrinking import Shrinking
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.order_coverage import OrderCoverage
from socrates_amplify.model.orders import (
    THREADS,
    Schedule,
    is_again,
    is_preempted,
    is_unforced,
    named_sends,
    pair_of,
)
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import (
    BudgetSpent,
    Defect,
    ExploreOptions,
    Problem,
)

MAX_PASSING = 12
"""So many orders are tried to see whether a test that fails under control can pass there."""
MOST_MISFITS = 2
"""After so many runs in which orders did not fit together, each is asked for by itself."""
MOST_SAMPLES, FEW_SAMPLES = 200, 6
"""So many orders are left to chance at most; few where other faults are asked about, too."""
MOST_VAIN_SAMPLES = 2
"""After so many orders by chance that say nothing, or nothing new, the others would not either."""
_MANY = 8
"""With more faults than these, what is needed is searched for before each is left out."""


class OrdersReduction(Shrinking):
    """Leaves out every hold, and every other fault, that is not needed."""

    def _search(self, relevant: Sequence[Fault]) -> None:
        """Few faults are left out in turn, which ``reduce`` does anyway."""
        if len(relevant) > _MANY:
            units = [[fault] for fault in relevant]
            needed_units(units, (), self._fails, "holds")


class Orders:
    """One search. Defects are handed to ``report`` as they are found.

    ``most`` limits the executions for goals, where other faults have to be asked about, too;
    ``known`` are the defects that were found with them.
    """

    def __init__(
        self,
        problem: Problem,
        options: ExploreOptions,
        report: Callable[[Defect], None],
        most: int | None = None,
        known: Sequence[Defect] = (),
    ) -> None:
        self._problem = problem
        self._options = options
        self._report = report
        self._left = most
        self._known = known
        self._goals = Goals(options.criterion)
        self._failures: list[Failure] = []
        self._traces: list[Trace] = []
        self._count = 0
        self._samples = ""
        self._cut = False
        self._misfits = 0
        self._controlled = False
        self.unfinished: OrdersReduction | None = None
        self.note = ""
        self.passing = Trace()
        """A run under control that passes."""
        self.idle = False
        """Whether no order could be tried: there is only one, or none can be forced."""

    @property
    def coverage(self) -> OrderCoverage:
        """What was seen of the pairs that nothing orders."""
        return replace(self._goals.coverage, orders=self._count)

    def run(self) -> None:
        """The whole search; nothing where no run under control is offered."""
        for fault in self._problem.faults:
            if is_unforced(fault):
                self._search(fault)

    def beside(self, others: Sequence[Fault]) -> None:
        """Ask for orders once more while ``others`` happen, which break nothing by themselves.

        Those that change an order themselves are left out: a forced order would only contradict them.
        """
        others = [fault for fault in others if not kind_of(fault.kind).changes_order]
        unforced = [fault for fault in self._problem.faults if is_unforced(fault)]
        if not self._controlled or not unforced or not others:
            return
        together = Scenario.of((*others, *unforced))
        outcome = self._problem.consider(together, "faults and orders together break the test")
        failure = failure_of(outcome)
        if failure is not None:
            self._reduce([*others, *unforced], failure)
            return
        if outcome.verdict is not Verdict.PASS:
            return
        if not self._goals.free:
            self.note = ""  # there is another order once something happens twice
        goals, self._goals = self._goals, self._goals.beside()
        try:
            self._learn(outcome.trace, tuple(others))
            self._ask_for_goals()
        finally:
            self._goals = goals

    def _search(self, unforced: Fault) -> None:
        baseline = Baseline.of(self._problem.consider, unforced)
        second = baseline.outcomes[-1]
        if baseline.why_not:
            self.idle, self.note = True, f"its orders were not tried: {baseline.why_not}"
            return
        self._learn(second.trace, ())
        failure = failure_of(second)
        if failure is not None:
            self._find_passing(second, failure)
            return
        self.passing = second.trace
        self.idle, self._controlled = not self._goals.any, True
        try:
            self._ask_for_goals()
            if self._goals.free and not self._failures:
                self._ask_for_more(unforced)
        finally:
            self.note = self._told()

    def _ask_for_goals(self) -> None:
        while (goal := self._goals.next()) is not None:
            if self._left is not None and self._left <= 0:
                self._cut = True
                return
            self._left = None if self._left is None else self._left - 1
            self._try_together(goal)

    def _ask_for_more(self, unforced: Fault) -> None:
        """All orders where there are few, else some by chance."""
        every = AllOrders(self._goals, self._traces)
        while (wanted := every.next()) is not None:
            scenario = Scenario.of(wanted)
            outcome = self._problem.consider(scenario, "another order of everything breaks it")
            failure = failure_of(outcome)
            if failure is not None:
                self._reduce(wanted, failure)
                return
            if outcome.trace.events:
                self._learn(outcome.trace, ())
        self._count = every.count
        if not self._count:
            self._ask_for_each()
        if not self._count and not self._failures:
            self._sample(Sampling(unforced, self._traces[0], self._options.seed))

    def _ask_for_each(self) -> None:
        """Each pair by itself that was only seen together with others, until one can't be."""
        for _ in range(MOST_SAMPLES if self._left is None else FEW_SAMPLES):
            goal = self._goals.next_alone()
            if goal is None or self._failures or not self._try(goal):
                return

    def _sample(self, sampling: Sampling) -> None:
        """Spend what is left on orders by chance; the search is complete without them."""
        vain = 0
        known = {Schedule.of(trace) for trace in self._traces}
        for fault in sampling.faults(MOST_SAMPLES if self._left is None else FEW_SAMPLES):
            try:
                outcome = self._problem.consider(Scenario.of([fault]), f"{fault.message} breaks it")
            except BudgetSpent:
                return
            failure = failure_of(outcome)
            if failure is not None:
                self._reduce_sample(fault, outcome, failure)
                return
            schedule = Schedule.of(outcome.trace)
            if outcome.verdict is Verdict.UNRESOLVED or schedule in known:
                vain += 1
            else:
                self._samples = sampling.told
                known.add(schedule)
            if vain == MOST_VAIN_SAMPLES:
                return
            self._learn(outcome.trace, ())

    def _reduce_sample(self, fault: Fault, outcome: Outcome, failure: Failure) -> None:
        """Tell the fewest holds that break it as chance did; else that very choice, which repeats."""
        holds = full_order(outcome.trace, fault.kind)
        forced = self._problem.consider(Scenario.of(holds), "the same order breaks it when forced")
        found = failure_of(forced)
        self._reduce([fault] if found is None else holds, found or failure)

    def _find_passing(self, unforced: Outcome, failure: Failure) -> None:
        """Under control it fails: if another order lets it pass, the order is to blame.

        Else control itself may be what it does not bear, and nothing is told of its orders.
        """
        told = f"{failure.type}: {failure.told}"
        for _ in range(MAX_PASSING):
            goal = self._goals.next()
            if goal is None:
                break
            self._goals.count(goal)
            scenario = Scenario.of((goal.fault,))
            outcome = self._problem.consider(scenario, f"it passes with {goal.fault.message}")
            if outcome.verdict is Verdict.PASS:
                fault = _opposite(goal.fault, unforced.trace)
                asked = Scenario.of([fault])
                failed = failure_of(self._problem.consider(asked, f"{fault.message} breaks it"))
                if failed is not None:
                    self.passing = outcome.trace
                    self._goals.broke(asked)
                    self._report(Defect(asked, failed))
                    self.note = self._told()
                    return
            elif outcome.trace.events:
                self._learn(outcome.trace, ())
        self.idle, self.note = True, f"its orders were not tried: under control it fails: {told}"

    def _learn(self, trace: Trace, parents: tuple[Fault, ...]) -> None:
        offered = self._problem.faults_of(trace)
        if self._left is not None:
            offered = asked_only_here(offered, trace)
        self._goals.learn(trace, offered, parents)
        if not parents:
            self._traces.append(trace)

    def _try_together(self, goal: Goal) -> None:
        """Ask for ``goal``, with all that fits to it where one like it was asked for already."""
        goals = [goal]
        if self._options.criterion != "pcr" and self._misfits < MOST_MISFITS and self._traces:
            goals = self._goals.together(goal, self._traces[0])
        faults = tuple(one.fault for one in goals)
        scenario = Scenario.of(faults)
        if len(goals) == 1 or scenario in self._goals.asked:
            self._try(goal)
            return
        self._goals.asked.add(scenario)
        outcome = self._problem.consider(scenario, f"{len(goals)} orders at once break the test")
        failure = failure_of(outcome)
        if failure is not None:
            self._reduce(faults, failure)
        elif outcome.trace.events:
            fits = outcome.verdict is Verdict.PASS
            self._misfits += not fits
            self._learn(outcome.trace, faults if fits else ())
            if fits:
                self._traces.append(outcome.trace)

    def _try(self, goal: Goal) -> bool:
        """Ask for ``goal``; False where it could not be reached."""
        faults = (*goal.parents, goal.fault)
        self._goals.count(goal)
        outcome = self._problem.consider(goal.scenario, f"{goal.fault.message} breaks the test")
        failure = failure_of(outcome)
        if failure is not None:
            self._reduce(faults, failure)
        elif outcome.trace.events:
            reached = outcome.verdict is Verdict.PASS
            if reached:
                self._goals.reach(goal)
            else:
                self._goals.in_vain(goal)
            parents = faults if reached else goal.parents
            self._learn(outcome.trace, parents)
            if parents:  # else it has been kept with what was learned
                self._traces.append(outcome.trace)
        return outcome.verdict is not Verdict.UNRESOLVED

    def _reduce(self, faults: Sequence[Fault], failure: Failure) -> None:
        # An order breaks a test every time or not at all: that is asked even of a single one.
        reduction = OrdersReduction(self._problem, self._options, faults, failure, final=False)
        self.unfinished = reduction
        reduction.reduce()
        self.unfinished = None
        if not reduction.repeats:
            return
        pairs = self._goals.broke(reduction.best)
        vague = bool(pairs) and all(
            kinship_of(pair)[0] == THREADS or is_preempted(pair) for pair in pairs
        )
        late_copy = any(is_again(name) for pair in pairs for name in pair)
        vague = vague or inside_tasks(pairs, self._problem.control)
        told = [*self._failures, *(one.failure for one in self._known if changes_order(one))]
        if (vague or late_copy) and reduction.failure in told:
            return  # told already, with the object that the threads share, or with a nearer message
        self._failures.append(reduction.failure)
        self._report(reduction.defect())

    def _told(self) -> str:
        found = self.coverage
        if not found.pairs and found.criterion == "pbr":
            return "no message of which the order is free changes how an actor behaves"
        if not found.pairs and self._goals.any:
            return "orders: no free pair, only threads that may stand still"
        if not found.pairs:
            return "nothing in it can come in another order"
        if found.orders:
            return f"orders: all {found.orders} orders"
        noun = "pair" if found.pairs == 1 else "pairs"
        near = ", next to each other" if found.criterion == "pcr" else ""
        told = f"orders: {found.pairs} free {noun}, {found.both} seen in both orders{near}"
        if found.impossible:
            told += f", {found.impossible} impossible"
        if self._cut:
            told += "; --explorer schedules asks for the rest"
        return f"{told}; {self._samples}" if self._samples else told


def _opposite(fault: Fault, trace: Trace) -> Fault:
    """The fault that forces the order which ``fault`` forbids; ``trace`` knows both messages."""
    pair = pair_of(fault.detail)
    reversed_pair = hold(fault.kind, pair[::-1], named_sends(trace)) if pair else None
    return reversed_pair or fault
