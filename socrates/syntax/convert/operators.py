"""Operators: the class of ``ast`` and the token for each class of libcst."""

from __future__ import annotations

import ast

import libcst as cst

BINARY: dict[type[cst.CSTNode], tuple[ast.operator, bytes]] = {
    cst.Add: (ast.Add(), b"+"),
    cst.Subtract: (ast.Sub(), b"-"),
    cst.Multiply: (ast.Mult(), b"*"),
    cst.MatrixMultiply: (ast.MatMult(), b"@"),
    cst.Divide: (ast.Div(), b"/"),
    cst.Modulo: (ast.Mod(), b"%"),
    cst.Power: (ast.Pow(), b"**"),
    cst.LeftShift: (ast.LShift(), b"<<"),
    cst.RightShift: (ast.RShift(), b">>"),
    cst.BitOr: (ast.BitOr(), b"|"),
    cst.BitXor: (ast.BitXor(), b"^"),
    cst.BitAnd: (ast.BitAnd(), b"&"),
    cst.FloorDivide: (ast.FloorDiv(), b"//"),
}

AUGMENTED: dict[type[cst.CSTNode], tuple[ast.operator, bytes]] = {
    getattr(cst, f"{kind.__name__}Assign"): (operator, token + b"=")
    for kind, (operator, token) in BINARY.items()
}

UNARY: dict[type[cst.CSTNode], tuple[ast.unaryop, bytes]] = {
    cst.BitInvert: (ast.Invert(), b"~"),
    cst.Not: (ast.Not(), b"not"),
    cst.Plus: (ast.UAdd(), b"+"),
    cst.Minus: (ast.USub(), b"-"),
}

BOOLEAN: dict[type[cst.CSTNode], tuple[ast.boolop, bytes]] = {
    cst.And: (ast.And(), b"and"),
    cst.Or: (ast.Or(), b"or"),
}

COMPARISON: dict[type[cst.CSTNode], tuple[ast.cmpop, tuple[bytes, ...]]] = {
    cst.Equal: (ast.Eq(), (b"==",)),
    cst.NotEqual: (ast.NotEq(), (b"!=",)),
    cst.LessThan: (ast.Lt(), (b"<",)),
    cst.LessThanEqual: (ast.LtE(), (b"<=",)),
    cst.GreaterThan: (ast.Gt(), (b">",)),
    cst.GreaterThanEqual: (ast.GtE(), (b">=",)),
    cst.Is: (ast.Is(), (b"is",)),
    cst.IsNot: (ast.IsNot(), (b"is", b"not")),
    cst.In: (ast.In(), (b"in",)),
    cst.NotIn: (ast.NotIn(), (b"not", b"in")),
}
