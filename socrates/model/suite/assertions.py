"""The assertions of a test, as the codebook counts them: which ones, explained or not, opaque or not."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, dotted_name, parameters, walk_function
from socrates.model.python.shapes import returned
from socrates.model.python.values import External
from socrates.model.python.walk import branches
from socrates.model.suite.assertion_names import (
    message_of,
    message_position,
    names_assertion,
    names_expectation,
    names_failure,
    names_mock_check,
    names_opaque,
    names_raising,
)
from socrates.model.suite.collect import TestCase
from socrates.model.suite.helpers import HelperCall, resolve_helper

AssertionKind = Literal["assert", "unittest", "raises", "mock", "fail", "named", "helper"]

_HelperKey = tuple[int, tuple[str, ...]]
_RAISES = frozenset({"raises", "warns", "deprecated_call", "RaisesGroup", "RaisesExc"})
_PYTEST = frozenset(f"pytest.{name}" for name in _RAISES)
_NAME_THE_CAUSE = frozenset({"raises", "mock", "fail", "helper"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SHORT = frozenset("eq_ ne_ ok_ is_ is_not is_not_ in_ not_in not_in_ le_ is_true is_false".split())
_SHORT_IN = ("nose.tools.", "sqlalchemy.testing.")
_KNOWN_BY_MODULE = _RAISES | _SHORT


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion as written. ``explained``: a red run says which one and why by itself."""

    node: ast.Assert | ast.Call
    scope: Scope
    kind: AssertionKind
    explained: bool
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class _Inside:
    """One assertion of a helper; ``passed_on``: its message is this parameter of the helper.

    A message that the helper words for all its callers does not explain any one of them.
    """

    explained: bool
    passed_on: str | None


class AssertionFinder:
    """Finds assertions in the tests of one file."""

    def __init__(self, inference: Inference, *, rewritten: bool = True) -> None:
        self.inference = inference
        self.rewritten = rewritten
        self._helpers: dict[_HelperKey, tuple[FunctionNode, tuple[_Inside, ...]]] = {}

    def of(self, test: TestCase, extra: Sequence[str] = ()) -> list[Assertion]:
        """The assertions of a test; ``extra`` are globs of further assertion helpers."""
        return self._in_body(test.node.body, test.scope, extra)

    def _in_body(
        self,
        body: Sequence[ast.AST],
        scope: Scope,
        extra: Sequence[str],
        skipped: frozenset[int] = frozenset(),
    ) -> list[Assertion]:
        found: list[Assertion] = []
        stack = [(node, scope, False, False) for node in reversed(body)]
        while stack:
            node, scope, explained, inside = stack.pop()
            if id(node) in skipped:
                continue
            if isinstance(node, ast.Assert):
                opaque = is_quantifier(node.test) or self._hides(node.test)
                said = explained or message_of(node, None) is not None
                found.append(Assertion(node, scope, "assert", said, opaque))
                inside = True
            elif isinstance(node, ast.Call):
                assertion = self._call(node, scope, extra, explained)
                # Inside another assertion only helpers that assert are assertions of their own.
                if assertion is not None and (not inside or assertion.kind == "helper"):
                    found.append(assertion)
                    inside = True
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                explained = explained or any(_is_subtest(item.context_expr) for item in node.items)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                scope = scope.inner(node)
            stack += [(child, scope, explained, inside) for child in branches(node)[::-1]]
        return found

    def _hides(self, expr: ast.expr) -> bool:
        """Whether nothing shows the values of a bare assert; ``assert False`` has none to show."""
        return not self.rewritten and not isinstance(expr, ast.Constant)

    def _call(
        self, call: ast.Call, scope: Scope, extra: Sequence[str], explained: bool
    ) -> Assertion | None:
        name = called_name(call)
        if name is None:
            return None
        if name in _RAISES and self._is_raises(call, name, scope):
            return Assertion(call, scope, "raises", True)
        bare = name.lstrip("_")
        if names_failure(bare):
            failure = self._failure(call, bare, scope, explained)
            if failure is not None:
                return failure
        if names_assertion(bare):
            return self._named(call, bare, scope, extra, explained)
        by_module = name in _KNOWN_BY_MODULE or isinstance(call.func, ast.Name) or extra
        dotted = (dotted_name(call.func, scope) or "") if by_module else ""
        if dotted in _PYTEST:
            return Assertion(call, scope, "raises", True)
        said = explained or message_of(call, bare) is not None
        if self._is_short(name, dotted, scope) or (extra and _matches(name, dotted, extra)):
            return Assertion(call, scope, "named", said)
        helper = resolve_helper(call, scope, self.inference)
        inside = self._inside(helper, extra) if helper is not None else ()
        if helper is not None and inside:
            return Assertion(call, scope, "helper", explained or _tells(inside, helper))
        if not names_expectation(bare):
            return None
        if names_raising(bare):
            return Assertion(call, scope, "raises", True)
        if helper is not None and returned(helper.function.node):
            return None  # it returns an answer, on which the test can assert
        return Assertion(call, scope, "named", said)

    def _is_short(self, name: str, dotted: str, scope: Scope) -> bool:
        """``eq_`` and similar names, which nose and SQLAlchemy share."""
        if name not in _SHORT or not dotted:
            return False
        found = self.inference.resolver.name(dotted, scope.module.path)
        return found.kind == "external" and found.name.startswith(_SHORT_IN)

    def _is_raises(self, call: ast.Call, name: str, scope: Scope) -> bool:
        """pytest's own, under any alias, and groups of exceptions of other libraries."""
        dotted = dotted_name(call.func, scope) or ""
        if dotted.partition(".")[0] in ("pytest", "_pytest") or name in (
            "RaisesGroup",
            "RaisesExc",
        ):
            return True
        value = self.inference.infer(call.func, scope)
        return isinstance(value, External) and value.name == f"pytest.{name}"

    def _failure(
        self, call: ast.Call, name: str, scope: Scope, explained: bool
    ) -> Assertion | None:
        if name == "fail" and dotted_name(call.func, scope) == "pytest.fail":
            has_reason = bool(call.args) or message_of(call, name) is not None
            return Assertion(call, scope, "fail", explained or has_reason)
        if not _is_on_self(call, scope):
            return None
        if name == "fail":
            return Assertion(call, scope, "fail", explained or bool(call.args or call.keywords))
        if names_raising(name):
            return Assertion(call, scope, "raises", True)
        said = explained or message_of(call, name) is not None
        return Assertion(call, scope, "unittest", said, names_opaque(name))

    def _named(
        self, call: ast.Call, name: str, scope: Scope, extra: Sequence[str], explained: bool
    ) -> Assertion:
        on_self = _is_on_self(call, scope)
        if names_mock_check(name) and isinstance(call.func, ast.Attribute) and not on_self:
            return Assertion(call, scope, "mock", True)
        if names_raising(name):
            return Assertion(call, scope, "raises", True)
        kind: AssertionKind = "unittest" if on_self else "named"
        position = message_position(name)
        if position is None or (not on_self and len(call.args) > position):
            helper = resolve_helper(call, scope, self.inference)
            inside = self._inside(helper, extra) if helper is not None else ()
            if helper is not None and inside:
                return Assertion(call, scope, kind, explained or _tells(inside, helper))
        unseen = name == "assert_" and not on_self  # no telling what its arguments are
        said = explained or (message_of(call, None if unseen else name) is not None)
        return Assertion(call, scope, kind, said, names_opaque(name))

    def _inside(self, helper: HelperCall, extra: Sequence[str]) -> tuple[_Inside, ...]:
        """The assertions of a helper, those of the helpers that it calls included."""
        node = helper.function.node
        key = (id(node), tuple(extra))
        kept = self._helpers.get(key)
        if kept is not None:
            return kept[1]
        self._helpers[key] = (node, ())  # a helper that calls itself adds nothing
        if _only_acts(helper):
            return ()
        own = {argument.arg for argument in parameters(node)}
        inside = []
        for assertion in self._in_body(node.body, helper.scope, extra, _handed_out(node)):
            message = message_of(assertion.node, _name_of(assertion.node))
            named = assertion.explained and assertion.kind in _NAME_THE_CAUSE
            inside.append(_Inside(named, _passed_on(message, own)))
        self._helpers[key] = (node, tuple(inside))
        return tuple(inside)


