"""The production methods that a test calls on its unit, in the order in which they run."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.names import Scope
from socrates.model.suite.assertions import Assertion
from socrates.model.suite.collect import TestCase
from socrates.model.units.members import MemberFinder
from socrates.model.units.order import CallOrder
from socrates.model.units.phases import Role, assign_roles, names_method


@dataclass(frozen=True, slots=True)
class ProductionCall:
    """One call of a public method (or function) of the unit, with the part that it plays.

    ``observes``: a getter inside an assertion, which looks at the effect of something else.
    ``cleans_up``: ``close`` and its kin. ``checked``: an assertion looks at its effect before the
    next one is called; what is neither is set-up. ``is_named``: the name of the test or its class
    mentions the method. ``builds``: it is an alternative constructor.
    """

    method: str
    node: ast.AST
    scope: Scope
    in_assertion: bool = False
    observes: bool = False
    cleans_up: bool = False
    checked: bool = False
    in_helper: bool = False
    is_named: bool = False
    builds: bool = False

    @property
    def acts(self) -> bool:
        """Whether the call does something to the unit, rather than look at it or tidy it up."""
        return not self.observes and not self.cleans_up

    @property
    def is_checked_act(self) -> bool:
        """Whether it does something that an assertion looks at before the next call."""
        return self.acts and self.checked


def production_calls(
    test: TestCase, members: MemberFinder, assertions: list[Assertion], inference: Inference
) -> list[ProductionCall]:
    """All production calls of a test as they run, those of its helpers included."""
    walk = CallOrder(test, members, assertions, inference)
    walk.body(test.node.body, test.scope)
    roles: dict[int, Role] = {}
    for events in walk.sequences:
        roles.update({id(step): role for step, role in assign_roles(events, test.name)})
    calls = [
        ProductionCall(
            step.member.name,
            step.node,
            step.scope,
            step.assertion is not None,
            observes=roles[id(step)] == "observes",
            cleans_up=roles[id(step)] == "cleans-up",
            checked=roles[id(step)] in ("checked", "observes"),
            in_helper=step.in_helper,
            is_named=names_method(walk.words, step.member.name),
            builds=step.member.builds,
        )
        for step in walk.steps
    ]
    return [call for i, call in enumerate(calls) if not _only_builds(call, calls[i + 1 :])]


def _only_builds(call: ProductionCall, later: Sequence[ProductionCall]) -> bool:
    """Whether a constructor makes the object that a later call acts on."""
    return call.builds and any(c.acts and not c.builds and c.method != call.method for c in later)


def methods_under_test(calls: Sequence[ProductionCall]) -> list[str]:
    """The distinct methods that assertions of a test look at: its checked acts and getters."""
    return list(dict.fromkeys(call.method for call in calls if call.checked))
