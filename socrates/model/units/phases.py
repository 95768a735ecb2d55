"""The part that each production call plays in a test: checked act, set-up, observation, clean-up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope
from socrates.model.units.members import Member

Role = Literal["checked", "observes", "sets-up", "cleans-up"]

_GETTER = re.compile(r"get|is(?!su|ol)|has(?!h)|(to|as)_")
_CLEANUP = frozenset({"close", "stop", "shutdown", "join", "release", "disconnect"})
_EXPECTED = re.compile(r"_*(expect|want|correct|reference|desired)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """A production call as it runs.

    ``assertion`` is the assertion that it stands in, ``side`` a comparison in that and the operand
    of it; ``bound`` are the names that its statement's result gets, in the scope ``bound_in``.
    """

    member: Member
    node: ast.AST
    scope: Scope
    in_helper: bool = False
    in_finally: bool = False
    assertion: ast.AST | None = None
    side: tuple[int, int] = (0, 0)
    bound: frozenset[str] = frozenset()
    bound_in: Scope | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    """An assertion has been made: what came before it has been looked at."""


@dataclass(frozen=True, slots=True)
class Further:
    """Something else is done with an object: an operator that acts, or a method that is no reading.

    ``name`` in ``scope`` is the object, or it is what the call ``made_by`` has returned; with
    neither it is an object of the unit.
    """

    name: str = ""
    scope: Scope | None = None
    made_by: ast.AST | None = None


Event = Step | Boundary | Further


def assign_roles(events: Sequence[Event], name: str) -> Iterator[tuple[Step, Role]]:
    """Each call with its role, in order; ``name`` is the test's."""
    words = words_of(name)
    roles: dict[int, Role] = {}
    steps = [event for event in events if isinstance(event, Step)]
    for index, step in enumerate(events):
        if not isinstance(step, Step):
            continue
        if _cleans_up(step, events[index + 1 :], words):
            roles[id(step)] = "cleans-up"
        elif step.assertion is not None and only_returns_state(step.member):
            roles[id(step)] = "observes"
        elif _is_expected(step, steps, words):
            roles[id(step)] = "sets-up"
    for index, step in enumerate(events):
        if isinstance(step, Step):
            if id(step) not in roles:
                is_checked = _is_checked(step, events[index + 1 :], roles)
                roles[id(step)] = "checked" if is_checked else "sets-up"
            yield step, roles[id(step)]


def _cleans_up(step: Step, following: Sequence[Event], words: str) -> bool:
    """``close`` in a ``finally``, or last with no assertion after it; not where the test is about it."""
    name = step.member.name
    if name not in _CLEANUP or names_method(words, name):
        return False
    return step.in_finally or not any(
        isinstance(event, Boundary)
        or (isinstance(event, Step) and event.member.name not in _CLEANUP)
        for event in following
    )


def _is_expected(step: Step, steps: Sequence[Step], words: str) -> bool:
    """Whether a call only computes the expected value.

    Of the two sides of a comparison, the one that the test is named after is what is tested, else
    the first one.
    """
    if any(_EXPECTED.match(name) for name in step.bound):
        return True
    compared, operand = step.side
    rivals = {s.side[1]: s for s in steps if compared and s.side[0] == compared}
    if len(rivals) < 2:
        return False
    named = [side for side, s in rivals.items() if names_method(words, s.member.name)]
    return operand != (named[0] if len(named) == 1 else min(rivals))


def _is_checked(step: Step, following: Sequence[Event], roles: dict[int, Role]) -> bool:
    """Whether an assertion looks at a call's effect before the next call of the unit.

    Getters in the assertion are how it looks, and what should come out is no act.
    """
    for event in following:
        if isinstance(event, Boundary):
            return True
        if isinstance(event, Further):
            if _is_about(event, step):
                return False
        elif roles.get(id(event)) in ("observes", "sets-up") or _is_beside(step, event):
            continue
        elif roles.get(id(event)) != "cleans-up":
            return False
    return False


def _is_beside(step: Step, other: Step) -> bool:
    """Whether a later call stands in the same assertion, and not around this one."""
    if step.assertion is None or other.assertion is not step.assertion:
        return False
    return not _contains(other.node, step.node)


def _is_about(event: Further, step: Step) -> bool:
    if event.made_by is not None:
        return event.made_by is step.node
    if event.name:
        return event.name in step.bound and event.scope is step.bound_in
    return True


def _contains(outer: ast.AST, inner: ast.AST) -> bool:
    return outer is not inner and any(node is inner for node in ast.walk(outer))


def names_method(words: str, method: str) -> bool:
    """Whether the words of a method's name stand together in the words of a test's name."""
    inner = words_of(method).strip()
    if len(inner) > 5 and _starts_a_word(inner.replace(" ", ""), words):
        return True
    return len(inner) > 2 and (f" {inner} " in words or f" {inner}s " in words)


def _starts_a_word(joined: str, words: str) -> bool:
    """Whether a name written as one word begins at a word: ``register`` not in ``unregister``."""
    parts = words.split()
    return any("".join(parts[start:]).startswith(joined) for start in range(len(parts)))


def words_of(name: str) -> str:
    """``TestFooBar.test_spam_eggs`` as `` test foo bar test spam eggs ``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return f" {re.sub(r'[^A-Za-z0-9]+', ' ', spaced).lower().strip()} "


def only_returns_state(member: Member) -> bool:
    """Whether a method looks like a getter, by its name or by a body that returns an attribute."""
    if _GETTER.match(member.name):
        return True
    return member.node is not None and _returns_attribute(member.node)


def _returns_attribute(node: FunctionNode) -> bool:
    body = [s for s in node.body if not _is_docstring(s)]
    return (
        len(body) == 1
        and isinstance(body[0], ast.Return)
        and isinstance(body[0].value, ast.Attribute)
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
