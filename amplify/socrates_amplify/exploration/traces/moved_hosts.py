"""Planned calls whose host differs from run to run: one that a library makes up, say.

The host is part of what a call is, so such a call is not found again. Only the whole run shows that
it has moved: the host that is known was not called at all, and what its sender says went elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, is_call_kind
from socrates_amplify.model.labels import open_numbers


def hosts_instead(scenario: Scenario, trace: Trace) -> Mapping[Fault, tuple[str, ...]]:
    """The planned calls that did not come, and where the same was said to instead, by its sender."""
    calls = _calls(trace)
    came = {send.target for send in calls}
    called = {send.receiver for send in calls}
    planned = {fault.receiver for fault in scenario}
    found = {}
    for fault in scenario:
        if is_call_kind(fault.kind) and fault.target not in came and fault.receiver not in called:
            hosts = {call.receiver for call in calls if _is_said_by(call, fault)} - planned
            if hosts:
                found[fault] = tuple(sorted(hosts))
    return found


def moved(scenario: Scenario, trace: Trace) -> Mapping[str, str]:
    """By target: the host of each planned call that has another one in this run, without a doubt.

    There is a doubt where several hosts are called instead, or one instead of several: these are
    services to be told apart.
    """
    instead = hosts_instead(scenario, trace)
    known: dict[tuple[str, str], set[str]] = {}
    for fault in instead:
        known.setdefault(_said(fault), set()).add(fault.receiver)
    return {
        fault.target: fault.receiver
        for fault, hosts in instead.items()
        if len(hosts) == 1 and len(known[_said(fault)]) == 1
    }


def _calls(trace: Trace) -> list[Send]:
    return [send for send in trace.sends if send.channel == CALL]


def _is_said_by(call: Send, fault: Fault) -> bool:
    """Whether a call says what the one of ``fault`` said, by the same sender."""
    return not call.internal and (call.sender, open_numbers(call.message)) == _said(fault)


def _said(fault: Fault) -> tuple[str, str]:
    return fault.sender, open_numbers(fault.message)


def as_in(scenario: Scenario, trace: Trace) -> Scenario:
    """The scenario with the names of a run whose hosts other runs have, too: those of one process."""
    hosts = moved(scenario, trace)
    return Scenario.of(
        _as_in(fault, trace) if fault.target in hosts else fault for fault in scenario
    )


def _as_in(fault: Fault, trace: Trace) -> Fault:
    """The fault at the only call that it can mean; where there are several, as it is."""
    match [call for call in _calls(trace) if _is_said_by(call, fault)]:
        case [call]:
            return replace(fault, target=call.target, slot=call.slot, receiver=call.receiver)
    return fault
