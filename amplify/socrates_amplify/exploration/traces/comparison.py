"""Compares the trace of a faulted run with the control run's: which actors behaved differently, from which turn.

Faults are meant to be neutral. An actor whose replies or sends changed although what it received
did not (the fault itself aside) is therefore guilty until proven otherwise; one that received
something else may only pass on what another actor did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Reply, Send, Trace, Turn
from socrates_amplify.model.labels import message_type


@dataclass(slots=True)
class Act:
    """What one turn did: what it sent, what it answered, how it ended."""

    actor: str
    target: str
    copy: int
    failed: str
    sends: Counter[tuple[str, str]] = field(default_factory=Counter)
    replies: list[str] = field(default_factory=list)

    def same_as(self, other: Act) -> bool:
        """Whether an observer outside of the actor could tell the two apart."""
        return (self.sends, self.replies[:1], self.failed) == (
            other.sends,
            other.replies[:1],
            other.failed,
        )


class Conduct:
    """The acts of every actor in one run, in order, and who sent what from which act."""

    def __init__(self, trace: Trace) -> None:
        self.acts: dict[str, list[Act]] = {}
        self.sent: dict[str, Send] = {}
        self.sent_from: dict[str, Act | None] = {}
        current: dict[str, Act] = {}
        open_acts: dict[str, Act] = {}
        for event in trace.events:
            if isinstance(event, Turn):
                act = Act(event.actor, event.target, event.copy, event.failed)
                self.acts.setdefault(event.actor, []).append(act)
                current[event.actor] = open_acts[event.target] = act
            elif isinstance(event, Send):
                act_now = current.get(event.sender)
                self.sent.setdefault(event.target, event)
                self.sent_from.setdefault(event.target, act_now)
                if act_now is not None:
                    act_now.sends[event.receiver, event.digest] += 1
            elif isinstance(event, Reply) and event.target in open_acts:
                open_acts[event.target].replies.append(event.digest)

    def first_acts(self) -> dict[str, Act]:
        """The act of each message's first delivery."""
        return {act.target: act for acts in self.acts.values() for act in acts if not act.copy}


@dataclass(frozen=True, slots=True)
class Extra:
    """A message that the control did not have: who got it from whom, and what kind it was."""

    sender: str
    receiver: str
    type: str
    echo: bool
    """Sent while handling a second delivery: the fault's own doing, or the defect's."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between the control and a faulted run.

    ``changed`` maps an actor to the number of its first turn that an outsider sees differ;
    ``extras`` are the additional messages; ``order`` the actors by their first turn;
    ``heard_out`` those that answered something and handled all that they did in the control.
    """

    order: tuple[str, ...]
    changed: dict[str, int]
    extras: tuple[Extra, ...]
    heard_out: frozenset[str]
    conduct: Conduct

    def harmless(self) -> set[str]:
        """Message types of which some actor got more than usual without any visible change.

        Only actors that handled all they usually do can show that: one that the failing test no
        longer asked would have looked unchanged in any case.
        """
        unchanged = self.heard_out - self.changed.keys()
        return {extra.type for extra in self.extras if extra.receiver in unchanged}

    def suspects(self) -> list[str]:
        """Actors that changed for no reason from outside, earliest first, then those with one."""
        harmless = self.harmless()
        sources: dict[str, set[str]] = {}
        emitters: set[str] = set()
        for extra in self.extras:
            if extra.type in harmless or TEST in (extra.sender, extra.receiver):
                continue
            sources.setdefault(extra.receiver, set()).add(extra.sender)
            if extra.echo:
                emitters.add(extra.sender)
        odd = [actor for actor in self.order if actor in self.changed or actor in emitters]
        explained = {
            actor for actor in odd if sources.get(actor, set()).intersection(odd) - {actor}
        }
        return [a for a in odd if a not in explained] + [a for a in odd if a in explained]

    def echoes(self, actor: str, harmless: set[str]) -> set[str]:
        """Targets whose second delivery made this actor send something that matters."""
        found: set[str] = set()
        types = {
            (send.receiver, send.digest): type_of(send)
            for send in self.conduct.sent.values()
            if send.sender == actor
        }
        for act in self.conduct.acts.get(actor, ()):
            if act.copy and any(types.get(key, "") not in harmless for key in act.sends):
                found.add(act.target)
        return found


def type_of(send: Send) -> str:
    """The message's type, as the probe knows it or as its readable form shows it."""
    return send.type or message_type(send.message)


def compare(control: Conduct, faulted: Trace) -> Comparison:
    """Lay a faulted run against the control. Linear in the length of both."""
    conduct = Conduct(faulted)
    usual = control.first_acts()
    changed: dict[str, int] = {}
    for actor, acts in conduct.acts.items():
        for number, act in enumerate(acts):
            before = usual.get(act.target)
            if not act.copy and before is not None and not act.same_as(before):
                changed[actor] = number
                break
    extras = tuple(_extras(control, conduct))
    order = tuple(dict.fromkeys([*control.acts, *conduct.acts]))
    return Comparison(order, changed, extras, _heard_out(control, conduct), conduct)


def _heard_out(control: Conduct, conduct: Conduct) -> frozenset[str]:
    handled = conduct.first_acts()
    return frozenset(
        actor
        for actor, acts in control.acts.items()
        if any(act.replies for act in acts) and all(act.target in handled for act in acts)
    )


def _extras(control: Conduct, conduct: Conduct) -> Sequence[Extra]:
    found: list[Extra] = []
    for target, send in conduct.sent.items():
        if target in control.sent:
            continue
        act = conduct.sent_from[target]
        echo = act is not None and act.copy > 0
        found.append(Extra(send.sender, send.receiver, type_of(send), echo))
    return found
