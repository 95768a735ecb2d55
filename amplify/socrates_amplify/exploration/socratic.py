"""The default explorer: reads before it asks, and confirms only what it already believes.

One question with all faults. If it passes, the test is resilient, and single faults are sampled
because faults can mask each other. If it fails, the trace names suspects; the likeliest single
fault is asked first, then the suspect as a whole, and only then actors are searched by prefixes.
After a defect, its families of faults are set aside and the rest is asked again. Remote calls are
searched by ``outages``, for one call fails in one way only, and orders by ``orders``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from socrates_amplify.exploration.orders.goals import is_forced
from socrates_amplify.exploration.orders.search import Orders
from socrates_amplify.exploration.outages import Outages
from socrates_amplify.exploration.shrink.reducer import Reducer
from socrates_amplify.exploration.shrink.reduction import by_receiver, flatten
from socrates_amplify.exploration.traces.alternatives import is_call
from socrates_amplify.exploration.traces.families import Family, all_break, family, unique
from socrates_amplify.exploration.traces.suspicion import Reader, Suspicion
from socrates_amplify.exploration.traces.verdicts import applied, failure_of
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.labels import named
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, Defect, Exploration, ExploreOptions, Problem

MAX_ROUNDS = 3
"""How often targets that first appeared under faults may bring further ones."""


MOST_ORDERS = 24
"""So many orders are asked for: a test has other faults, and other tests wait."""


class SocraticExplorer:
    """See the module. Each defect is 1-minimal, or says that the budget ended its reduction."""

    name = "socratic"
    reads_orders = True

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Search until what is left passes, or the defects or the budget end it."""
        return _Search(problem, options).run()


class _EnoughError(Exception):
    """As many defects as wanted."""


