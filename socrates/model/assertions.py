"""The assertions of a test, as the codebook counts them: which ones, explained or not, opaque or not."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from socrates.model.assertion_names import (
    message_of,
    message_position,
    names_assertion,
    names_expectation,
    names_failure,
    names_mock_check,
    names_opaque,
    names_raising,
)
from socrates.model.collect import TestCase
from socrates.model.helpers import HelperCall, resolve_helper
from socrates.model.infer import Inference
from socrates.model.module import FunctionNode
from socrates.model.names import Scope, dotted_name, parameters
from socrates.model.values import External
from socrates.model.walk import branches

AssertionKind = Literal["assert", "unittest", "raises", "mock", "fail", "named", "helper"]

_HelperKey = tuple[int, tuple[str, ...]]
_RAISES = frozenset({"raises", "warns", "deprecated_call", "RaisesGroup", "RaisesExc"})
_PYTEST = frozenset(f"pytest.{name}" for name in _RAISES)
_NOSE = frozenset({"nose.tools.eq_", "nose.tools.ok_"})
_KNOWN_BY_MODULE = _RAISES | {"eq_", "ok_"}


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
    """One assertion of a helper; ``passed_on``: its message is this parameter of the helper."""

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
        self, body: Sequence[ast.AST], scope: Scope, extra: Sequence[str]
    ) -> list[Assertion]:
        found: list[Assertion] = []
        stack = [(node, scope, False, False) for node in reversed(body)]
        while stack:
            node, scope, explained, inside = stack.pop()
            if isinstance(node, ast.Assert):
                opaque = not self.rewritten or _is_quantifier(node.test)
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
        if dotted in _NOSE or (extra and _matches(name, dotted, extra)):
            return Assertion(call, scope, "named", explained or message_of(call, bare) is not None)
        helper = resolve_helper(call, scope, self.inference)
        if helper is None:
            said = explained or message_of(call, bare) is not None
            return Assertion(call, scope, "named", said) if names_expectation(bare) else None
        inside = self._inside(helper, extra)
        if not inside:
            return None
        return Assertion(call, scope, "helper", explained or _tells(inside, helper))

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
        said = explained or message_of(call, name) is not None
        return Assertion(call, scope, kind, said, names_opaque(name))

    def _inside(self, helper: HelperCall, extra: Sequence[str]) -> tuple[_Inside, ...]:
        """The assertions of a helper, those of the helpers that it calls included."""
        node = helper.function.node
        key = (id(node), tuple(extra))
        kept = self._helpers.get(key)
        if kept is not None:
            return kept[1]
        self._helpers[key] = (node, ())  # a helper that calls itself adds nothing
        own = {argument.arg for argument in parameters(node)}
        inside = []
        for assertion in self._in_body(node.body, helper.scope, extra):
            message = message_of(assertion.node, _name_of(assertion.node))
            passed_on = message.id if isinstance(message, ast.Name) and message.id in own else None
            inside.append(_Inside(assertion.explained, passed_on))
        self._helpers[key] = (node, tuple(inside))
        return tuple(inside)


def _tells(inside: tuple[_Inside, ...], helper: HelperCall) -> bool:
    """Whether a call of a helper is explained: it passes a message on, or all inside have one."""
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


def _is_quantifier(expr: ast.expr) -> bool:
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.Not):
        return _is_quantifier(expr.operand)
    return (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Name)
        and expr.func.id in ("all", "any")
    )


def _matches(name: str, dotted: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) or fnmatchcase(dotted, glob) for glob in globs)
