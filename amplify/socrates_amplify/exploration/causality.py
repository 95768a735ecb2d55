"""Happens-before of a trace: which turns could have influenced which.

A turn is preceded by the earlier turns of its actor and by the turn that sent its message (the
thesis' algorithm 1). Its past is everything that precedes it, transitively (algorithms 2 and 3).
Several roots need no care: a message of the test itself simply has no sending turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from socrates_amplify.events import Send, Trace, Turn


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: the ``position``-th of ``actor``, sent from step ``sender`` (None: the test)."""

    actor: str
    position: int
    target: str
    copy: int
    sender: int | None


class Causality:
    """The turns of one trace and their order. Steps are numbered as they were observed."""

    def __init__(self, trace: Trace) -> None:
        self.steps: list[Step] = []
        self.turns_of: dict[str, list[int]] = {}
        current: dict[str, int] = {}
        sent_from: dict[str, int | None] = {}
        for event in trace.events:
            if isinstance(event, Send):
                sent_from.setdefault(event.target, current.get(event.sender))
            elif isinstance(event, Turn):
                number = len(self.steps)
                turns = self.turns_of.setdefault(event.actor, [])
                sender = sent_from.get(event.target)
                self.steps.append(Step(event.actor, len(turns), event.target, event.copy, sender))
                turns.append(number)
                current[event.actor] = number

    def past(self, actors: Iterable[str]) -> set[str]:
        """The targets of all turns that could have influenced the last turn of these actors.

        Linear in the number of turns: what is relevant of an actor is always a prefix of its
        turns, so one frontier an actor is enough.
        """
        frontier: dict[str, int] = {}
        work = [self.turns_of[actor][-1] for actor in actors if actor in self.turns_of]
        while work:
            step = self.steps[work.pop()]
            done = frontier.get(step.actor, -1)
            if step.position <= done:
                continue
            frontier[step.actor] = step.position
            for number in self.turns_of[step.actor][done + 1 : step.position + 1]:
                sender = self.steps[number].sender
                if sender is not None:
                    work.append(sender)
        return {step.target for step in self.steps if step.position <= frontier.get(step.actor, -1)}

    def ancestors(self, actor: str) -> list[str]:
        """The actors in the causal past of this one's last turn, nearest first, itself first."""
        found = {actor}
        work = [actor]
        for name in work:
            for number in self.turns_of.get(name, ()):
                sender = self.steps[number].sender
                if sender is not None and self.steps[sender].actor not in found:
                    found.add(self.steps[sender].actor)
                    work.append(self.steps[sender].actor)
        return work
