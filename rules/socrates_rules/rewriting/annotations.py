"""Types for the parameters that a fix adds to a test that is annotated: checkers ask for them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import parameters
from socrates.syntax.unparse import unparse

_SCALARS = (bool, int, float, str, bytes, complex)


def is_annotated(node: FunctionNode) -> bool:
    """Whether a function says what it takes or returns."""
    return node.returns is not None or any(a.annotation is not None for a in parameters(node))


def type_of(values: Sequence[ast.expr]) -> str:
    """The type that all of these literals and members of enumerations have. NoFix where they have none in common."""
    kinds = {_type_of(value) for value in values}
    if kinds == {"int", "float"}:
        return "float"
    if len(kinds) != 1:
        raise NoFix("the values of a parameter have no type in common")
    return kinds.pop()


def path_type(file: FileContext) -> str:
    """What the file calls ``pathlib.Path``. NoFix where it does not import it."""
    for name, dotted in file.module.imports.items():
        if dotted == "pathlib.Path":
            return name
        if dotted == "pathlib":
            return f"{name}.Path"
    raise NoFix("the test is annotated, and the file does not import Path")


def _type_of(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=constant) if type(constant) in _SCALARS:
            return type(constant).__name__
        case ast.Attribute(value=enumeration):
            return unparse(enumeration)
        case ast.UnaryOp(operand=operand):
            return _type_of(operand)
        case ast.List(elts=[_, *_] as parts):
            return f"list[{type_of(parts)}]"
        case ast.Set(elts=[_, *_] as parts):
            return f"set[{type_of(parts)}]"
        case ast.Tuple(elts=[_, *_] as parts):
            return f"tuple[{', '.join(_type_of(part) for part in parts)}]"
        case ast.Dict(keys=[_, *_] as keys, values=parts):
            known = [key for key in keys if key is not None]
            return f"dict[{type_of(known)}, {type_of(parts)}]"
    raise NoFix("the test is annotated, and the type of a new parameter is not known")
