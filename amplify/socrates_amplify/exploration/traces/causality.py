"""Happens-before of a trace: which turns could have influenced which.

A turn is preceded by the earlier turns of its actor and by the turn that sent its message (the
thesis' algorithm 1), and by those that answered the remote calls that it made. Its past is
everything that precedes it, transitively (algorithms 2 and 3). Several roots need no care: a
message of the test itself simply has no sending turn. The tasks of queues keep what they do where
every worker sees it, so together they are one actor here.
"""

from __future__ import annotations

from collections.abc import Iterable

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.kinds import CALL, TASK

_SHARED = "<queues>"
"""The place whose turns are those of all tasks."""


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of ``actor``: the ``position``-th at its ``place``, which is the actor itself unless
    it shares its memory, sent from step ``sender`` (None: the test)."""

    actor: str
    position: int
    target: str
    copy: int
    sender: int | None
    place: str


class Causality:
    """The turns of one trace and their order. Steps are numbered as they were observed."""

    def __init__(self, trace: Trace) -> None:
        self.steps: list[Step] = []
        self.turns_of: dict[str, list[int]] = {}
        self._last: dict[str, int] = {}
        self._asked: dict[int, list[int]] = {}
        sent_from: dict[str, int | None] = {}
        queued: set[str] = set()
        called: set[str] = set()
        handled: dict[str, int] = {}
        for event in trace.events:
            if isinstance(event, Send):
                sent_from.setdefault(event.target, self._last.get(event.sender))
                if event.channel == TASK:
                    queued.add(event.target)
                elif event.channel == CALL:
                    called.add(event.target)
                    sent_from[event.target] = handled.get(event.cause or "")
            elif isinstance(event, Turn):
                number = len(self.steps)
                place = _SHARED if event.target in queued else event.actor
                turns = self.turns_of.setdefault(place, [])
                sender = sent_from.get(event.target)
                self.steps.append(
                    Step(event.actor, len(turns), event.target, event.copy, sender, place)
                )
                turns.append(number)
                self._last[event.actor] = number
                handled.setdefault(event.target, number)
                if sender is not None and event.target in called:
                    self._asked.setdefault(sender, []).append(number)

    def past(self, actors: Iterable[str]) -> set[str]:
        """The targets of all turns that could have influenced the last turn of these actors.

        Linear in the number of turns: what is relevant of an actor is always a prefix of its
        turns, so one frontier an actor is enough.
        """
        frontier: dict[str, int] = {}
        work = [self._last[actor] for actor in actors if actor in self._last]
        while work:
            step = self.steps[work.pop()]
            done = frontier.get(step.place, -1)
            if step.position <= done:
                continue
            frontier[step.place] = step.position
            for number in self.turns_of[step.place][done + 1 : step.position + 1]:
                sender = self.steps[number].sender
                if sender is not None:
                    work.append(sender)
                work += self._asked.get(number, ())
        return {step.target for step in self.steps if step.position <= frontier.get(step.place, -1)}

    def ancestors(self, actor: str) -> list[str]:
        """The actors in the causal past of this one's last turn, nearest first, itself first."""
        found = dict.fromkeys([actor])
        work = [actor]
        for name in work:
            near = [self.steps[number] for number in self._turns_before_last(name)]
            senders = [self.steps[step.sender] for step in near if step.sender is not None]
            sharing = [step for step in reversed(near) if step.place == _SHARED]
            for step in (*senders, *sharing):
                if step.actor not in found:
                    found[step.actor] = None
                    work.append(step.actor)
        return work

    def _turns_before_last(self, actor: str) -> list[int]:
        """The turns of an actor; of one that shares its memory, also those of the others."""
        last = self._last.get(actor)
        if last is None:
            return []
        step = self.steps[last]
        return self.turns_of[step.place][: step.position + 1]
