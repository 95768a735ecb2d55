"""Pruners: what is kept, by pattern and by causality."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.exploration.pruners import (
    CausalityPruner,
    CriticalServicesPruner,
    NoPruner,
    PatternsPruner,
)
from socrates_amplify.exploration.traces.causality import Causality
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.outcomes import Failure

FAULTS = [
    Fault("1", "duplicate", "Order#1", "Ledger#1", "Deposit(id=1)"),
    Fault("2", "restart", "Order#1", "Ledger#1", "Deposit(id=1)"),
    Fault("3", "duplicate", "Order#2", "Mail#1", "Send(id=2)"),
]


def trace(*messages):
    """Each message is (target, sender, receiver): sent and handled at once, in this order."""
    events = []
    for target, sender, receiver in messages:
        events += [Send(target, sender, receiver, target, target, None), Turn(receiver, target)]
    return Trace(tuple(events))


def failing(actor):
    return Failure("AssertionError", "", "t:1", actor)


def faults_on(events):
    return [Fault(s.target, "duplicate", s.sender, s.receiver, s.message) for s in events.sends]


def kept_targets(events, failure):
    kept = CausalityPruner().prune(faults_on(events), events, failure)
    return "".join(fault.target for fault in kept)


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        pytest.param([], [], "123", id="no patterns"),
        pytest.param([{"kind": "duplicate"}], [], "13", id="by kind"),
        pytest.param([{"to": "Ledger#*", "kind": "restart"}], [], "2", id="all globs must match"),
        pytest.param([{"from": "Order#2"}, {"kind": "restart"}], [], "23", id="any entry will do"),
        pytest.param([], [{"message": "Send(*"}], "12", id="exclude by message"),
        pytest.param([{"kind": "duplicate"}], [{"to": "Mail#1"}], "1", id="exclude wins"),
    ],
)
def test_patterns_keep(include, exclude, kept):
    pruned = PatternsPruner(include, exclude).prune(FAULTS, Trace(), None)
    assert "".join(fault.target for fault in pruned) == kept


def test_unknown_pattern_key_is_a_user_error():
    with pytest.raises(SocratesError, match="unknown key 'sender'"):
        PatternsPruner([{"sender": "x"}])


def test_none_keeps_everything():
    assert NoPruner().prune(FAULTS, Trace(), failing("Mail#1")) == FAULTS


def test_causality_drops_what_never_reaches_the_failing_actor():
    events = trace(("a", "test", "root"), ("b", "root", "x"), ("c", "root", "y"))
    assert kept_targets(events, failing("x")) == "ab"


def test_causality_keeps_earlier_turns_of_actors_on_the_way():
    events = trace(
        ("a", "test", "hub"), ("b", "test", "other"), ("c", "other", "hub"), ("d", "hub", "x")
    )
    assert kept_targets(events, failing("x")) == "abcd"


def test_causality_drops_later_turns_of_actors_on_the_way():
    events = trace(("a", "test", "hub"), ("b", "hub", "x"), ("c", "test", "hub"))
    assert kept_targets(events, failing("x")) == "ab"


def test_causality_knows_several_roots():
    events = trace(
        ("a", "test", "p"), ("b", "test", "q"), ("c", "p", "x"), ("d", "q", "x"), ("e", "test", "z")
    )
    assert kept_targets(events, failing("x")) == "abcd"


@pytest.mark.parametrize(
    "failure", [None, failing(""), failing("nobody")], ids=["none", "unnamed", "unknown"]
)
def test_causality_keeps_everything_without_a_failing_actor(failure):
    events = trace(("a", "test", "p"), ("b", "test", "q"))
    assert kept_targets(events, failure) == "ab"


def test_causality_keeps_faults_on_messages_that_the_baseline_lacks():
    events = trace(("a", "test", "p"), ("b", "test", "q"))
    fresh = Fault("new", "duplicate", receiver="q")
    assert CausalityPruner().prune([fresh], events, failing("p")) == [fresh]


def test_ancestors_come_nearest_first():
    events = trace(("a", "test", "p"), ("b", "p", "q"), ("c", "q", "x"))
    assert Causality(events).ancestors("x") == ["x", "q", "p"]


@pytest.mark.parametrize(
    ("critical", "kept"),
    [
        pytest.param([], "abcd", id="nothing is critical"),
        pytest.param(["shop"], "", id="all that is called to answer it"),
        pytest.param(["stock"], "acd", id="the last one"),
        pytest.param(["pay*"], "ab", id="by a pattern"),
        pytest.param(["nobody"], "abcd", id="not called"),
    ],
)
def test_faults_that_take_a_critical_service_down_are_left_out(critical, kept):
    sends = [
        Send("a", "test", "shop", "GET /", "a", None),
        Send("b", "shop", "stock", "GET /", "b", "a"),
        Send("c", "shop", "payment", "GET /", "c", "a"),
        Send("d", "payment", "bank", "GET /", "d", "c"),
    ]
    events = Trace(tuple(sends))
    pruned = CriticalServicesPruner(NoPruner(), critical).prune(faults_on(events), events, None)
    assert "".join(fault.target for fault in pruned) == kept


def test_what_another_pruner_leaves_out_is_left_out_beside_critical_services():
    inner = PatternsPruner([], [{"to": "Mail#1"}])
    pruned = CriticalServicesPruner(inner, ["Other"]).prune(FAULTS, Trace(), None)
    assert [fault.target for fault in pruned] == ["1", "2"]
