"""Methods that a test asks for the same reason: a table of calls, not several tests under one name.

``assert small("") == ""`` and the same of ``strong`` and ``grey`` put one question to a family of
functions. Each line shows what it got, and three tests of one line would say no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from socrates.model.python.walk import walk

if TYPE_CHECKING:
    from socrates.model.context import FileContext
    from socrates.model.suite.assertions import Assertion
    from socrates.model.units.production import ProductionCall
    from socrates.model.units.unit import Unit


def only_asks(acts: Sequence[ProductionCall], assertions: Sequence[Assertion], most: int) -> bool:
    """Whether each act stands in an assertion about what it returns, and there are few of them.

    What the test does before the first of them prepares; what it does in between is a new scenario.
    """
    rest = list(dropwhile(lambda act: not act.checked, acts))
    if len(rest) > most:
        return False
    asked = {
        id(node)
        for assertion in assertions
        if assertion.kind != "raises"
        for node in walk(assertion.node)
    }
    return all(id(act.node) in asked for act in rest)


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