class _Search:
    """The state of one exploration."""

    def __init__(self, problem: Problem, options: ExploreOptions) -> None:
        self._problem = problem
        self._options = options
        self._reader = Reader(problem.control, options.use_traces)
        self._space = [fault for fault in problem.faults if _is_own(fault)]
        self._known = {fault.key for fault in problem.faults}
        self._fresh: list[Fault] = []
        self._defects: list[Defect] = []
        self._reducer: Reducer | None = None
        self._outages = Outages(problem, options, self._report)
        self._orders = Orders(problem, options, self._report, MOST_ORDERS, self._defects)
        self._passed = Suspicion(())
        self._pruned: tuple[Fault, ...] = ()
        self._unanswered = ""

    def run(self) -> Exploration:
        """The whole search; what was found when the budget ended is kept."""
        note, exhausted = "", True
        try:
            self._sweep(self._space)
            self._grow()
            self._sample()
            self._outages.run()
            self._orders.run()
            self._orders.beside(self._harmless())
        except BudgetSpent as spent:
            note, exhausted = str(spent), False
            unfinished = self._reducer or self._outages.unfinished or self._orders.unfinished
            if unfinished is not None:
                self._defects.append(unfinished.defect(note))
        except _EnoughError:
            pass
        return Exploration(
            tuple(self._defects),
            exhausted,
            "; ".join(
                filter(
                    None,
                    (note or self._unanswered or self._outages.unanswered, self._orders.note),
                )
            ),
            self._pruned + self._outages.pruned,
            idle=self._orders.idle and all(map(is_forced, self._problem.faults)),
            orders=self._orders.coverage,
            passing=self._orders.passing,
        )

    def _sweep(self, faults: Sequence[Fault]) -> None:
        """Find defects until every combination of families that is left passes.

        A defect needs a fault of each of its families, so leaving out any one of the families is
        a way on; with single faults, the usual case, there is only one way.
        """
        ways = [list(faults)]
        parted: set[frozenset[Family]] = set()
        while ways:
            active = ways.pop()
            known = self._defect_within(active)
            if known is not None:
                left = frozenset(_families(active))
                if left not in parted:
                    parted.add(left)
                    ways += [_without(active, gone) for gone in reversed(_families(known.scenario))]
            elif active:
                ways += self._look_at(active)

    def _look_at(self, faults: list[Fault]) -> list[list[Fault]]:
        """Ask for all of these faults; what is to be looked at because of the answer."""
        tried, outcome = self._ask_all(faults)
        failure = failure_of(outcome)
        if failure is not None:
            return [faults] if self._reduce(tried, outcome, failure) else []
        if outcome.verdict is Verdict.UNRESOLVED:
            self._unanswered = outcome.reason
            # A test that skips itself under some faults has an answer for the others.
            return _halves(tried) or (_middle(tried) if outcome.declined else [])
        return []

    def _defect_within(self, active: Sequence[Fault]) -> Defect | None:
        families = set(_families(active))
        for defect in self._defects:
            if families.issuperset(_families(defect.scenario)):
                return defect
        return None

    def _ask_all(self, faults: list[Fault]) -> tuple[list[Fault], Outcome]:
        """Ask for all; when some find no target, ask again for those that did.

        Faults that were never applied did nothing, so a failure belongs to the others.
        """
        outcome = self._ask(faults, all_break(faults))
        hit = applied(outcome, faults)
        if outcome.verdict is Verdict.UNRESOLVED and 0 < len(hit) < len(faults):
            faults = hit
            outcome = self._ask(faults, f"the {len(hit)} faults that found their target break it")
            hit = applied(outcome, faults)
        if outcome.verdict is Verdict.PASS and outcome.trace.events:
            self._passed = self._reader.read(outcome.trace, None)
        if outcome.verdict is Verdict.FAIL and hit:
            faults = hit
        return faults, outcome

    def _ask(self, faults: Sequence[Fault], hypothesis: str) -> Outcome:
        """Ask, and take in the targets that a passing run has shown for the first time."""
        outcome = self._problem.consider(Scenario.of(faults), hypothesis)
        if outcome.verdict is Verdict.PASS and outcome.trace.events:
            for fault in self._problem.faults_of(outcome.trace):
                if fault.key not in self._known and _is_own(fault):
                    self._known.add(fault.key)
                    self._fresh.append(fault)
        return outcome

    def _reduce(self, faults: Sequence[Fault], outcome: Outcome, failure: Failure) -> bool:
        """Report one defect; False when there is none because it did not repeat."""
        suspicion = self._reader.read(outcome.trace, failure)
        reducer = Reducer(self._problem, self._options, suspicion, faults, failure, outcome.final)
        self._reducer = reducer
        reducer.reduce()
        self._pruned = self._pruned or reducer.pruned
        if reducer.repeats:
            self._report(reducer.defect())
        else:
            self._reducer = None
            self._unanswered = f"once, but not again: {reducer.failure.message}"
        return reducer.repeats

    def _harmless(self) -> list[Fault]:
        """Faults that break nothing together: those that no defect needs."""
        broken = {one for defect in self._defects for one in _families(defect.scenario)}
        return [fault for fault in self._space if family(fault) not in broken]

    def _report(self, defect: Defect) -> None:
        self._reducer = None
        self._defects.append(defect)
        if self._options.max_defects is not None and (
            len(self._defects) >= self._options.max_defects
        ):
            raise _EnoughError

    def _grow(self) -> None:
        """Targets that first appeared under faults join the space."""
        for _ in range(MAX_ROUNDS):
            if not self._fresh:
                return
            self._space += self._fresh
            self._fresh = []
            self._sweep(self._space)

    def _sample(self) -> None:
        """Faults can mask each other: ask each kind alone, then one fault of each family.

        Targets that first appeared under other faults are left out: without those there are none.
        """
        offered = [fault for fault in self._problem.faults if _is_own(fault)]
        kinds = unique(fault.kind for fault in offered)
        if len(kinds) > 1:
            for kind in kinds:
                self._sweep([fault for fault in offered if fault.kind == kind])
        sampled: set[Family] = set()
        for fault in self._passed.order(offered):
            if family(fault) in sampled or self._defect_within([fault]) is not None:
                continue
            sampled.add(family(fault))
            outcome = self._ask([fault], f"others masked {named(fault)}")
            failure = failure_of(outcome)
            if failure is not None:
                self._report(Defect(Scenario.of([fault]), failure))


def _is_own(fault: Fault) -> bool:
    """Whether this search asks for it; calls and orders have searches of their own."""
    return not is_call(fault) and not is_forced(fault)


def _families(faults: Iterable[Fault]) -> list[Family]:
    return unique(family(fault) for fault in faults)


def _without(faults: Sequence[Fault], gone: Family) -> list[Fault]:
    return [fault for fault in faults if family(fault) != gone]


def _halves(faults: Sequence[Fault]) -> list[list[Fault]]:
    """Two parts with whole actors in them; none when there is only one actor."""
    units = by_receiver(faults)
    middle = len(units) // 2
    return [flatten(units[:middle]), flatten(units[middle:])] if middle else []


def _middle(faults: Sequence[Fault]) -> list[list[Fault]]:
    """Two parts of about the same size; none when there is only one fault."""
    middle = len(faults) // 2
    return [list(faults[:middle]), list(faults[middle:])] if middle else []
