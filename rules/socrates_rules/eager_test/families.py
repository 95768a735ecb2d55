"""Methods that a test asks for the same reason: a table of calls, not several tests under one name.

``assert small("") == ""`` and the same of ``strong`` and ``grey`` put one question to a family of
functions. Each line shows what it got, and three tests of one line would say no more.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from socrates.model.python.walk import walk

if TYPE_CHECKING:
    from socrates.model.context import FileContext
    from socrates.model.suite.assertions import Assertion
    from socrates.model.units.production import ProductionCall
    from socrates.model.units.unit import Unit


def only_asks(acts: Sequence[ProductionCall], looked_at: Container[int]) -> bool:
    """Whether each act is called for what it returns, which an assertion looks at.

    What the test does before the first of them prepares; what it does in between is a new scenario.
    """
    rest = dropwhile(lambda act: not act.checked, acts)
    return all(act.checked and id(act.node) in looked_at for act in rest)


def asked_in(assertions: Sequence[Assertion]) -> dict[int, int]:
    """The nodes of assertions about values, each with the place of its assertion."""
    found: dict[int, int] = {}
    for place, assertion in enumerate(assertions):
        if assertion.kind != "raises":
            for node in walk(assertion.node):
                found.setdefault(id(node), place)
    return found


def without_expected(
    acts: Sequence[ProductionCall], asked: Mapping[int, int]
) -> list[ProductionCall]:
    """The acts; of several in one assertion one, for the others compute what it should return."""
    first: dict[int, ProductionCall] = {}
    for act in sorted(acts, key=lambda act: not act.is_named):
        first.setdefault(asked.get(id(act.node), -id(act)), act)
    kept = {id(act) for act in first.values()}
    return [act for act in acts if id(act) in kept]


def without_made_up(
    acts: Sequence[ProductionCall], unit: Unit, file: FileContext
) -> list[ProductionCall]:
    """The acts; of methods that only ``__getattr__`` of the unit answers to, the first one's.

    Their names are what the test hands to that one method.
    """
    cls, resolver = unit.cls, file.resolver
    if cls is None or resolver.method(cls, "__getattr__")[1] is None:
        return list(acts)
    known = {
        name for one in resolver.mro(cls) for name in (*one.methods, *one.aliases, *one.assigns)
    }
    made_up = [act.method for act in acts if act.method not in known]
    return [act for act in acts if act.method in known or act.method == made_up[0]]
