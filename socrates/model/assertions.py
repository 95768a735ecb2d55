"""The assertions of a test, as the codebook counts them: which ones, explained or not, opaque or not."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from socrates.model.collect import TestCase
from socrates.model.helpers import resolve_helper
from socrates.model.infer import Inference
from socrates.model.names import Scope, dotted_name
from socrates.model.values import FunctionValue
from socrates.model.walk import children

AssertionKind = Literal["assert", "unittest", "raises", "mock", "fail", "named", "helper"]

_MESSAGES = frozenset({"msg", "message", "err_msg", "msg_prefix", "reason"})
_ONE_ARGUMENT = frozenset(
    {"assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone", "assert_"}
    | {"failUnless", "failIf"}
)
_OPAQUE = frozenset({"assertTrue", "assertFalse", "assert_", "failUnless", "failIf"})
_FOUR_ARGUMENTS = frozenset({"assertAlmostEqual", "assertNotAlmostEqual", "assertAlmostEquals"})
_TWO_ARGUMENTS = re.compile(
    r"(assert|failUnless|failIf)(Not)?(Equals?|Is|In|IsInstance|Greater(Equal)?|Less(Equal)?|"
    r"Regexp?|RegexpMatches|CountEqual|ItemsEqual|(List|Tuple|Set|Dict|Sequence|MultiLine)Equal|"
    r"DictContainsSubset|IsNot|StartsWith|EndsWith|HasAttr|IsSubclass)"
)
_MOCK = re.compile(
    r"assert_(called|not_called|any_call|has_calls|awaited|any_await|has_awaits|not_awaited)"
)
_RAISES = re.compile(r"raises|warns|warning|logs|throws", re.IGNORECASE)
_PYTEST_RAISES = frozenset(
    {"pytest.raises", "pytest.warns", "pytest.deprecated_call", "pytest.RaisesGroup"}
    | {"pytest.RaisesExc", "_pytest.python_api.raises"}
)


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion as written. ``explained``: a red run says which one and why by itself."""

    node: ast.Assert | ast.Call
    kind: AssertionKind
    explained: bool
    opaque: bool = False


class AssertionFinder:
    """Finds assertions in the tests of one file."""

    def __init__(self, inference: Inference, *, rewritten: bool = True) -> None:
        self.inference = inference
        self.rewritten = rewritten
        self._asserts: dict[int, bool | None] = {}

    def of(self, test: TestCase, extra: Sequence[str] = ()) -> list[Assertion]:
        """The assertions of a test; ``extra`` are globs of further assertion helpers."""
        return self._in_body(test.node.body, test.scope, extra)

    def _in_body(
        self, body: Sequence[ast.AST], scope: Scope, extra: Sequence[str]
    ) -> list[Assertion]:
        found: list[Assertion] = []
        stack = [(node, scope, False) for node in reversed(body)]
        while stack:
            node, scope, explained = stack.pop()
            if isinstance(node, ast.Assert):
                opaque = not self.rewritten or _is_quantifier(node.test)
                said = explained or node.msg is not None
                found.append(Assertion(node, "assert", said, opaque))
                continue
            if isinstance(node, ast.Call):
                assertion = self._call(node, scope, extra, explained)
                if assertion is not None:
                    found.append(assertion)
                    continue
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                explained = explained or any(_is_subtest(item.context_expr) for item in node.items)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                scope = scope.inner(node)
            below = children(node)
            below.reverse()
            stack += [(child, scope, explained) for child in below]
        return found

    def _call(
        self, call: ast.Call, scope: Scope, extra: Sequence[str], explained: bool
    ) -> Assertion | None:
        name = called_name(call)
        dotted = dotted_name(call.func, scope) or ""
        if dotted in _PYTEST_RAISES:
            return Assertion(call, "raises", True)
        if dotted == "pytest.fail":
            return Assertion(call, "fail", explained or _has_reason(call))
        if name is None:
            return None
        bare = name.lstrip("_")
        if bare.startswith("assert") or _is_failure(call, bare):
            return self._named(call, bare, scope, explained)
        if _is_expectation(bare) or _matches(name, dotted, extra):
            return Assertion(call, "named", explained or _passes_message(call))
        helper = resolve_helper(call, scope, self.inference)
        if helper is None:
            return None
        contained = self._helper_explains(helper.function, helper.scope, extra)
        if contained is None:
            return None
        return Assertion(call, "helper", explained or contained or _passes_message(call))

    def _named(self, call: ast.Call, name: str, scope: Scope, explained: bool) -> Assertion:
        on_self = _is_on_self(call, scope)
        if _MOCK.match(name) and not on_self:
            return Assertion(call, "mock", True)
        if _RAISES.search(name):
            return Assertion(call, "raises", True)
        if name == "fail":
            return Assertion(call, "fail", explained or _has_reason(call))
        position = message_position(name)
        said = explained or _passes_message(call)
        if position is not None and len(call.args) > position:
            said = True
        camel = _camel(name)
        kind: AssertionKind = "unittest" if on_self else "named"
        return Assertion(call, kind, said, on_self and camel in _OPAQUE)

    def _helper_explains(
        self, function: FunctionValue, scope: Scope, extra: Sequence[str]
    ) -> bool | None:
        """None: the helper asserts nothing. True: each of its assertions is explained."""
        key = id(function.node)
        if key not in self._asserts:
            self._asserts[key] = None
            found = self._in_body(function.node.body, scope, extra)
            if found:
                self._asserts[key] = all(assertion.explained for assertion in found)
        return self._asserts[key]


def called_name(call: ast.Call) -> str | None:
    """The last part of what is called: ``a.b.c()`` is ``c``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else None


def message_position(name: str) -> int | None:
    """Where the message stands among the positional arguments of an assert method."""
    camel = _camel(name)
    if camel in _ONE_ARGUMENT:
        return 1
    if camel in _FOUR_ARGUMENTS:
        return 3
    return 2 if _TWO_ARGUMENTS.fullmatch(camel) else None


def _camel(name: str) -> str:
    if "_" not in name or name == "assert_":
        return name
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _is_failure(call: ast.Call, name: str) -> bool:
    """``self.fail``, ``self.failUnless`` and their kin."""
    if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)):
        return False
    known = name == "fail" or name.startswith(("failUnless", "failIf"))
    return call.func.value.id == "self" and known


def _is_expectation(name: str) -> bool:
    return name.startswith("check_that") or bool(re.match(r"expect(?!ed)", name))


def _is_on_self(call: ast.Call, scope: Scope) -> bool:
    func = call.func
    return (
        isinstance(func, ast.Attribute)
        and isinstance(func.value, ast.Name)
        and func.value.id in ("self", "cls", scope.self_name)
    )


def _is_subtest(expr: ast.expr) -> bool:
    return (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Attribute)
        and (
            expr.func.attr == "subTest"
            or (
                expr.func.attr == "test"
                and isinstance(expr.func.value, ast.Name)
                and expr.func.value.id == "subtests"
            )
        )
    )


def _is_quantifier(expr: ast.expr) -> bool:
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.Not):
        return _is_quantifier(expr.operand)
    return (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Name)
        and expr.func.id in ("all", "any")
    )


def _has_reason(call: ast.Call) -> bool:
    return bool(call.args) or any(k.arg in _MESSAGES for k in call.keywords)


def _passes_message(call: ast.Call) -> bool:
    return any(
        keyword.arg in _MESSAGES
        and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
        for keyword in call.keywords
    )


def _matches(name: str, dotted: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) or fnmatchcase(dotted, glob) for glob in globs)
