"""Prioritisers: each ranking of the thesis, both ways."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration import registry
from socrates_amplify.model.events import Create, Send, Trace, Turn
from socrates_amplify.model.faults import Fault

# late is created last but hears first; hub hears from three and sends to one; early sends to two.
TRACE = Trace(
    (
        Create("test", "early"),
        Create("test", "hub"),
        Create("test", "late"),
        Send("1", "test", "late", "m", "", None),
        Turn("late", "1"),
        Send("2", "test", "early", "m", "", None),
        Turn("early", "2"),
        Send("3", "early", "hub", "m", "", "2"),
        Send("4", "early", "late", "m", "", "2"),
        Turn("hub", "3"),
        Send("5", "late", "hub", "m", "", "1"),
        Send("6", "test", "hub", "m", "", None),
        Send("7", "hub", "late", "m", "", "3"),
    )
)
FAULTS = [Fault(send.target, "duplicate", receiver=send.receiver) for send in TRACE.sends]


def receivers(name, **options):
    ordered = registry.prioritiser(name, **options).prioritise(FAULTS, TRACE)
    return list(dict.fromkeys(fault.receiver for fault in ordered))


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("registration-time", ["early", "hub", "late"]),
        ("message-time", ["late", "early", "hub"]),
        ("fan-in", ["early", "late", "hub"]),
        ("fan-out", ["late", "hub", "early"]),
        ("fan-in-out", ["early", "late", "hub"]),
    ],
)
def test_ascending_order(name, order):
    assert receivers(f"{name}-asc") == order


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("registration-time", ["late", "hub", "early"]),
        ("message-time", ["hub", "early", "late"]),
        ("fan-out", ["early", "late", "hub"]),
    ],
)
def test_descending_order(name, order):
    assert receivers(f"{name}-desc") == order


def test_ascending_is_the_default():
    assert receivers("fan-in") == receivers("fan-in-asc")


def test_shuffle_is_the_same_for_the_same_seed_and_any_given_order():
    shuffle = registry.prioritiser("shuffle", seed=5)
    assert shuffle.prioritise(FAULTS, TRACE) == shuffle.prioritise(FAULTS[::-1], TRACE)


def test_shuffle_differs_between_seeds():
    orders = {tuple(registry.prioritiser("shuffle", s).prioritise(FAULTS, TRACE)) for s in range(9)}
    assert len(orders) > 1


@pytest.mark.parametrize("name", registry.names()["prioritisers"])
def test_every_prioritiser_keeps_all_faults(name):
    ordered = registry.prioritiser(name).prioritise(FAULTS, TRACE)
    assert sorted(ordered) == sorted(FAULTS)
