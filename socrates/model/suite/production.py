"""The production methods that a test calls on its unit, in the order in which they run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, walk_function
from socrates.model.python.walk import children
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates.model.suite.helpers import resolve_helper
from socrates.model.suite.members import Member, MemberFinder
from socrates.model.suite.phases import Boundary, Step, assign_roles, names_method, words_of
from socrates.model.suite.unit import Unit
from socrates.syntax.unparse import unparse

_MAX_DEPTH = 4
_RAISES = re.compile(r"raises|warns|throws|failUnlessRaises|deprecated_call", re.IGNORECASE)
_SET_UP = re.compile(r"_*(set_?up|prepare|make|build|create|init|start|new)", re.IGNORECASE)
_ASSERTS = re.compile(r"_*(assert|expect(?!ed)|check_that|fail(Unless|If))")


@dataclass(frozen=True, slots=True)
class ProductionCall:
    """One call of a public method (or function) of the unit, with the part that it plays.

    ``observes``: a getter inside an assertion, which looks at the effect of something else.
    ``cleans_up``: ``close`` and its kin. ``sets_up``: it only prepares for a different method.
    ``is_named``: the name of the test or its class mentions the method. ``builds``: it is an
    alternative constructor.
    """

    method: str
    node: ast.AST
    scope: Scope
    in_assertion: bool = False
    observes: bool = False
    cleans_up: bool = False
    sets_up: bool = False
    in_helper: bool = False
    is_named: bool = False
    builds: bool = False

    @property
    def acts(self) -> bool:
        """Whether the call does something to the unit, rather than look at it or tidy it up."""
        return not self.observes and not self.cleans_up


def production_calls(
    test: TestCase, unit: Unit, assertions: list[Assertion], inference: Inference
) -> list[ProductionCall]:
    """All production calls of a test as they run, helpers of its module included."""
    walk = _CallOrder(test, unit, assertions, inference)
    walk.body(test.node.body, test.scope)
    words = walk.words
    calls = [
        ProductionCall(
            step.member.name,
            step.node,
            step.scope,
            step.in_assertion,
            observes=role == "observes",
            cleans_up=role == "cleans-up",
            sets_up=role == "sets-up",
            in_helper=step.in_helper,
            is_named=names_method(words, step.member.name),
            builds=step.member.builds,
        )
        for step, role in assign_roles(walk.steps, unit, words)
    ]
    return [call for i, call in enumerate(calls) if not _only_builds(call, calls[i + 1 :])]


def _only_builds(call: ProductionCall, later: Sequence[ProductionCall]) -> bool:
    """Whether a constructor makes the object that a later call acts on."""
    return call.builds and any(c.acts and not c.builds and c.method != call.method for c in later)


def methods_under_test(calls: Sequence[ProductionCall]) -> list[str]:
    """The distinct methods that a test is about.

    Those it acts on, set-up aside, and getters that its name mentions; else those it observes.
    """
    about = [
        call
        for call in calls
        if (call.acts and not call.sets_up) or (call.observes and call.is_named)
    ]
    about = about or [call for call in calls if call.observes]
    return list(dict.fromkeys(call.method for call in about))


class _CallOrder:
    """Goes through a test as Python would run it: arguments before calls, helpers in place."""

    def __init__(
        self, test: TestCase, unit: Unit, assertions: list[Assertion], inference: Inference
    ) -> None:
        self.test = test
        self.words = words_of(f"{test.cls.name if test.cls else ''} {test.name}")
        self.inference = inference
        self.members = MemberFinder(unit, inference)
        self.steps: list[Step | Boundary] = []
        self._assertions = {id(assertion.node): assertion for assertion in assertions}
        self._asserting = 0
        self._raising = False
        self._decorating = False
        self._active: list[FunctionNode] = [test.node]
        self._bound: frozenset[str] = frozenset()

    def body(self, statements: list[ast.stmt], scope: Scope) -> None:
        """The statements of a body, in order."""
        for statement in statements:
            outer, self._bound = self._bound, _bound_names(statement)
            self._statement(statement, scope)
            self._bound = outer

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Assert():
                self._assertion(node, scope)
            case ast.With() | ast.AsyncWith():
                self._with(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._decorating = True
                for decorator in node.decorator_list:
                    self._expression(decorator, scope)
                    if not isinstance(decorator, ast.Call):
                        self._record(decorator, decorator, scope)
                self._decorating = False
                self.body(node.body, scope.inner(node))
            case _:
                self._children(node, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        for child in children(node):
            if isinstance(child, ast.stmt):
                self.body([child], scope)
            else:
                self._expression(child, scope)

    def _expression(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Call):
            self._call(node, scope)
        elif isinstance(node, ast.Lambda):
            self._expression(node.body, scope.inner(node))
        else:
            self._children(node, scope)

    def _assertion(self, node: ast.AST, scope: Scope) -> None:
        self._asserting += 1
        self._children(node, scope)
        self._asserting -= 1
        self._end(node)

    def _end(self, node: ast.AST) -> None:
        """What a helper for set-up asserts is no verdict about the unit."""
        prepares = len(self._active) > 1 and _SET_UP.match(self._active[-1].name)
        if not self._asserting and not prepares:
            self.steps.append(Boundary(node))

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        """Entering a context manager is no call under test; what ``raises`` encloses is."""
        checks = False
        outer = self._raising
        for item in node.items:
            manager = item.context_expr
            if isinstance(manager, ast.Call):
                if self._is_assertion(manager):
                    checks = self._raising = True
                self._children(manager, scope)
            else:
                self._expression(manager, scope)
        self.body(node.body, scope)
        self._raising = outer
        if checks:
            self._end(node)

    def _is_assertion(self, call: ast.Call) -> bool:
        if id(call) in self._assertions:
            return True
        name = called_name(call) or ""
        return bool(_ASSERTS.match(name) or _RAISES.search(name))

    def _call(self, node: ast.Call, scope: Scope) -> None:
        if not self._is_assertion(node) or self.members.find(node.func, scope) is not None:
            # A unit may have a method that is called like an assertion: ``child.expect``.
            self._children(node, scope)
            self._record(node, node.func, scope)
            self._helper(node, scope)
            return
        handed = _handed_to_raises(node)
        if handed is None:
            known = self._assertions.get(id(node))
            self._assertion(node, scope)
            if known is None or known.kind in ("helper", "named", "unittest"):
                self._helper(node, scope)
            return
        self._children(node, scope)
        self._record(node, handed, scope)
        outer, self._raising = self._raising, True
        called = ast.Call(handed, node.args[2:], [k for k in node.keywords if k.arg != "match"])
        self._helper(ast.copy_location(called, node), scope)
        self._raising = outer
        self._end(node)

    def _record(self, node: ast.AST, callee: ast.expr, scope: Scope) -> None:
        member = self.members.find(callee, scope)
        if member is not None and self._counts(member) and not self._is_replaced(callee):
            in_helper = len(self._active) > 1
            handed = isinstance(node, ast.Call) and node.func is not callee
            self.steps.append(
                Step(
                    member,
                    node,
                    callee,
                    scope,
                    self._asserting > 0 and not handed,
                    in_helper,
                    self._raising or handed,
                    self._decorating,
                    frozenset() if in_helper else self._bound,
                )
            )

    def _counts(self, member: Member) -> bool:
        return not member.builds or names_method(self.words, member.name)

    def _is_replaced(self, callee: ast.expr) -> bool:
        """Whether the test puts a fake in a method's place: ``unit.method = Mock()``."""
        if not isinstance(callee, ast.Attribute) or not self._assigned:
            return False
        return unparse(callee) in self._assigned

    @cached_property
    def _assigned(self) -> frozenset[str]:
        return frozenset(
            unparse(target)
            for node in walk_function(self.test.node)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Attribute)
        )

    def _helper(self, node: ast.Call, scope: Scope) -> None:
        if len(self._active) > _MAX_DEPTH:
            return
        helper = resolve_helper(node, scope, self.inference)
        if helper is None or helper.function.node in self._active:
            return
        if helper.function.module.path != self.test.scope.module.path:
            return
        self._active.append(helper.function.node)
        asserting, self._asserting = self._asserting, 0
        self.body(helper.function.node.body, helper.scope)
        self._asserting = asserting
        self._active.pop()


def _handed_to_raises(node: ast.Call) -> ast.expr | None:
    """The callable in ``assertRaises(Error, unit.method, 1)``: handing it over is calling it."""
    if _RAISES.search(called_name(node) or "") and len(node.args) > 1:
        return node.args[1]
    return None


def _bound_names(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement gives a value."""
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    else:
        return frozenset()
    return frozenset(name for target in targets for name in _names(target))


def _names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id
