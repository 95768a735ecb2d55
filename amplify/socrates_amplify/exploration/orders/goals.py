"""What to ask for next: the order of two messages that no run has shown yet.

A pair is free if no promise orders it. By the criterion ``pr`` both orders of it have to be seen;
by ``pcr`` both with nothing between them; ``pbr`` asks only for pairs of which one message changes
how its receiver behaves, with no such change between them. The names are those of Bita
(Tasharofi et al. 2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from socrates.classes.lazy import dataclass
from socrates_amplify.exploration.orders.batches import Batch
from socrates_amplify.exploration.orders.matrix import receivers_of
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.order_coverage import BOTH, BROKE, IMPOSSIBLE, ONE, OrderCoverage
from socrates_amplify.model.orders import (
    THREADS,
    Pair,
    Schedule,
    changes_behaviour,
    forced,
    is_again,
    is_preempted,
    is_step,
    is_then,
    named_sends,
    order_kind,
    pair_of,
    receiver_of,
    then,
    told_order,
    without_then,
)

MAX_TRIES = 2
"""So often a pair is asked for, each time with other orders forced before it."""
MOST_VAIN = 4
"""So many pairs of one kinship are asked for in vain, if none is reached, before the others are left out."""

Kinship = tuple[str, str, str]
"""The receiver of two messages, and their types."""


def is_forced(fault: Fault) -> bool:
    """Whether this fault is about the order of a run under control."""
    return kind_of(fault.kind).schedules


def kinship_of(pair: Pair) -> Kinship:
    """The receiver of two messages, and their types, from their names."""
    first, second = pair
    return (receiver_of(first), _type_of(first), _type_of(second))


def _type_of(name: str) -> str:
    sort = name.partition(" ")[2].rpartition(" ")[0]
    return then(sort) if is_then(name) else sort


def hold(kind: str, pair: Pair, sends: dict[str, Send]) -> Fault | None:
    """The fault by which the second of ``pair`` waits for the first; both have to be in ``sends``."""
    awaited, held = sends.get(pair[0]), sends.get(without_then(pair[1]))
    if awaited is None or held is None:
        return None
    detail = forced(pair[1], pair[0])
    told = told_order(held, awaited, detail)
    return Fault(held.target, kind, held.sender, held.receiver, told, detail)


@dataclass(frozen=True, slots=True)
class Goal:
    """An order to ask for, with the faults under which it was seen to be possible."""

    fault: Fault
    pair: Pair
    parents: tuple[Fault, ...]
    number: int

    @property
    def kinship(self) -> Kinship:
        """What is alike in pairs that break a test in the same way."""
        return kinship_of(self.pair)

    @property
    def scenario(self) -> Scenario:
        """All that is asked for."""
        return Scenario.of((*self.parents, self.fault))


class Goals:
    """The free pairs of a test, what was seen of each, and what is still to be asked.

    Guarantee: while ``next`` is asked to its end, each pair was seen in both orders, or asked for
    ``MAX_TRIES`` times in vain, or has the kinship of a pair that breaks the test, or one of which
    ``MOST_VAIN`` tries were in vain and none was not, or was possible only together with orders that
    did not go with one like it. A pair that was seen only in runs where others were reversed, too,
    is one of ``next_alone``.
    """

    def __init__(self, criterion: str) -> None:
        self.criterion = criterion
        self.free: set[frozenset[str]] = set()
        self.broken: set[Kinship] = set()
        self.asked: set[Scenario] = set()
        self._goals: list[Goal] = []
        self._offered: dict[Pair, Goal] = {}
        """Those that need nothing else to be forced."""
        self._places: dict[str, tuple[int, int]] = {}
        """Of each message of the first run, in which nothing was forced: its receiver, and its place there."""
        self._seen: set[Pair] = set()
        self._tries: Counter[Pair] = Counter()
        self._kin: Counter[Kinship] = Counter()
        self._vain: Counter[Kinship] = Counter()
        self._reached: set[Kinship] = set()
        self._misfits: set[Kinship] = set()
        """Those of steps that could not be reached together with what led to them."""
        self._beside: Counter[Pair] = Counter()
        self._turning: set[frozenset[str]] = set()
        self._broke: set[frozenset[str]] = set()
        self._told: dict[str, str] = {}

    def beside(self) -> Goals:
        """Goals for runs in which other faults happen: what is known to break or to be in vain stays so."""
        goals = Goals(self.criterion)
        goals.broken |= self.broken
        goals.asked |= self.asked
        goals._vain, goals._reached = self._vain.copy(), set(self._reached)
        return goals

    def learn(self, trace: Trace, faults: Iterable[Fault], parents: tuple[Fault, ...]) -> None:
        """Take in what a run showed: the orders that it had, and those that it could have had."""
        schedule = Schedule.of(trace)
        consecutive = self.criterion == "pcr"
        if not self._places:
            for lane, mail in enumerate(schedule.sequences):
                self._places.update((name, (lane, place)) for place, name in enumerate(mail))
        self._seen.update(schedule.neighbours)
        if not consecutive:
            # A second delivery that comes after everything says little of one that comes earlier.
            self._seen.update(pair for pair in schedule.pairs if not any(map(is_again, pair)))
        self._turning.update(turning_pairs(schedule, changes_behaviour(trace)))
        for fault in faults:
            pair = pair_of(fault.detail) if is_forced(fault) else None
            if pair is None:
                continue
            if self.criterion == "pbr" and frozenset(pair) not in self._turning:
                continue
            if not is_preempted(pair):
                self.free.add(frozenset(pair))
            goal = Goal(fault, pair, parents, len(self._goals))
            self._goals.append(goal)
            if not parents:
                self._offered.setdefault(pair, goal)
        for name, send in named_sends(trace).items():
            self._told.setdefault(name, f"{send.message} of {send.sender}")
        if consecutive:
            self._goals.extend(self._between(trace, schedule, parents))

    @property
    def any(self) -> bool:
        """Whether there is anything left to ask for, or was."""
        return bool(self.free or self._goals or self.asked)

    def next(self) -> Goal | None:
        """The goal that is least like what was tried; those that are reached already are left out.

        Of what threads do, one of each kinship is asked for all the same: two threads that each
        hold a lock are no matter of which of them came first.
        """
        self._goals = [goal for goal in self._goals if self._is_open(goal)]
        return min(self._goals, key=self._rank, default=None)

    def next_alone(self) -> Goal | None:
        """A goal that was reached by the way only, or for which others stood: it by itself may be another order."""
        left = [goal for goal in self._offered.values() if self._is_open_alone(goal)]
        return min(left, key=self._rank_alone, default=None)

    def together(self, goal: Goal, control: Trace) -> list[Goal]:
        """Goals that one run can reach, ``goal`` among them; it alone where it is new of its kind.

        One order by itself is what breaks a test most often, and tells most.
        """
        if goal.parents or is_step(goal.pair[0]) or not self._kin[goal.kinship]:
            return [goal]
        batch = Batch(control, self.free)
        fit = [one for one in sorted(self._goals, key=self._rank) if _fits(one, batch)]
        return fit if goal in fit else [goal]

    def count(self, goal: Goal) -> None:
        """``goal`` is asked for."""
        self._tries[goal.pair] += 1
        self._kin[goal.kinship] += 1
        self._beside[goal.pair] += bool(goal.parents)
        self.asked.add(goal.scenario)

    def in_vain(self, goal: Goal) -> None:
        """The order of ``goal`` was not there: what threads can't do once is not asked for again."""
        self._vain[goal.kinship] += 1
        if is_step(goal.pair[0]):
            self._tries[goal.pair] = MAX_TRIES
            if goal.parents:
                self._misfits.add(goal.kinship)

    def reach(self, goal: Goal) -> None:
        """The order of ``goal`` was there."""
        self._seen.add(goal.pair)
        self._reached.add(goal.kinship)

    def broke(self, faults: Iterable[Fault]) -> list[Pair]:
        """The pairs whose order these faults force, which break the test: none like them is asked for."""
        pairs = _pairs_of(faults)
        self.broken |= {kinship_of(pair) for pair in pairs}
        self._broke |= {frozenset(pair) for pair in pairs}
        return pairs

    @property
    def coverage(self) -> OrderCoverage:
        """What was seen of the pairs that nothing orders. The order that breaks a test was seen, too."""
        states = {pair: self._state(pair) for pair in self.free}
        counts = Counter(states.values())
        messages = frozenset().union(*self.free)
        both, vain = counts[BOTH] + counts[BROKE], counts[IMPOSSIBLE]
        told = receivers_of(states, self._told)
        return OrderCoverage(
            self.criterion, len(messages), len(self.free), both, vain, receivers=told
        )

    def _state(self, pair: frozenset[str]) -> str:
        if pair in self._broke:
            return BROKE
        one, other = sorted(pair)
        missing = [order for order in ((one, other), (other, one)) if order not in self._seen]
        if not missing:
            return BOTH
        return IMPOSSIBLE if any(self._tries[order] >= MAX_TRIES for order in missing) else ONE

    def _between(
        self, trace: Trace, schedule: Schedule, parents: tuple[Fault, ...]
    ) -> Iterator[Goal]:
        """Goals that bring two messages next to each other in the order that they have."""
        sends, kind = named_sends(trace), order_kind()
        for mail in schedule.sequences:
            for position, second in enumerate(mail):
                for first in mail[: max(position - 1, 0)]:
                    before = mail[position - 1]
                    if {frozenset((first, second)), frozenset((first, before))} <= self.free:
                        fault = hold(kind, (before, first), sends)
                        if fault is not None:
                            yield Goal(fault, (first, second), parents, len(self._goals))

    def _is_open(self, goal: Goal) -> bool:
        before = _pairs_of(goal.parents)
        if goal.pair[::-1] in before or self._is_told_already(goal):
            return False
        kin = {goal.kinship, *map(kinship_of, before)}
        if goal.scenario in self.asked or not self.broken.isdisjoint(kin):
            return False
        if self._is_vain(goal) or (goal.parents and goal.kinship in self._misfits):
            return False
        known = goal.pair in self._seen
        if any(map(is_preempted, before)) and self._kin[goal.kinship]:
            in_turn = any(_goes_on_in(goal.pair, pair) for pair in before)
            return in_turn and self._beside[goal.pair] < MAX_TRIES
        if known and is_step(goal.pair[0]) and not self._kin[goal.kinship]:
            known = False
        return not known and self._tries[goal.pair] < MAX_TRIES

    def _is_open_alone(self, goal: Goal) -> bool:
        if goal.scenario in self.asked or goal.kinship in self.broken or is_preempted(goal.pair):
            return False
        return self._distance(goal.pair) <= 0 and not self._is_vain(goal)

    def _is_vain(self, goal: Goal) -> bool:
        """Whether others like it could not be reached. A second delivery comes when it comes."""
        vain = self._vain[goal.kinship] >= MOST_VAIN and goal.kinship not in self._reached
        return vain and not any(map(is_again, goal.pair))

    def _is_told_already(self, goal: Goal) -> bool:
        """Whether a thread that stands still there would show what is known, or was asked for enough."""
        if not is_preempted(goal.pair):
            return False
        _, _, held = goal.kinship
        broken = any(without_then(held) in types for _, *types in self.broken)
        return broken or self._kin[goal.kinship] >= MAX_TRIES

    def _rank_alone(self, goal: Goal) -> tuple[int, tuple[int, bool, bool, bool, int, int]]:
        """What changes least comes first: two messages that follow each other."""
        return (abs(self._distance(goal.pair)), self._rank(goal))

    def _distance(self, pair: Pair) -> int:
        """How far behind the first message the second one came in the first run; 0 where that is not known."""
        first, second = (self._places.get(name) for name in pair)
        if first is None or second is None or first[0] != second[0]:
            return 0
        return second[1] - first[1]

    def _rank(self, goal: Goal) -> tuple[int, bool, bool, bool, int, int]:
        receiver, one, other = goal.kinship
        vague = receiver == THREADS or is_preempted(goal.pair)
        calm = frozenset(goal.pair) not in self._turning
        tried = self._kin[goal.kinship]
        alike = one == other and not any(map(is_again, goal.pair))
        # A thread stands still at the last moment first: what it did before, it has done by then.
        number = -goal.number if is_preempted(goal.pair) else goal.number
        return (tried, vague, alike, calm, len(goal.parents), number)


def _pairs_of(faults: Iterable[Fault]) -> list[Pair]:
    """The pairs whose order these faults force."""
    return [pair for fault in faults if (pair := pair_of(fault.detail)) is not None]


def _goes_on_in(pair: Pair, preempted: Pair) -> bool:
    """Whether the thread that goes on while another one stands still is to wait for it in turn.

    That order may have been seen, but not in the middle of what that thread does.
    """
    awaited, held = map(_sender_of, pair)
    going_on, still = map(_sender_of, preempted)
    return is_preempted(preempted) and (held, awaited) == (going_on, still)


def _sender_of(name: str) -> str:
    return name.partition(">")[0]


def _fits(goal: Goal, batch: Batch) -> bool:
    return not goal.parents and not is_step(goal.pair[0]) and batch.add(goal.pair)


def turning_pairs(schedule: Schedule, changing: frozenset[str]) -> Iterator[frozenset[str]]:
    """Every two messages of which one changes behaviour, with no change between them."""
    if not changing:
        return
    for mail in schedule.sequences:
        for position, first in enumerate(mail):
            for second in mail[position + 1 :]:
                if first in changing or second in changing:
                    yield frozenset((first, second))
                if second in changing:
                    break
