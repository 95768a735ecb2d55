"""Which orders are asked for, in a small world: one actor, messages of senders that nothing orders."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from socrates_amplify.exploration.orders.goals import Goals
from socrates_amplify.exploration.orders.sampling import Sampling
from socrates_amplify.exploration.orders.search import Orders
from socrates_amplify.model.events import Event, Injected, Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import (
    CHANGES,
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
from socrates_amplify.model.search import Defect, ExploreOptions

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
