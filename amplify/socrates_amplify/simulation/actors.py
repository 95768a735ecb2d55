"""Actor systems in memory, to try explorers on: deterministic, thousands of runs a second.

A simulated test is a function of a ``World``: it creates actors, sends messages, lets them
settle and checks replies. The world records the same events as a probe does and applies
``duplicate`` (the message once more, right after the first) and ``restart`` (a new instance from
the same factory, after the turn).
"""

from __future__ import annotations

import functools
import hashlib
from collections import deque
from collections.abc import Callable, Sequence, Sized
from typing import Protocol, TypeVar

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Create, Event, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Message:
    """What actors send: a type and a payload with a stable ``repr``."""

    type: str
    payload: object = ""
    key: object = None
    """What tells deliveries apart, such as a uuid: no part of the readable form or the digest."""

    def __str__(self) -> str:
        return f"{self.type}({self.payload})"


class Actor(Protocol):
    """A simulated actor."""

    def receive(self, message: Message, sender: str, world: World) -> object:
        """Handle one message; what is returned is the reply."""


class CheckFailedError(Exception):
    """The simulated test failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class _Letter:
    target: str
    sender: str
    receiver: str
    message: Message
    copy: int = 0


class World:
    """One run of a simulated system under one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.events: list[Event] = []
        self.pending = {(fault.target, fault.kind) for fault in scenario.faults}
        self._factories: dict[str, Callable[[], Actor]] = {}
        self._actors: dict[str, Actor] = {}
        self._inbox: deque[_Letter] = deque()
        self._current: _Letter | None = None
        self._occurrences: dict[tuple[str, str, str], int] = {}
        self._replies: dict[str, object] = {}
        self._given = 0

    def create(self, name: str, factory: Callable[[], Actor], persistent: bool = True) -> None:
        """Start an actor. What must survive a restart lives outside of what ``factory`` makes."""
        parent = self._current.receiver if self._current else TEST
        self.events.append(Create(parent, name, persistent, "Simulated"))
        self._factories[name] = factory
        self._actors[name] = factory()

    def tell(self, receiver: str, message: Message, at_least_once: bool = False) -> str:
        """Send from the current turn, or from the test; the result is the target."""
        here, text = self._current, str(message)
        sender, cause = (here.receiver, here.target) if here else (TEST, None)
        key = (f"{cause}/{here.copy}" if here else TEST, receiver, text)
        nth = self._occurrences[key] = self._occurrences.get(key, 0) + 1
        target = _digest(f"{key}{nth}")
        self.events.append(
            Send(target, sender, receiver, text, _digest(text), cause, at_least_once)
        )
        self._inbox.append(_Letter(target, sender, receiver, message))
        return target

    def fresh(self) -> int:
        """A number that was never given out in this run, to tell deliveries apart."""
        self._given += 1
        return self._given

    def settle(self) -> None:
        """Let all messages be handled, in the order in which they were sent."""
        while self._inbox:
            self._handle(self._inbox.popleft())

    def ask(self, receiver: str, message: Message) -> object:
        """Settle, send, settle again and take the reply."""
        self.settle()
        target = self.tell(receiver, message)
        self.settle()
        return self._replies[target]

    def check(self, expected: object, actual: object, actor: str = "", line: int = 1) -> None:
        """Fail the test unless both are equal; ``actor`` is the one the assertion looked at."""
        if expected != actual:
            text = f"assert {actual!r} == {expected!r}"
            raise CheckFailedError(Failure("AssertionError", text, f"test:{line}", actor))

    def _handle(self, letter: _Letter) -> None:
        self._current = letter
        self.events.append(Turn(letter.receiver, letter.target, letter.copy))
        reply = self._actors[letter.receiver].receive(letter.message, letter.sender, self)
        if reply is not None:
            shown = repr(reply)
            self.events.append(Reply(letter.receiver, letter.target, shown, _digest(shown)))
        if not letter.copy:
            self._replies[letter.target] = reply
        self._current = None
        if self._inject(letter, "restart"):
            self._actors[letter.receiver] = self._factories[letter.receiver]()
        if self._inject(letter, "duplicate"):
            again = _Letter(letter.target, letter.sender, letter.receiver, letter.message, 1)
            self._handle(again)

    def _inject(self, letter: _Letter, kind: str) -> bool:
        if (letter.target, kind) not in self.pending:
            return False
        self.pending.remove((letter.target, kind))
        self.events.append(Injected(letter.target, kind))
        return True


class Simulated(Protocol):
    """A world that a script acts in."""

    @property
    def events(self) -> Sequence[Event]:
        """What happened, in order."""

    @property
    def pending(self) -> Sized:
        """The faults that found no target yet."""


_World = TypeVar("_World", bound=Simulated)


def executed(script: Callable[[_World], None], world: _World, scenario: Scenario) -> Outcome:
    """What comes of a script in a world that was made for this scenario."""
    verdict, failure, reason = Verdict.PASS, None, ""
    try:
        script(world)
    except CheckFailedError as failed:
        verdict, failure = Verdict.FAIL, failed.failure
    if world.pending and verdict is Verdict.PASS:
        verdict = Verdict.UNRESOLVED
        reason = f"{len(world.pending)} faults found no target"
    return Outcome(scenario, verdict, failure, reason, Trace(tuple(world.events)))


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated test and the fault kinds to try on it."""

    script: Callable[[World], None]
    kinds: tuple[str, ...] = ("duplicate", "restart")

    def run(self, scenario: Scenario) -> Outcome:
        """Execute once."""
        return executed(self.script, World(scenario), scenario)

    def control(self) -> Trace:
        """The trace without faults."""
        return self.run(Scenario()).trace

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """Duplicates of at-least-once messages, restarts of persistent receivers."""
        creates = [event for event in trace.events if isinstance(event, Create)]
        persistent = {event.child for event in creates if event.persistent}
        return [
            Fault(send.target, kind, send.sender, send.receiver, send.message)
            for send in trace.sends
            for kind in self.kinds
            if (send.at_least_once if kind == "duplicate" else send.receiver in persistent)
        ]


@functools.lru_cache(maxsize=100_000)
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
