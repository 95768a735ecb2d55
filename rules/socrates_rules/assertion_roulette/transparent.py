"""The method of unittest that shows the values of a condition: ``assertIn`` for ``a in b``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from socrates.classes.lazy import dataclass
from socrates.model.context import FileContext
from socrates.model.python.names import Scope, dotted_name
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting.bases import unknown_base

_BASES = frozenset(
    {"unittest.TestCase", "unittest.case.TestCase", "unittest.IsolatedAsyncioTestCase"}
    | {"unittest.async_case.IsolatedAsyncioTestCase", "builtins.object", "object", "abc.ABC"}
    | {"django.test.TestCase", "django.test.SimpleTestCase", "django.test.TransactionTestCase"}
)
"""Classes of others that have all methods of unittest, and none of their own in their place."""
_TRUE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "assertEqual",
    ast.NotEq: "assertNotEqual",
    ast.In: "assertIn",
    ast.NotIn: "assertNotIn",
    ast.Is: "assertIs",
    ast.IsNot: "assertIsNot",
    ast.Lt: "assertLess",
    ast.LtE: "assertLessEqual",
    ast.Gt: "assertGreater",
    ast.GtE: "assertGreaterEqual",
}
_FALSE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "assertNotEqual",
    ast.NotEq: "assertEqual",
    ast.In: "assertNotIn",
    ast.NotIn: "assertIn",
    ast.Is: "assertIsNot",
    ast.IsNot: "assertIs",
}
"""Without ``<`` and its kin: a set that is not less than another need not be greater or equal."""
_WITH_NONE = {"assertIs": "assertIsNone", "assertIsNot": "assertIsNotNone"}
_TRUTH = {"assertTrue": True, "assert_": True, "failUnless": True}
_UNTRUTH = {"assertFalse": False, "failIf": False}
TRUTHS: Mapping[str, bool] = {**_TRUTH, **_UNTRUTH}
"""The methods that take a condition, and whether it has to hold."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A method with its arguments.

    ``exact``: it evaluates and compares as the condition does. ``assertNotEqual`` in the place of
    ``assertFalse(a == b)`` asks ``!=``, which a class may define in another way than ``==``.
    """

    method: str
    arguments: tuple[ast.expr, ...]
    exact: bool = True


def shown(condition: ast.expr, holds: bool, scope: Scope) -> Shown | None:
    """The method that checks that a condition holds, or does not, and shows its values."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return shown(operand, not holds, scope)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            method = (_TRUE if holds else _FALSE).get(type(op))
            if method is None:
                return None
            exact = holds or not isinstance(op, (ast.Eq, ast.NotEq))
            if method in _WITH_NONE and isinstance(right, ast.Constant) and right.value is None:
                return Shown(_WITH_NONE[method], (left,))
            return Shown(method, (left, right), exact)
        case ast.Call(func=func, args=[value, kind], keywords=[]) if (
            dotted_name(func, scope) == "builtins.isinstance"
            and not isinstance(value, ast.Starred)
            and not isinstance(kind, ast.Starred)
        ):
            return Shown("assertIsInstance" if holds else "assertNotIsInstance", (value, kind))
    return None


def why_unknown(file: FileContext, test: TestCase, method: str) -> str:
    """Why it is not known that a method of a test's class is unittest's own; empty if it is."""
    if test.cls is None or not test.is_unittest:
        return "its class is none of unittest's"
    if base := unknown_base(test.cls, file, _BASES):
        return f"{base} may have another {method}, or none"
    for cls in file.resolver.mro(test.cls):
        for name in (method, "assertTrue", "assertFalse", "_getAssertEqualityFunc"):
            if name in cls.methods or name in cls.assigns:
                return f"{cls.name} defines {name}"
    if method == "assertEqual" and "addTypeEqualityFunc" in file.module.source.text:
        return "the tests compare some types in a way of their own"
    return ""
