"""Which orders are asked for, in a small world: one actor, messages of senders that nothing orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from socrates_amplify.exploration.orders.explorer import SchedulesExplorer
from socrates_amplify.exploration.orders.goals import Goals
from socrates_amplify.exploration.orders.sampling import Sampling
from socrates_amplify.exploration.orders.search import FEW_SAMPLES, MOST_VAIN_SAMPLES, Orders
from socrates_amplify.model.events import Event, Injected, Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import (
    CHANGES,
    NOT_CONTROLLED,
    Names,
    Schedule,
    by_chance,
    chance_of,
    forced,
    named_sends,
    order_kind,
    pair_of,
    told_order,
)
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, Defect, ExploreOptions

ORDER = order_kind()
UNFORCED = Fault(ORDER, ORDER)


def name(sender: str) -> str:
    """The name of the one message of a sender."""
    return Names().name(sender, "Actor#1", "app:Text")


def trace_of(order: Sequence[str], changing: str = "") -> Trace:
    """A run in which the messages of these senders are handled in this order; none needs another."""
    sends = {
        sender: Send(
            f"target of {sender}",
            sender,
            "Actor#1",
            "Text()",
            "",
            None,
            type="app:Text",
            offers=(
                *(Offer(ORDER, forced(name(sender), name(later))) for later in order[place + 1 :]),
                *((Offer(ORDER, CHANGES),) if sender in changing else ()),
            ),
        )
        for place, sender in enumerate(order)
    }
    events: list[Event] = list(sends.values())
    events += [Turn("Actor#1", send.target) for send in sends.values()]
    return Trace(tuple(events))


class World:
    """Handles the messages of ``senders`` in the order that is asked for; some orders break it."""

    control = Trace()
    faults = (UNFORCED,)

    def __init__(self, senders: str, breaks: str = "", changing: str = "") -> None:
        self._senders = senders
        self._breaks = breaks
        self._changing = changing
        self.orders: list[str] = []

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """One run: each message that is held waits for the other one."""
        order: list[str] = []
        waits = [pair for fault in scenario if (pair := pair_of(fault.detail)) is not None]
        rest = list(self._senders)
        while rest:
            free = [
                one
                for one in rest
                if not any(held == name(one) and first in map(name, rest) for first, held in waits)
            ]
            order.append((free or rest)[0])
            rest.remove(order[-1])
        self.orders.append("".join(order))
        events = trace_of(order, self._changing).events
        done = tuple(Injected(fault.target, fault.kind) for fault in scenario)
        failure = Failure("AssertionError", "", "test.py:1") if self._is_broken(order) else None
        verdict = Verdict.FAIL if failure else Verdict.PASS
        return Outcome(scenario, verdict, failure, trace=Trace((*events, *done)), status="passed")

    again = consider

    def faults_of(self, trace: Trace) -> list[Fault]:
        """Both orders of every two messages."""
        sends = named_sends(trace)
        return [
            Fault(sends[pair[1]].target, ORDER, detail=offer.detail)
            for send in trace.sends
            for offer in send.offers
            if (pair := pair_of(offer.detail)) is not None
        ]

    def _is_broken(self, order: list[str]) -> bool:
        return bool(self._breaks) and self._breaks in "".join(order)


def search(world: World, criterion: str = "pr", most: int | None = None) -> tuple[Orders, list]:
    """A whole search, and the defects that it found."""
    defects: list[Defect] = []
    orders = Orders(world, ExploreOptions(criterion=criterion), defects.append, most)
    orders.run()
    return orders, defects


def test_all_orders_of_few_messages_are_seen() -> None:
    orders, _ = search(World("abc"))
    assert (orders.note, orders.coverage.orders) == ("orders: all 6 orders", 6)


@pytest.mark.parametrize("breaks", ["cba", "bca", "cab"])
def test_an_order_of_three_is_found_with_the_fewest_holds(breaks: str) -> None:
    _, defects = search(World("abc", breaks))
    assert [len(defect.scenario) for defect in defects] in ([1], [2])


def test_pairs_of_many_messages_are_seen_in_both_orders_and_chance_does_the_rest() -> None:
    orders, _ = search(World("abcdef"), most=40)
    found = orders.coverage
    assert (found.pairs, found.both, found.orders) == (15, 15, 0)


def test_a_limit_on_orders_is_told() -> None:
    orders, _ = search(World("abcdefgh"), most=1)
    assert "--explorer schedules asks for the rest" in orders.note


def test_by_pcr_two_messages_have_to_come_right_after_each_other() -> None:
    orders, _ = search(World("abcde"), "pcr", most=60)
    assert (orders.coverage.both, orders.coverage.pairs) == (10, 10)


def test_by_pbr_only_pairs_at_a_change_of_behaviour_count() -> None:
    orders, _ = search(World("abcdef", changing="c"), "pbr", most=60)
    assert orders.coverage.pairs == 5


def test_pairs_at_a_change_of_behaviour_come_first() -> None:
    goals, trace = Goals("pr"), trace_of("abc", changing="c")
    goals.learn(trace, World("abc").faults_of(trace), ())
    goal = goals.next()
    assert name("c") in (goal.pair if goal else ())


def test_chance_repeats_itself_by_its_detail() -> None:
    assert chance_of(by_chance(7, 3, 20)) == (7, 3, 20)


def test_the_bound_of_chance_is_told() -> None:
    sampling = Sampling(UNFORCED, trace_of("abcd"), seed=0)
    list(sampling.faults(2))
    assert sampling.told == "2 more by chance, each with depth 3 at 1 in 64 or better"


def test_second_deliveries_have_a_place_of_their_own_in_a_schedule() -> None:
    trace = Trace((*trace_of("ab").events, Turn("Actor#1", "target of a", copy=1)))
    [mail] = Schedule.of(trace).sequences
    assert mail == (name("a"), name("b"), f"{name('a')}~again")


def test_a_late_second_delivery_is_told_as_such() -> None:
    sends = named_sends(trace_of("ab"))
    detail = forced(f"{name('a')}~again", name("b"))
    told = told_order(sends[name("a")], sends[name("b")], detail)
    assert told == "Text() once more after Text of b"


def test_a_message_without_a_type_of_its_own_is_told_as_it_is() -> None:
    sends = named_sends(trace_of("ab"))
    second = replace(sends[name("b")], message="{'found': ['x']}")
    told = told_order(sends[name("a")], second, forced(name("a"), name("b")))
    assert told == "Text() after {'found': ['x']} of b"


def test_what_was_seen_of_each_pair_is_told_by_receiver() -> None:
    orders, _ = search(World("abc", breaks="cb"))
    [told] = orders.coverage.receivers
    assert (told.receiver, told.rows) == ("Actor#1", ((), ("both",), ("both", "broke")))


def test_a_receiver_with_many_messages_is_told_in_part() -> None:
    orders, _ = search(World("abcdefghijklmnopqrstuvwxyzäöü"), most=1)
    [told] = orders.coverage.receivers
    assert (len(told.messages), told.left_out) == (24, 5)


def test_a_passing_run_is_kept_to_be_shown_beside_failing_ones() -> None:
    orders, _ = search(World("abc", breaks="cb"))
    assert Schedule.of(orders.passing) == Schedule.of(trace_of("abc"))


def test_orders_that_fit_together_are_asked_for_in_one_run() -> None:
    world = World("abcdefgh")
    orders, _ = search(world, most=3)
    assert (orders.coverage.both, world.orders[3]) == (28, "hgfedcab")


def test_an_order_among_many_that_breaks_a_test_is_told_alone() -> None:
    _, defects = search(World("abcdefgh", breaks="hg"), most=10)
    assert [len(defect.scenario) for defect in defects] == [1]


class Told(World):
    """A world whose first runs are told beforehand; the ones after them are its own."""

    def __init__(self, *first: Outcome, senders: str = "ab") -> None:
        super().__init__(senders)
        self._first = list(first)

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        return self._first.pop(0) if self._first else super().consider(scenario, hypothesis)


PASSED = Outcome(Scenario(), Verdict.PASS, trace=trace_of("ab"), status="passed")
BROKEN = Failure("AssertionError", "no", "test.py:1")


@pytest.mark.parametrize(
    ("first", "why"),
    [
        pytest.param(
            [Outcome(Scenario(), Verdict.FAIL, BROKEN, status="hung")],
            "it did not come to its end",
            id="hangs",
        ),
        pytest.param(
            [Outcome(Scenario(), Verdict.UNRESOLVED, reason=f"{NOT_CONTROLLED}: a C thread")],
            "a C thread",
            id="not under control",
        ),
        pytest.param(
            [PASSED, Outcome(Scenario(), Verdict.UNRESOLVED, reason="no target")],
            "no target",
            id="the second one is not",
        ),
        pytest.param(
            [PASSED, Outcome(Scenario(), Verdict.FAIL, BROKEN, trace=PASSED.trace)],
            "two runs under control end differently",
            id="other end",
        ),
        pytest.param(
            [PASSED, Outcome(Scenario(), Verdict.PASS, trace=trace_of("ba"))],
            "two runs under control differ",
            id="other order",
        ),
    ],
)
def test_no_orders_are_asked_for_where_control_can_not_be_relied_on(
    first: list[Outcome], why: str
) -> None:
    world = Told(*first)
    orders, _ = search(world)
    told = f"its orders were not tried: {why}"
    assert (orders.note, orders.idle, world.orders) == (told, True, [])


def test_a_search_in_which_nothing_can_change_places_is_idle() -> None:
    orders, _ = search(World("a"))
    assert (orders.note, orders.idle) == ("nothing in it can come in another order", True)


def test_by_pbr_a_search_without_a_change_of_behaviour_says_so() -> None:
    orders, _ = search(World("ab"), "pbr")
    assert orders.note == "no message of which the order is free changes how an actor behaves"


def test_a_search_in_which_something_can_change_places_is_not_idle() -> None:
    orders, _ = search(World("ab"))
    assert not orders.idle


def test_a_test_that_fails_under_control_breaks_by_the_order_if_another_one_passes() -> None:
    _, [defect] = search(World("ab", breaks="ab"))
    assert [pair_of(fault.detail) for fault in defect.scenario] == [(name("a"), name("b"))]


def test_the_order_that_lets_it_pass_is_kept() -> None:
    orders, _ = search(World("ab", breaks="ab"))
    assert Schedule.of(orders.passing) == Schedule.of(trace_of("ba"))


def test_a_broken_order_under_control_counts_as_seen() -> None:
    orders, _ = search(World("ab", breaks="ab"))
    assert orders.note == "orders: 1 free pair, 1 seen in both orders"


def test_nothing_is_told_of_a_test_that_fails_under_control_in_every_order() -> None:
    orders, defects = search(World("abc", breaks="a"))
    told = "its orders were not tried: under control it fails: AssertionError: "
    assert (orders.note, orders.idle, defects) == (told, True, [])


class Chancy(World):
    """A world in which an order by chance is ``drawn``, and that breaks; by holds only if ``forced``."""

    def __init__(self, senders: str, drawn: str, *, forced: bool) -> None:
        super().__init__(senders)
        self._drawn = drawn
        self._forced = forced

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        if not any(chance_of(fault.detail) for fault in scenario):
            self._breaks = self._drawn if self._forced else ""
            return super().consider(scenario, hypothesis)
        senders, self._senders, self._breaks = self._senders, self._drawn, self._drawn
        try:
            return super().consider(scenario, hypothesis)
        finally:
            self._senders = senders

    again = consider


def test_what_chance_broke_is_told_by_the_holds_that_force_it() -> None:
    _, [defect] = search(Chancy("abcdef", "bdface", forced=True))
    assert all(pair_of(fault.detail) for fault in defect.scenario)


def test_what_only_chance_broke_is_told_by_that_chance() -> None:
    _, [defect] = search(Chancy("abcdef", "bdface", forced=False))
    assert [chance_of(fault.detail) for fault in defect.scenario] == [(0, 3, 6)]


class Drawn(World):
    """A world in which chance turns the messages round, and begins at another place each time."""

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        draws = [drawn for fault in scenario if (drawn := chance_of(fault.detail)) is not None]
        senders = self._senders
        for seed, _, _ in draws:
            self._senders = senders[seed::-1] + senders[:seed:-1]
        try:
            return super().consider(scenario, hypothesis)
        finally:
            self._senders = senders

    again = consider


def test_chance_tells_how_many_orders_it_tried() -> None:
    orders, _ = search(Drawn("abcdefgh"), most=60)
    assert f"; {FEW_SAMPLES} more by chance" in orders.note


def test_chance_ends_when_its_orders_say_nothing() -> None:
    class Unseen(Drawn):
        def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
            outcome = super().consider(scenario, hypothesis)
            by_draw = any(chance_of(fault.detail) for fault in scenario)
            return replace(outcome, verdict=Verdict.UNRESOLVED) if by_draw else outcome

    orders, _ = search(Unseen("abcdefgh"), most=60)
    assert "by chance" not in orders.note


def test_chance_ends_when_its_orders_are_known() -> None:
    class Counting(World):
        draws = 0

        def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
            self.draws += any(chance_of(fault.detail) is not None for fault in scenario)
            return super().consider(scenario, hypothesis)

    world = Counting("abcdef")
    orders, _ = search(world)
    assert (world.draws, "by chance" in orders.note) == (MOST_VAIN_SAMPLES, False)


def test_chance_ends_with_the_budget_and_says_how_far_it_came() -> None:
    class Short(Drawn):
        def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
            if any((drawn := chance_of(fault.detail)) and drawn[0] == 2 for fault in scenario):
                raise BudgetSpent("enough")
            return super().consider(scenario, hypothesis)

    orders, _ = search(Short("abcdefgh"), most=60)
    assert "; 2 more by chance" in orders.note


@pytest.mark.parametrize("order", ["bacdef", "acbdef", "abdcef", "abcedf", "abcdfe"])
def test_neighbours_that_were_reversed_with_others_only_are_asked_for_alone(order: str) -> None:
    world = World("abcdef", breaks=order)
    _, [defect] = search(world, most=60)
    assert (len(defect.scenario.faults), len(world.orders) <= 13) == (1, True)


TWICE = Fault("target of a", "duplicate")


class Beside(World):
    """A world that breaks by ``TWICE`` only in the orders that the ``breaking`` ones stand in."""

    def __init__(self, senders: str, breaking: str) -> None:
        super().__init__(senders)
        self._breaking = breaking
        self.asked: list[Scenario] = []

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        self.asked.append(scenario)
        self._breaks = self._breaking if TWICE in scenario.faults else ""
        return super().consider(scenario, hypothesis)

    again = consider


def beside(world: World, others: Sequence[Fault] = (TWICE,), *, controlled: bool = True) -> list:
    """The defects of a search that goes on beside ``others``."""
    defects: list[Defect] = []
    orders = Orders(world, ExploreOptions(), defects.append)
    if controlled:
        orders.run()
    orders.beside(others)
    return defects


def test_faults_that_break_nothing_alone_are_asked_for_with_other_orders() -> None:
    [defect] = beside(Beside("ab", breaking="ba"))
    assert {fault.kind for fault in defect.scenario} == {"duplicate", ORDER}


def test_faults_that_break_it_under_control_alone_are_told() -> None:
    [defect] = beside(Beside("ab", breaking="ab"))
    assert TWICE in defect.scenario.faults


def test_faults_that_change_an_order_are_left_out_beside_forced_ones() -> None:
    world, swap = Beside("ab", breaking="ba"), Fault("target of a", "reorder")
    beside(world, [TWICE, swap])
    assert not any(swap in scenario.faults for scenario in world.asked)


def test_nothing_is_asked_beside_no_faults() -> None:
    world = Beside("ab", breaking="ab")
    beside(world, [])
    assert all(TWICE not in asked.faults for asked in world.asked)


def test_nothing_is_asked_beside_faults_without_control() -> None:
    world = Beside("ab", breaking="ab")
    beside(world, controlled=False)
    assert world.asked == []


def test_the_explorer_ends_with_as_many_defects_as_wanted() -> None:
    found = SchedulesExplorer().explore(World("abc", breaks="ba"), ExploreOptions(max_defects=1))
    assert (len(found.defects), found.exhausted) == (1, True)


def test_the_explorer_tells_what_a_budget_left_over() -> None:
    class Short(World):
        def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
            if len(self.orders) == 2:
                raise BudgetSpent("the budget is spent")
            return super().consider(scenario, hypothesis)

    found = SchedulesExplorer().explore(Short("abc"), ExploreOptions())
    told = "orders: 3 free pairs, 0 seen in both orders; the budget is spent"
    assert (found.exhausted, found.note) == (False, told)


def test_the_explorer_tells_a_defect_that_a_budget_left_unreduced() -> None:
    class Short(World):
        def again(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
            raise BudgetSpent("the budget is spent")

    found = SchedulesExplorer().explore(Short("abc", breaks="ba"), ExploreOptions())
    assert (len(found.defects), found.exhausted) == (1, False)
