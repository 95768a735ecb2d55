"""The actors of the generated systems, in Pykka.

A node counts each update once, passes it on to its children with a delivery id of its own, and
confirms it. Its journal outlives a restart. ``flaws`` seeds a defect: ``D`` counts duplicates,
``R`` does not read its counter back, ``N`` counts duplicates down, ``M`` does not read back which
updates it has seen.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

import pykka


@dataclass(frozen=True)
class Update:
    """At least once: it has a delivery id."""

    source: int
    delivery_id: str


@dataclass(frozen=True)
class Confirm:
    """At most once."""

    source: int


@dataclass(frozen=True)
class State:
    """Asks for the counter."""


@dataclass(frozen=True)
class Ping:
    """Answered when everything before it is done."""


@dataclass
class Journal:
    """What a node has written down."""

    count: int = 0
    seen: set[str] = field(default_factory=set)


class Node(pykka.ThreadingActor):
    """One actor of a generated system."""

    persistence_id = "node"

    def __init__(
        self,
        number: int,
        children: Sequence[int],
        flaws: str,
        journal: Journal,
        nodes: list[pykka.ActorRef[Node]],
    ) -> None:
        super().__init__()
        self._number = number
        self._children = children
        self._flaws = flaws
        self._journal = journal
        self._nodes = nodes
        self._count = 0 if "R" in flaws else journal.count
        self._seen = set() if "M" in flaws else set(journal.seen)

    def on_receive(self, message: object) -> object:
        """Handle an update, or answer a question."""
        if isinstance(message, Update):
            self._update(message)
        return self._count if isinstance(message, State) else None

    def _update(self, update: Update) -> None:
        if "N" in self._flaws and update.delivery_id in self._seen:
            self._count -= 1
        elif "D" in self._flaws or update.delivery_id not in self._seen:
            self._count += 1
            for child in self._children:
                self._nodes[child].tell(Update(self._number, uuid.uuid4().hex))
        self._seen.add(update.delivery_id)
        self._journal.seen.add(update.delivery_id)
        self._journal.count = self._count
        if update.source >= 0:
            self._nodes[update.source].tell(Confirm(self._number))


def start(edges: Sequence[Sequence[int]], flaws: dict[int, str]) -> list[pykka.ActorRef[Node]]:
    """Start a node for each entry of ``edges``, which lists its children."""
    nodes: list[pykka.ActorRef[Node]] = []
    for number, children in enumerate(edges):
        nodes.append(Node.start(number, children, flaws.get(number, ""), Journal(), nodes))
    return nodes


def settle(nodes: Sequence[pykka.ActorRef[Node]]) -> None:
    """Wait until nothing is under way: updates run to higher numbers, confirmations back."""
    for node in nodes:
        node.ask(Ping())
    for node in reversed(nodes):
        node.ask(Ping())
