"""Prioritisers order faults by what is known of the receiving actor (the thesis' section 6.6)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from socrates_amplify.model.events import Create, Trace, Turn
from socrates_amplify.model.faults import Fault

Priority = float
Ranking = Callable[[Trace], Mapping[str, Priority]]

LAST = float("inf")


class ShufflePrioritiser:
    """A random order, the same for the same seed whatever order the faults come in."""

    name = "shuffle"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def prioritise(self, faults: Sequence[Fault], control: Trace) -> Sequence[Fault]:
        """The same faults, shuffled."""
        ordered = sorted(faults)
        random.Random(self._seed).shuffle(ordered)
        return ordered


class ActorPrioritiser:
    """Orders by a number that a ranking gives each receiver; equal ones keep their order."""

    def __init__(self, name: str, ranking: Ranking, *, descending: bool = False) -> None:
        self.name = name
        self._ranking = ranking
        self._sign = -1 if descending else 1

    def prioritise(self, faults: Sequence[Fault], control: Trace) -> Sequence[Fault]:
        """The same faults, by the priority of their receivers."""
        ranks = self._ranking(control)
        return sorted(faults, key=lambda fault: self._sign * ranks.get(fault.receiver, LAST))


def registration_time(trace: Trace) -> Mapping[str, Priority]:
    """When the actor was created."""
    creates = [event for event in trace.events if isinstance(event, Create)]
    return {event.child: rank for rank, event in enumerate(creates)}


def message_time(trace: Trace) -> Mapping[str, Priority]:
    """When the actor handled its first message."""
    ranks: dict[str, Priority] = {}
    for rank, event in enumerate(trace.events):
        if isinstance(event, Turn):
            ranks.setdefault(event.actor, rank)
    return ranks


def fan_in(trace: Trace) -> Mapping[str, Priority]:
    """From how many others the actor receives."""
    senders: dict[str, set[str]] = {}
    for send in trace.sends:
        senders.setdefault(send.receiver, set()).add(send.sender)
    return {actor: len(others) for actor, others in senders.items()}


def fan_out(trace: Trace) -> Mapping[str, Priority]:
    """To how many others the actor sends; an actor that sends nothing has 0."""
    receivers: dict[str, set[str]] = {send.receiver: set() for send in trace.sends}
    for send in trace.sends:
        receivers.setdefault(send.sender, set()).add(send.receiver)
    return {actor: len(others) for actor, others in receivers.items()}


def fan_in_out(trace: Trace) -> Mapping[str, Priority]:
    """The ratio of both; an actor that sends nothing comes as if it sent to very many."""
    outs = fan_out(trace)
    return {actor: ins / (outs.get(actor) or 2**31 - 1) for actor, ins in fan_in(trace).items()}


RANKINGS: Mapping[str, Ranking] = {
    "registration-time": registration_time,
    "message-time": message_time,
    "fan-in": fan_in,
    "fan-out": fan_out,
    "fan-in-out": fan_in_out,
}
