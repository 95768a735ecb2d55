"""The generated systems of the thesis' evaluation (section 7.1.1), as topologies and simulations.

A system is a directed acyclic graph of 50 actors. An ``Update`` to the root is passed on along
every edge and confirmed to its sender, so that each actor counts the paths that lead to it. An
actor recognises an update that it has seen, and keeps its counter in a journal that survives a
restart; the seeded actor lacks one of the two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from socrates_amplify.simulation.actors import Message, Simulation, World

ACTORS = 50
PLACES = (5, 25, 45)

TABLE_7_1: Sequence[tuple[int, str]] = (
    (129, "D"),
    (204, "D"),
    (308, "D"),
    (378, "R"),
    (513, "D"),
    (626, "R"),
    (706, "R"),
    (854, "R"),
    (885, "D"),
    (1004, "D"),
)
"""Fault targets and defect type of each system. Restarts hit updates and their confirmations, so
half of their targets are updates; duplicates hit updates only."""

KINDS = {"D": "duplicate", "R": "restart"}


@dataclass(frozen=True, slots=True)
class Spec:
    """One system: who updates whom, and which actors are defective in which way.

    ``defects`` maps an actor to the letters of its defects: ``D`` counts duplicates, ``R`` forgets
    its counter on restart, ``N`` counts duplicates down, ``M`` forgets on restart which updates
    it has seen (harmless unless a duplicate follows).
    """

    number: int
    edges: Mapping[int, tuple[int, ...]]
    updates: int
    defects: Mapping[int, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ("duplicate", "restart")
    total_only: bool = False

    @property
    def id(self) -> str:
        """A name for reports and parametrised tests."""
        flaws = "-".join(f"{actor}{letters}" for actor, letters in self.defects.items())
        return f"{self.number}-{flaws or 'healthy'}"

    @property
    def expected(self) -> list[int]:
        """The number of paths from the root to each actor."""
        return paths(self.edges)


def paths(edges: Mapping[int, Sequence[int]]) -> list[int]:
    """How many paths lead from actor 0 to each actor."""
    counts = [1] + [0] * (ACTORS - 1)
    for actor in range(ACTORS):
        for child in edges.get(actor, ()):
            counts[child] += counts[actor]
    return counts


def topology(updates: int, seed: int) -> dict[int, tuple[int, ...]]:
    """A random graph in which every actor is reached and exactly ``updates`` updates are sent.

    Edges go from lower to higher numbers. Random edges are added to a random tree as long as the
    number of paths stays within the wanted one; a draw that can't hit it is thrown away.
    """
    rng = random.Random(f"{updates}/{seed}")
    while True:
        edges: dict[int, set[int]] = {actor: set() for actor in range(ACTORS)}
        for child in range(1, ACTORS):
            edges[rng.randrange(child)].add(child)
        pairs = [(x, y) for y in range(1, ACTORS) for x in range(y) if y not in edges[x]]
        rng.shuffle(pairs)
        for x, y in pairs:
            edges[x].add(y)
            total = sum(paths({k: tuple(v) for k, v in edges.items()}))
            if total == updates:
                return {actor: tuple(sorted(out)) for actor, out in edges.items()}
            if total > updates:
                edges[x].discard(y)


def thesis_specs(seed: int = 0) -> list[Spec]:
    """The 30 systems of table 7.1: 10 topologies, each with its defect in 3 places."""
    found = []
    for number, (targets, defect) in enumerate(TABLE_7_1, 1):
        updates = targets if defect == "D" else targets // 2
        edges = topology(updates, seed)
        kinds = (KINDS[defect],)
        found += [Spec(number, edges, updates, {place: defect}, kinds) for place in PLACES]
    return found


def leaves_alike(edges: Mapping[int, Sequence[int]]) -> tuple[int, int]:
    """Two actors that pass nothing on and count the same: their errors can cancel out."""
    counts = paths(edges)
    leaves = [actor for actor in range(ACTORS) if not edges[actor]]
    for number, first in enumerate(leaves):
        for second in leaves[number + 1 :]:
            if counts[first] == counts[second]:
                return first, second
    raise ValueError("no two leaves count the same")


class Node:
    """A simulated actor of a generated system."""

    def __init__(self, number: int, spec: Spec, journal: dict[str, object]) -> None:
        self._me = number
        self._children = spec.edges[number]
        self._defects = spec.defects.get(number, "")
        self._journal = journal
        seen = journal.setdefault("seen", set())
        assert isinstance(seen, set)
        self._seen: set[object] = set() if "M" in self._defects else seen
        count = journal.get("count", 0)
        assert isinstance(count, int)
        self._count = 0 if "R" in self._defects else count

    def receive(self, message: Message, sender: str, world: World) -> object:
        """Count an update once, pass it on, confirm it; answer the question for the state."""
        if message.type == "State":
            return self._count
        if message.type == "Update":
            if "N" in self._defects and message.key in self._seen:
                self._keep(self._count - 1)
            elif "D" in self._defects or message.key not in self._seen:
                self._keep(self._count + 1)
                for child in self._children:
                    key = world.fresh()
                    world.tell(name(child), Message("Update", self._me, key), at_least_once=True)
            self._seen.add(message.key)
            if sender != "test":
                world.tell(sender, Message("Confirm", self._me))
        return None

    def _keep(self, count: int) -> None:
        self._count = count
        self._journal["count"] = count


def name(actor: int) -> str:
    """The address of an actor."""
    return f"Node#{actor + 1}"


def simulate(spec: Spec) -> Simulation:
    """The system as a simulation."""
    return Simulation(script(spec), spec.kinds)


def script(spec: Spec) -> Callable[[World], None]:
    """The test: one update to the root, then every counter (or only their total) is checked."""
    expected = spec.expected

    def run(world: World) -> None:
        for actor in range(ACTORS):
            world.create(name(actor), partial(Node, actor, spec, {}))
        world.tell(name(0), Message("Update", "test", "first"), at_least_once=True)
        counts = [world.ask(name(actor), Message("State")) for actor in range(ACTORS)]
        if spec.total_only:
            world.check(sum(expected), sum(int(str(count)) for count in counts))
        for actor in range(0 if spec.total_only else ACTORS):
            world.check(expected[actor], counts[actor], name(actor))

    return run
