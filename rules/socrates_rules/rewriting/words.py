"""Code as words: what an assertion expects, in one short line."""

from __future__ import annotations

import ast

from socrates.fix import NoFix
from socrates.syntax.unparse import unparse

MAX_LENGTH = 72
_MAX_PART = 40
_COMPARED = {
    ast.Eq: "should equal",
    ast.NotEq: "should differ from",
    ast.Is: "should be",
    ast.IsNot: "should not be",
    ast.In: "should be in",
    ast.NotIn: "should not be in",
    ast.Lt: "should be less than",
    ast.LtE: "should be at most",
    ast.Gt: "should be greater than",
    ast.GtE: "should be at least",
}
_METHODS = {
    "assertEqual": "should equal",
    "assertEquals": "should equal",
    "assertListEqual": "should equal",
    "assertTupleEqual": "should equal",
    "assertSetEqual": "should equal",
    "assertDictEqual": "should equal",
    "assertSequenceEqual": "should equal",
    "assertMultiLineEqual": "should equal",
    "assertCountEqual": "should have the same elements as",
    "assertNotEqual": "should differ from",
    "assertNotEquals": "should differ from",
    "assertAlmostEqual": "should be close to",
    "assertNotAlmostEqual": "should not be close to",
    "assertIs": "should be",
    "assertIsNot": "should not be",
    "assertIn": "should be in",
    "assertNotIn": "should not be in",
    "assertIsInstance": "should be an instance of",
    "assertNotIsInstance": "should not be an instance of",
    "assertLess": "should be less than",
    "assertLessEqual": "should be at most",
    "assertGreater": "should be greater than",
    "assertGreaterEqual": "should be at least",
    "assertRegex": "should match",
    "assertNotRegex": "should not match",
}
_TRUTH = frozenset({"assertTrue", "assert_", "failUnless"})
_UNTRUTH = frozenset({"assertFalse", "failIf"})
_ALONE = {
    "assertIsNone": "should be None",
    "assertIsNotNone": "should not be None",
}


def of_condition(expr: ast.expr) -> str:
    """``order.total == 3`` as ``order.total should equal 3``."""
    match expr:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _negated(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{code_of(left)} {_COMPARED[type(op)]} {code_of(right)}"
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, kind]):
            return f"{code_of(value)} should be an instance of {code_of(kind)}"
        case ast.Call(func=ast.Name(id="hasattr"), args=[value, name]):
            return f"{code_of(value)} should have {code_of(name)}"
    return f"{code_of(expr, MAX_LENGTH)} should hold"


def _negated(operand: ast.expr) -> str:
    if isinstance(operand, ast.Call) and getattr(operand.func, "id", "") == "isinstance":
        return of_condition(operand).replace("should be", "should not be")
    return f"{code_of(operand, MAX_LENGTH)} should not hold"


def of_method(name: str, args: list[ast.expr]) -> str:
    """``assertEqual(a, b)`` as ``a should equal b``."""
    if name in _TRUTH and args:
        return of_condition(args[0])
    if name in _UNTRUTH and args:
        return of_condition(ast.UnaryOp(ast.Not(), args[0]))
    if name in _ALONE and args:
        return f"{code_of(args[0])} {_ALONE[name]}"
    if name in _METHODS and len(args) >= 2:
        return f"{code_of(args[0])} {_METHODS[name]} {code_of(args[1])}"
    raise NoFix(f"no words for {name}")


def is_known(name: str) -> bool:
    """Whether there are words for a method of unittest."""
    return name in _TRUTH or name in _UNTRUTH or name in _ALONE or name in _METHODS


def code_of(expr: ast.expr, most: int = _MAX_PART) -> str:
    """The code of an expression in one line, cut where it is long."""
    text = " ".join(unparse(expr).split())
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."


def quoted(text: str) -> str:
    """A text as a string literal in double quotes, or in single ones where that reads better."""
    if any(not char.isprintable() for char in text):
        raise NoFix("not printable")
    text = text.replace("\\", "\\\\")
    if '"' in text and "'" not in text:
        return f"'{text}'"
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
