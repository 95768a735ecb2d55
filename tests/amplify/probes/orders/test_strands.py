"""What a thread can have seen of the others, and what somebody has waited for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.strands import Moment, Strand, saw


@pytest.fixture
def strands() -> tuple[Strand, Strand, Strand]:
    one, two, three = (Strand(number, f"s{number}") for number in (1, 2, 3))
    return one, two, three


Strands = tuple[Strand, Strand, Strand]


def test_strand_counts_its_moments(strands: Strands) -> None:
    one, _, _ = strands
    assert ([one.tick().own, one.tick().own], one.moment().own) == ([1, 2], 2)


def test_moments_of_one_strand_stand_in_order(strands: Strands) -> None:
    first, second = strands[0].tick(), strands[0].tick()
    assert (first.before(second), second.before(first), first.before(first)) == (True, False, True)


def test_moments_of_two_strands_have_no_order(strands: Strands) -> None:
    here, there = strands[0].tick(), strands[1].tick()
    assert (here.before(there), there.before(here)) == (False, False)


def test_what_was_seen_comes_before(strands: Strands) -> None:
    one, two, three = strands
    first = one.tick()
    two.sees([first])
    second = two.tick()
    three.sees([second])
    assert (first.before(second), first.before(three.tick()), second.before(one.tick())) == (
        True,
        True,
        False,
    )


def test_what_came_later_was_not_seen(strands: Strands) -> None:
    one, two, _ = strands
    two.sees([one.tick()])
    later = one.tick()
    assert not later.before(two.tick())


def test_an_older_moment_takes_nothing_back(strands: Strands) -> None:
    one, two, _ = strands
    old, new = one.tick(), one.tick()
    two.sees([new])
    two.sees([old])
    assert new.before(two.tick())


def test_own_moments_are_known(strands: Strands) -> None:
    one, _, _ = strands
    one.sees([one.tick()])
    assert (dict(one.past), dict(one.waited)) == ({}, {})


@pytest.mark.parametrize(("waiting", "expected"), [(True, True), (False, False)])
def test_only_what_was_waited_for_is_awaited(
    waiting: bool, expected: bool, strands: Strands
) -> None:
    one, two, _ = strands
    first = one.tick()
    if waiting:
        two.sees([first])
    else:
        two.hears(first)
    assert two.tick().awaited(first) is expected


def test_what_another_has_waited_for_is_awaited_by_who_hears_of_it(strands: Strands) -> None:
    one, two, three = strands
    first = one.tick()
    two.sees([first])
    second = two.tick()
    three.hears(second)
    third = three.tick()
    assert (third.awaited(first), third.awaited(second)) == (True, False)


def test_past_of_a_message_is_not_changed_by_its_sender(strands: Strands) -> None:
    one, two, _ = strands
    sent = two.tick()
    two.sees([one.tick()])
    assert dict(sent.past) == {}


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (Moment(1, 3, {}), True),
        (Moment(1, 2, {}), True),
        (Moment(1, 1, {}), False),
        (Moment(2, 9, {1: 2}), True),
        (Moment(2, 9, {1: 1}), False),
        (Moment(2, 9, {}), False),
    ],
)
def test_moment_saw_another(moment: Moment, expected: bool) -> None:
    assert saw(moment, 1, 2) is expected


def test_nothing_was_awaited_before_the_first_moment() -> None:
    assert not Moment(2, 1, {}, {1: 3}).awaited(Moment(1, 0, {}))


def test_new_strand_waits_for_nothing(strands: Strands) -> None:
    one, _, _ = strands
    flags = (one.paused, one.woken, one.sleeping, one.starting, one.ended, one.of_project)
    assert (flags, one.until, one.since, one.reads) == ((False,) * 6, None, 0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_pasts_are_those_of_plain_vector_clocks(seed: int) -> None:
    chance = Random(seed)
    strands = [Strand(number, "") for number in range(5)]
    clocks: list[dict[int, int]] = [{} for _ in strands]
    sent: list[tuple[Moment, dict[int, int]]] = []
    for _ in range(200):
        one = chance.choice(strands)
        clock = clocks[one.number]
        if sent and chance.random() < 0.5:
            moment, seen = chance.choice(sent[-8:])
            one.hears(moment)
            clock.update({other: max(own, clock.get(other, 0)) for other, own in seen.items()})
        else:
            moment = one.tick()
            clock[one.number] = moment.own
            sent.append((moment, dict(clock)))
    known = [{**one.past, one.number: one.own} for one in strands]
    assert known == [{one.number: one.own, **clocks[one.number]} for one in strands]


@pytest.mark.parametrize("over", [Baton.close, lambda baton: baton.lose("a C thread")])
def test_thread_that_ends_after_the_run_has_ended(over: Callable[[Baton], None]) -> None:
    baton = Baton()
    strand = baton.join("worker")
    over(baton)
    baton.leave(strand)
    assert strand.ended
