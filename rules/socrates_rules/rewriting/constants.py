"""Expressions over constants that are sure to work: they are worked out to see that they do."""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
import pathlib
import uuid
from collections.abc import Callable, Mapping

_CONSTRUCTORS: Mapping[str, Callable[..., object]] = {
    "builtins.str": str,
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
    "builtins.range": range,
    "builtins.frozenset": frozenset,
    "builtins.set": set,
    "datetime.date": datetime.date,
    "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time,
    "datetime.timedelta": datetime.timedelta,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "uuid.UUID": uuid.UUID,
    "pathlib.Path": pathlib.Path,
    "pathlib.PurePath": pathlib.PurePath,
}
"""What constants are given to: quick, and without an effect."""
_LARGEST = 10**6


def makes_a_constant(dotted: str, call: ast.Call) -> bool:
    """Whether a call gives constants to a constructor of the standard library that takes them."""
    make = _CONSTRUCTORS.get(dotted)
    if make is None:
        return False
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(_is_modest(value) for value in values):
        return False
    arguments = [ast.literal_eval(value) for value in call.args]
    options = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
    try:
        make(*arguments, **options)
    except Exception:  # whatever it raises, the call does not work
        return False
    return True


def is_small_sum(expr: ast.expr) -> bool:
    """Whether an expression is a sum, a difference or a product of a few numbers or texts."""
    match expr:
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Constant()):
            return True
        case ast.BinOp(
            left=ast.Constant(value=int() | float() as left),
            op=ast.Add() | ast.Sub() | ast.Mult(),
            right=ast.Constant(value=int() | float() as right),
        ):
            return abs(left) < _LARGEST and abs(right) < _LARGEST
        case ast.BinOp(
            left=ast.Constant(value=str()), op=ast.Add(), right=ast.Constant(value=str())
        ):
            return True
    return False


def _is_modest(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=int() | float() as number):
            return abs(number) < _LARGEST
        case ast.Constant(value=str(text)):
            return len(text) < 1000
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return isinstance(operand, ast.Constant) and is_small_sum(value)
    return False
