"""A test gone through as Python would run it: arguments before calls, helpers in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial

from socrates.model.python.infer import Inference
from socrates.model.python.known_calls import handed_over, is_entering
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, walk_function
from socrates.model.python.walk import branches
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates.model.suite.helpers import HelperCall, resolve_helper
from socrates.model.units.members import Member, MemberFinder
from socrates.model.units.phases import Boundary, Event, Step, names_method, words_of
from socrates.model.units.results_used import (
    acts_by_operator,
    acts_on_result,
    compares_results,
    is_compared_whole,
    operated_on,
    plain,
)
from socrates.syntax.unparse import unparse

_MAX_DEPTH = 4
_RAISES = re.compile(r"raises|warns|throws|failUnlessRaises|deprecated_call", re.IGNORECASE)
_ASSERTS = re.compile(r"_*(assert|expect(?!ed)|check_that|fail(Unless|If))")

_EQUALITY = re.compile(r" (in|un)?(eq|equal|compar|same|hash)")

_Bound = tuple[ast.stmt | None, Scope]


class CallOrder:
    """The events of a test: its production calls, its assertions, and what it does with results.

    ``sequences`` are judged apart: an assertion in a nested function looks at nothing before it.
    """

    def __init__(
        self,
        test: TestCase,
        members: MemberFinder,
        assertions: list[Assertion],
        inference: Inference,
    ) -> None:
        self.test = test
        self.words = words_of(f"{test.cls.name if test.cls else ''} {test.name}")
        self.inference = inference
        self.members = members
        self.steps: list[Step] = []
        self.sequences: list[list[Event]] = [[]]
        self._events = self.sequences[0]
        self._made: dict[int, Step] = {}
        self._results: set[str] = set()
        self._assertions = {id(assertion.node): assertion for assertion in assertions}
        self._asserting: ast.AST | None = None
        self._alone: ast.expr | None = None
        self._side = (0, 0)
        self._in_finally = self._in_raises = False
        self._active: list[FunctionNode] = [test.node]
        self._bound: _Bound = (None, test.scope)
        self._at_yield: list[Callable[[], None] | None] = [None]

    def body(self, statements: list[ast.stmt], scope: Scope) -> None:
        """The statements of a body, in order."""
        for statement in statements:
            outer = self._bound
            if not isinstance(statement, ast.Return):
                self._bound = (statement, scope)
            self._alone = plain(statement.value) if isinstance(statement, ast.Expr) else None
            self._statement(statement, scope)
            self._events += acts_by_operator(statement, scope, self.members, self._results)
            self._bound = outer

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Assert():
                self._assertion(node, scope)
            case ast.With() | ast.AsyncWith():
                self._with(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    self._expression(decorator, scope)
                self._nested(node, scope)
            case ast.ClassDef():
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    self._expression(part, scope)
                self.body(node.body, scope.inner(node))
            case ast.Try(finalbody=final) if final:
                self._children(node, scope, skipped=final)
                outer, self._in_finally = self._in_finally, True
                self.body(final, scope)
                self._in_finally = outer
            case _:
                self._children(node, scope)

    def _nested(self, node: FunctionNode, scope: Scope) -> None:
        """A function that runs later: what it checks itself is apart from what stands before it."""
        outer, self._events = self._events, []
        self.body(node.body, scope.inner(node))
        inner, self._events = self._events, outer
        last = max((i for i, e in enumerate(inner) if isinstance(e, Boundary)), default=-1)
        if last >= 0:
            self.sequences.append(inner[: last + 1])
        self._events += inner[last + 1 :]

    def _children(self, node: ast.AST, scope: Scope, skipped: list[ast.stmt] | None = None) -> None:
        for child in branches(node):
            if isinstance(child, ast.stmt):
                if not skipped or child not in skipped:
                    self.body([child], scope)
            else:
                self._expression(child, scope)

    def _expression(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Call):
            self._call(node, scope)
        elif isinstance(node, ast.Lambda):
            self._expression(node.body, scope.inner(node))
        elif isinstance(node, ast.Compare) and self._asserting is not None:
            self._sides(node, [node.left, *node.comparators], scope)
            self._events += compares_results(node, scope, self.inference, self._made, self._results)
        elif isinstance(node, ast.BinOp):
            self._children(node, scope)
            sides = (node.left, node.right)
            self._events += operated_on(sides, scope, self.inference, self._made, self._results)
        else:
            self._children(node, scope)
            if isinstance(node, ast.Yield) and self._at_yield[-1] is not None:
                enter, self._at_yield[-1] = self._at_yield[-1], None
                enter()

    def _sides(self, whole: ast.AST, parts: list[ast.expr], scope: Scope) -> None:
        outer = self._side
        for index, part in enumerate(parts):
            self._side = (id(whole), index)
            self._expression(part, scope)
        self._side = outer

    def _assertion(self, node: ast.AST, scope: Scope) -> None:
        outer, side = self._asserting, self._side
        self._asserting = outer or node
        if isinstance(node, ast.Call) and len(node.args) > 1:
            self._expression(node.func, scope)
            self._sides(node, node.args[:2], scope)
            for part in (*node.args[2:], *(keyword.value for keyword in node.keywords)):
                self._expression(part, scope)
        else:
            self._children(node, scope)
        self._asserting, self._side = outer, side
        self._end()

    def _end(self) -> None:
        if self._asserting is None:
            self._events.append(Boundary())

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        """Entering a context manager is no call under test; what ``raises`` encloses is.

        A manager of the tests runs around the body as a helper.
        """
        checks = False
        around: list[HelperCall] = []
        for item in node.items:
            manager = item.context_expr
            if not isinstance(manager, ast.Call):
                self._expression(manager, scope)
                continue
            if self._is_assertion(manager):
                checks = True
            self._children(manager, scope)
            helper = self._followed(manager, scope)
            if helper is not None:
                around.append(helper)

        raises, self._in_raises = self._in_raises, self._in_raises or checks
        self._inside(node, scope, around)
        self._in_raises = raises
        if checks:
            self._end()

    def _inside(
        self, node: ast.With | ast.AsyncWith, scope: Scope, around: Sequence[HelperCall]
    ) -> None:
        """The body of a ``with``, where the managers of the tests around it yield.

        No closure that names itself: such a cycle would keep the file's trees alive.
        """
        if around:
            self._run(around[0], partial(self._inside, node, scope, around[1:]))
            return
        outer = self._asserting, self._side, self._bound, self._at_yield, self._active
        self._asserting, self._at_yield = None, [None]
        self.body(node.body, scope)
        self._asserting, self._side, self._bound, self._at_yield, self._active = outer

    def _is_assertion(self, call: ast.Call) -> bool:
        if id(call) in self._assertions:
            return True
        return _names_assertion(called_name(call) or "")

    def _call(self, node: ast.Call, scope: Scope) -> None:
        if not self._is_assertion(node) or self.members.find(node.func, scope) is not None:
            # A unit may have a method that is called like an assertion: ``child.expect``.
            alone = node is self._alone
            if is_entering(node) and isinstance(node.args[0], ast.Call):
                self._children(node.args[0], scope)
                self._helper(node.args[0], scope)
                return
            self._children(node, scope)
            if not self._record(node, node.func, scope):
                handed = handed_over(node)
                if handed is not None and self._record(node, handed, scope):
                    return
                self._use_result(node, scope, alone=alone)
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
        self._record(node, handed, scope, in_raises=True)
        passed = node.args[node.args.index(handed) + 1 :]
        called = ast.Call(handed, passed, [k for k in node.keywords if k.arg != "match"])
        self._helper(ast.copy_location(called, node), scope)
        self._end()

    def _use_result(self, node: ast.Call, scope: Scope, *, alone: bool) -> None:
        if self._made:
            asserted = self._asserting is not None
            used = acts_on_result(
                node,
                scope,
                self.inference,
                self._made,
                self._results,
                alone=alone,
                asserted=asserted,
            )
            if used is not None:
                self._events.append(used)

    def _record(
        self, node: ast.Call, callee: ast.expr, scope: Scope, *, in_raises: bool = False
    ) -> bool:
        """Add the production call that calling ``callee`` is, if it is one."""
        member = self.members.find(callee, scope)
        if member is None or self._is_replaced(callee):
            return False
        statement, bound_in = self._bound
        bound = _bound_names(statement)
        if member.builds and not (in_raises or self._is_about(member, node, bound)):
            return False
        step = Step(
            member,
            node,
            scope,
            len(self._active) > 1,
            self._in_finally,
            None if in_raises else self._asserting,
            self._side,
            bound,
            bound_in,
        )
        self.steps.append(step)
        self._events.append(step)
        self._made[id(node)] = step
        self._results |= bound
        return True

    def _is_about(self, member: Member, node: ast.Call, bound: frozenset[str]) -> bool:
        """Whether an alternative constructor is what is tested, and not only where objects come from."""
        if self._in_raises or names_method(self.words, member.name):
            return True
        if _EQUALITY.search(self.words):
            return False
        return is_compared_whole(node, bound, self._active[-1])

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

    def _followed(self, node: ast.Call, scope: Scope) -> HelperCall | None:
        """The helper of the tests that a call runs, if there is room to follow it."""
        if len(self._active) > _MAX_DEPTH:
            return None
        helper = resolve_helper(node, scope, self.inference)
        if helper is None or helper.function.node in self._active:
            return None
        function = helper.function
        of_tests = function.owner is not None and function.owner.module.is_test
        return helper if function.module.is_test or of_tests else None

    def _helper(self, node: ast.Call, scope: Scope) -> None:
        helper = self._followed(node, scope)
        if helper is not None:
            self._run(helper, None)

    def _run(self, helper: HelperCall, at_yield: Callable[[], None] | None) -> None:
        """The body of a helper; where it yields as a context manager, ``at_yield`` goes on."""
        self._active = [*self._active, helper.function.node]
        outer = self._asserting, self._side, self._in_finally
        self._asserting, self._side = None, (0, 0)
        self._at_yield.append(at_yield)
        depth = len(self._at_yield)
        self.body(helper.function.node.body, helper.scope)
        left = self._at_yield[depth - 1]
        del self._at_yield[depth - 1 :]
        self._active = self._active[:-1]
        self._asserting, self._side, self._in_finally = outer
        if left is not None:
            left()


@lru_cache(maxsize=4096)
def _names_assertion(name: str) -> bool:
    return bool(_ASSERTS.match(name) or _RAISES.search(name))


def _handed_to_raises(node: ast.Call) -> ast.expr | None:
    """The callable in ``assertRaises(Error, unit.method, 1)``: handing it over is calling it.

    ``assertRaisesRegex`` and its kin have the pattern before it.
    """
    name = called_name(node) or ""
    if not _RAISES.search(name):
        return None
    position = 2 if "regex" in name.lower() else 1
    return node.args[position] if len(node.args) > position else None


def _bound_names(statement: ast.stmt | None) -> frozenset[str]:
    """The names that a statement gives a value."""
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return frozenset({statement.name})  # what a decorator makes of it
    else:
        return frozenset()
    return frozenset(name for target in targets for name in _names(target))


def _names(target: ast.expr) -> Iterator[str]:
    """The names that are bound: not ``found`` in ``found[0] = ...``."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