def _only_acts(helper: HelperCall) -> bool:
    """Whether a function of the testing tools that a project ships works for the test.

    Its assertions guard its own work, as those of production code do; they are no verdict.
    """
    node = helper.function.node
    return not helper.function.module.is_test and bool(returned(node))


def _handed_out(function: FunctionNode) -> frozenset[int]:
    """Classes that a helper defines, and functions that it does not use: its caller may, or not."""
    inner = [node for node in walk_function(function) if isinstance(node, _DEFINITIONS)]
    if not inner:
        return frozenset()
    used: set[str] = set()
    for node in walk_function(function):
        if isinstance(node, ast.Call):
            parts = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
            used |= {part.id for part in parts if isinstance(part, ast.Name)}
    return frozenset(
        id(node) for node in inner if isinstance(node, ast.ClassDef) or node.name not in used
    )


def _passed_on(message: ast.expr | None, own: set[str]) -> str | None:
    """The parameter of a helper that is a message of its own, also as ``msg or "..."``."""
    first = message.values[0] if isinstance(message, ast.BoolOp) else message
    return first.id if isinstance(first, ast.Name) and first.id in own else None


def _tells(inside: tuple[_Inside, ...], helper: HelperCall) -> bool:
    """Whether a call of a helper is explained: it passes a message, or all inside name the cause."""
    given = helper.scope.arguments
    if any(assertion.passed_on in given for assertion in inside if assertion.passed_on):
        return True
    return all(assertion.explained and assertion.passed_on is None for assertion in inside)


def called_name(call: ast.Call) -> str | None:
    """The last part of what is called: ``a.b.c()`` is ``c``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else None


def _name_of(node: ast.Assert | ast.Call) -> str | None:
    name = called_name(node) if isinstance(node, ast.Call) else None
    return name.lstrip("_") if name else None


def _is_on_self(call: ast.Call, scope: Scope) -> bool:
    func = call.func
    return (
        isinstance(func, ast.Attribute)
        and isinstance(func.value, ast.Name)
        and func.value.id in ("self", "cls", scope.self_name)
    )


def _is_subtest(expr: ast.expr) -> bool:
    """``self.subTest(...)``, and ``subtests.test(...)`` of pytest."""
    if not isinstance(expr, ast.Call) or not isinstance(expr.func, ast.Attribute):
        return False
    if expr.func.attr == "subTest":
        return True
    base = expr.func.value
    return expr.func.attr == "test" and isinstance(base, ast.Name) and base.id == "subtests"


def is_quantifier(expr: ast.expr) -> bool:
    """Whether it is ``all(...)`` or ``any(...)``, of which pytest shows no element."""
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.Not):
        return is_quantifier(expr.operand)
    return (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Name)
        and expr.func.id in ("all", "any")
    )


def _matches(name: str, dotted: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) or fnmatchcase(dotted, glob) for glob in globs)
