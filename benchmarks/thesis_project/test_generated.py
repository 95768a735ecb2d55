"""The thesis' generated test: one update to the root, then every counter is checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import nodes
import pykka
import pytest

PLAN = json.loads(Path(__file__).with_name("systems.json").read_text(encoding="utf-8"))
SYSTEMS = PLAN["systems"]


@pytest.fixture(params=list(SYSTEMS))
def system(request: pytest.FixtureRequest) -> Iterator[dict[str, object]]:
    """A settled system and what is expected of it."""
    spec = SYSTEMS[request.param]
    flaws = {int(number): letters for number, letters in spec["defects"].items()}
    actors = nodes.start(spec["edges"], flaws)
    actors[0].tell(nodes.Update(-1, "first"))
    nodes.settle(actors)
    yield {**spec, "actors": actors}
    pykka.ActorRegistry.stop_all()


def test_every_counter(system):
    for actor, expected in zip(system["actors"], system["expected"], strict=True):
        assert actor.ask(nodes.State()) == expected


def test_total(system):
    counts = [actor.ask(nodes.State()) for actor in system["actors"]]
    assert sum(counts) == sum(system["expected"])


def test_messages():
    """As many messages as ``systems.json`` names, for the measures of cost."""
    count = PLAN["messages"]
    (actor,) = nodes.start([()], {})
    for number in range(count):
        actor.tell(nodes.Update(-1, str(number)))
    assert actor.ask(nodes.State()) == count
    pykka.ActorRegistry.stop_all()
