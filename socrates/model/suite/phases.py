"""The part that each production call plays in a test: acting, observing, setting up, cleaning up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope
from socrates.model.suite.members import Member
from socrates.model.suite.unit import Unit

Role = Literal["acts", "observes", "sets-up", "cleans-up"]

_GETTER = re.compile(r"get|is(?!su|ol)|has(?!h)|(to|as)_")
_WAYS_OUT = "encode serialize pack quote escape encrypt compress dump dumps sign".split()
_WAYS_BACK = (
    "decode deserialize unpack unquote unescape decrypt decompress load loads unsign".split()
)
_ROUND_TRIPS = frozenset(zip(_WAYS_OUT, _WAYS_BACK, strict=True))
_CLEANUP = frozenset({"close", "stop", "shutdown", "join", "release", "disconnect"})


@dataclass(frozen=True, slots=True)
class Step:
    """A production call as it runs; ``bound`` are the names that get its statement's result."""

    member: Member
    node: ast.AST
    callee: ast.expr
    scope: Scope
    in_assertion: bool
    in_helper: bool
    in_raises: bool
    in_decorator: bool
    bound: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """The names that the call mentions: its receiver and its arguments."""
        return frozenset(n.id for n in ast.walk(self.node) if isinstance(n, ast.Name))


@dataclass(frozen=True, slots=True)
class Boundary:
    """An assertion has been made: what came before it has been looked at."""

    node: ast.AST


def assign_roles(
    steps: Sequence[Step | Boundary], unit: Unit, words: str
) -> Iterator[tuple[Step, Role]]:
    """Each call with its role, in order. ``words`` of the test's name tell what it is about."""
    roles: dict[int, Role] = {}
    calls = [step for step in steps if isinstance(step, Step)]
    for index, step in enumerate(steps):
        if isinstance(step, Boundary):
            continue
        is_named = names_method(words, step.member.name)
        if step.member.name in _CLEANUP and not is_named and not _is_checked(step, steps[index:]):
            roles[id(step)] = "cleans-up"
        elif step.in_assertion and only_returns_state(step.member):
            roles[id(step)] = "observes"
        else:
            roles[id(step)] = "acts"
    if unit.cls is None:
        _promote_functions(calls, roles, words)
    for segment in _segments(steps):
        named = {id(step) for step in segment if names_method(words, step.member.name)}
        acting = [
            step
            for step in segment
            if roles[id(step)] == "acts" or (roles[id(step)] == "observes" and id(step) in named)
        ]
        for index, step in enumerate(acting):
            if id(step) not in named and _prepares(step, acting[index + 1 :]):
                roles[id(step)] = "sets-up"
    return ((step, roles[id(step)]) for step in calls)


def _is_checked(step: Step, following: Sequence[Step | Boundary]) -> bool:
    """Whether an assertion looks at what a call did: around it, or next after it at its object."""
    if step.in_assertion or step.in_raises:
        return True
    after = next((part for part in following if isinstance(part, Boundary)), None)
    if after is None or not isinstance(step.callee, ast.Attribute):
        return False
    receiver = ast.dump(step.callee.value)
    return any(
        isinstance(node, (ast.Name, ast.Attribute)) and ast.dump(node) == receiver
        for node in ast.walk(after.node)
    )


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


def _promote_functions(calls: Sequence[Step], roles: dict[int, Role], words: str) -> None:
    """A function has no object to look at: it observes only what an earlier call has made."""
    touched: set[str] = set()
    acted = False
    for step in calls:
        if roles[id(step)] == "observes":
            takes = isinstance(step.node, ast.Call) and (step.node.args or step.node.keywords)
            aside = takes and not (_argument_names(step) & touched)
            if not acted or aside or names_method(words, step.member.name):
                roles[id(step)] = "acts"
        if roles[id(step)] == "acts":
            acted = True
            local = {name for name in step.names if step.scope.lookup(name) is not None}
            touched |= step.bound | local


def _argument_names(step: Step) -> set[str]:
    if not isinstance(step.node, ast.Call):
        return set()
    parts = [*step.node.args, *(keyword.value for keyword in step.node.keywords)]
    return {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)}


def _segments(steps: Sequence[Step | Boundary]) -> Iterator[list[Step]]:
    current: list[Step] = []
    for step in steps:
        if isinstance(step, Boundary):
            yield current
            current = []
        else:
            current.append(step)
    yield current


def _prepares(step: Step, later: Sequence[Step]) -> bool:
    """Whether a call is there only for a different method that runs before the next assertion.

    Decorators only register: one does not prepare for another. Nor does a method prepare for its
    inverse: a test that decodes what it has encoded is about both.
    """
    name = step.member.name
    if step.in_decorator:
        later = [other for other in later if not other.in_decorator]
    others = [other for other in later if other.member.name != name]
    if not others or later[-1].member.name == name:
        return False
    if any((name, other.member.name) in _ROUND_TRIPS for other in others):
        return False
    if step.in_assertion:
        return any(_contains(other.node, step.node) for other in others)
    if not step.bound:
        return True
    return any(_contains(o.node, step.node) or o.names & step.bound for o in others)


def _contains(outer: ast.AST, inner: ast.AST) -> bool:
    return outer is not inner and any(node is inner for node in ast.walk(outer))


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
