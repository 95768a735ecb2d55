"""What a scenario holds back, and what it leaves to chance."""

from __future__ import annotations

from collections import deque
from typing import cast

import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import ONCE_MORE, by_chance, forced
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.holds import Holds, may_wait
from socrates_amplify.probes.orders.strands import Strand
from socrates_amplify.record.recorder import Recorder

HELD, AWAITED = "a>b app:Write 1", "c>b app:Flush 1"
FAULT = Fault("t", "order", detail=forced(HELD, AWAITED))


def held(*faults: Fault) -> tuple[Recorder, Holds]:
    recorder = Recorder(Scenario.of(faults))
    return recorder, Holds(recorder)


def test_message_waits_until_the_other_is_handled() -> None:
    _, holds = held(FAULT)
    before = holds.holds(HELD)
    holds.handle(AWAITED, None)
    assert (holds.any, before, holds.holds(HELD), holds.holds(AWAITED)) == (
        True,
        True,
        False,
        False,
    )


def test_nothing_is_held_without_a_pair() -> None:
    _, holds = held(Fault("t", "order"), Fault("u", "duplicate"))
    assert (holds.any, holds.holds(HELD), len(holds.faults)) == (False, False, 1)


def test_order_is_applied_when_the_held_one_is_handled_last() -> None:
    recorder, holds = held(FAULT)
    holds.holds(HELD)
    holds.handle(AWAITED, None)
    before = len(recorder.unapplied)
    holds.handle(HELD, None)
    assert (before, recorder.unapplied) == (1, [])


def test_order_is_not_applied_when_the_held_one_is_handled_first() -> None:
    recorder, holds = held(FAULT)
    holds.handle(HELD, None)
    holds.handle(AWAITED, None)
    holds.settle("")
    assert len(recorder.unapplied) == 1


def test_message_that_waits_in_vain_is_let_go() -> None:
    recorder, holds = held(FAULT)
    holds.holds(HELD)
    holds.drop(HELD)
    reasons = [reason for _, reason in recorder.unapplied]
    assert (reasons, holds.holds(HELD)) == (["nothing else could go on before it"], False)


def test_message_held_to_the_end_came_last() -> None:
    recorder, holds = held(FAULT)
    holds.holds(HELD)
    holds.handle(AWAITED, None)
    holds.settle("")
    assert recorder.unapplied == []


def test_messages_that_never_came_are_told() -> None:
    recorder, holds = held(FAULT)
    holds.settle("")
    assert [reason for _, reason in recorder.unapplied] == ["it found no target any more"]


@pytest.mark.parametrize("detail", ["", ONCE_MORE])
def test_run_under_control_without_a_pair_is_applied(detail: str) -> None:
    recorder, holds = held(Fault("t", "order", detail=detail))
    holds.settle("")
    assert recorder.unapplied == []


def test_lost_control_takes_all_back() -> None:
    recorder, holds = held(FAULT, Fault("t", "order"))
    holds.holds(HELD)
    holds.handle(AWAITED, None)
    holds.handle(HELD, None)
    holds.settle("a signal came")
    reasons = {reason for _, reason in recorder.unapplied}
    assert (len(recorder.unapplied), reasons) == (
        2,
        {"the order was not controlled: a signal came"},
    )


class _Sleeper:
    def __init__(self, until: float | None, *, sleeping: bool = True) -> None:
        self.until, self.sleeping = until, sleeping


class _Baton:
    main = _Sleeper(1.0)


@pytest.mark.parametrize(
    ("sleeper", "expected"),
    [
        pytest.param(_Sleeper(59.0), True, id="soon"),
        pytest.param(_Sleeper(None), True, id="at once"),
        pytest.param(_Sleeper(60.0), False, id="much later"),
        pytest.param(_Sleeper(1.0, sleeping=False), False, id="a timeout"),
        pytest.param(_Baton.main, False, id="the test itself"),
        pytest.param(None, False, id="nobody"),
    ],
)
def test_held_message_may_wait_for_a_sleep(sleeper: _Sleeper | None, expected: bool) -> None:
    waits = may_wait(cast("Strand | None", sleeper), cast("Baton", _Baton))
    assert waits is expected


def test_same_seed_makes_the_same_choices() -> None:
    told = [[Chance(seed, 3, 9).priority(chain) for chain in "abc"] for seed in (7, 7, 8)]
    assert (told[0] == told[1], told[0] == told[2]) == (True, False)


def test_priority_of_a_chain_stays() -> None:
    chance = Chance(7, 1, 9)
    assert chance.priority("a") == chance.priority("a")


def test_chain_falls_behind_at_as_many_places_as_the_depth_has() -> None:
    falls = []
    for depth in (1, 2, 4):
        chance = Chance(7, depth, 9)
        for number in range(9):
            chance.handle(f"c{number}")
        falls.append(sorted(p for n in range(9) if (p := chance.priority(f"c{n}")) < 0))
    assert falls == [[], [-1.0], [-3.0, -2.0, -1.0]]


def test_run_may_be_shorter_than_its_depth() -> None:
    chance = Chance(7, 4, 1)
    for number in range(4):
        chance.handle(f"c{number}")
    assert sum(chance.priority(f"c{number}") < 0 for number in range(4)) == 3


@pytest.mark.parametrize(
    ("details", "expected"),
    [(("", by_chance(7, 3, 9)), True), ((ONCE_MORE, ""), False), ((), False)],
)
def test_chance_of_a_scenario(details: tuple[str, ...], expected: bool) -> None:
    faults = [Fault("t", "order", detail=detail) for detail in details]
    assert (Chance.of(faults) is not None) is expected


class _Ready:
    def __init__(self, name: str, chain: str = "") -> None:
        self.name, self.chain = name, chain


def test_strand_with_the_highest_priority_goes_on() -> None:
    chance = Chance(7, 1, 9)
    ready = deque(cast("Strand", _Ready(name, chain)) for name, chain in (("a", ""), ("b", "x")))
    expected = max("ax", key=chance.priority)
    chosen = chance.choose(ready)
    assert (chosen.chain or chosen.name, len(ready), chosen in ready) == (expected, 1, False)
