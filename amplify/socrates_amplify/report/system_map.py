"""The map of a system as its tests show it: who talks to whom, and what was tried on the way."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from socrates.classes.lazy import dataclass
from socrates_amplify.model.exchanges import (
    Exchange,
    FaultCoverage,
    NodeKind,
    Tried,
    fault_coverage,
    together,
)
from socrates_amplify.model.kinds import Channel

_FEW_TEST_MODULES = 6
"""Up to so many modules of tests are drawn one by one."""


class EdgeState(enum.Enum):
    """What is known of an exchange, the most pressing first. The values stand in reports."""

    BROKE = "broke"
    UNEXERCISED = "no clean test"
    UNTRIED = "untried"
    PARTLY = "partly tried"
    NOTICED = "noticed"
    SURVIVED = "survived"
    NOTHING = "nothing to try"


class Node(NamedTuple):
    """One of those that talk to each other."""

    kind: NodeKind
    name: str


@dataclass(frozen=True, slots=True)
class Link:
    """All exchanges of one channel from one node to another: one line of a drawing."""

    sender: Node
    receiver: Node
    channel: Channel
    exchanges: tuple[Exchange, ...]

    @property
    def state(self) -> EdgeState:
        """That of the exchange that is most pressing; partly tried if some were tried and some not."""
        states = {state_of(one) for one in self.exchanges}
        for state in (EdgeState.BROKE, EdgeState.UNEXERCISED):
            if state in states:
                return state
        tried = {EdgeState.PARTLY, EdgeState.NOTICED, EdgeState.SURVIVED} & states
        if EdgeState.UNTRIED in states and tried:
            return EdgeState.PARTLY
        return min(states, key=list(EdgeState).index)


@dataclass(frozen=True, slots=True)
class SystemMap:
    """Every exchange once. ``tests`` sent something; ``earlier`` of them last ran on other code."""

    exchanges: tuple[Exchange, ...] = ()
    tests: int = 0
    earlier: int = 0

    @property
    def coverage(self) -> FaultCoverage:
        """How much of it was tried."""
        return fault_coverage(self.exchanges)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All that send or receive, sorted."""
        return tuple(sorted({node for one in self.exchanges for node in _ends(one)}))

    @property
    def links(self) -> tuple[Link, ...]:
        """The lines of a drawing, sorted."""
        between: dict[tuple[Node, Node, Channel], list[Exchange]] = {}
        for one in self.exchanges:
            between.setdefault((*_ends(one), one.channel), []).append(one)
        return tuple(Link(*ends, tuple(found)) for ends, found in sorted(between.items()))

    @property
    def folded(self) -> SystemMap:
        """The map to draw: many modules of tests are one node."""
        modules = {one.sender for one in self.exchanges if one.sender_kind == "test"}
        if len(modules) <= _FEW_TEST_MODULES:
            return self
        name = f"{len(modules)} test modules"
        folded = (
            replace(one, sender=name) if one.sender_kind == "test" else one
            for one in self.exchanges
        )
        return replace(self, exchanges=together(folded))


def map_of(exchanges: Iterable[Iterable[Exchange]], earlier: int = 0) -> SystemMap:
    """The map of what these tests exercised, each with its exchanges."""
    talking = [one for one in map(tuple, exchanges) if one]
    return SystemMap(together(one for test in talking for one in test), len(talking), earlier)


def state_of(exchange: Exchange) -> EdgeState:
    """What is known of one exchange."""
    if Tried.BROKE in exchange.kinds.values():
        return EdgeState.BROKE
    if not exchange.clean:
        return EdgeState.UNEXERCISED
    if not exchange.kinds:
        return EdgeState.NOTHING
    tried = sum(state.says_something for state in exchange.kinds.values())
    if tried == len(exchange.kinds):
        noticed = Tried.NOTICED in exchange.kinds.values()
        return EdgeState.NOTICED if noticed else EdgeState.SURVIVED
    return EdgeState.PARTLY if tried else EdgeState.UNTRIED


def _ends(exchange: Exchange) -> tuple[Node, Node]:
    return (
        Node(exchange.sender_kind, exchange.sender),
        Node(exchange.receiver_kind, exchange.receiver),
    )
