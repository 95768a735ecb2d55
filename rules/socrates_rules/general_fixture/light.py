"""Unused parts of a fixture that nobody minds: placeholders, and what a test sets aside by name."""

from __future__ import annotations

import ast

from socrates.model.python.module import FunctionNode
from socrates.model.python.names import walk_function
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal

_EMPTY = frozenset({"list", "dict", "set", "tuple"})


def is_placeholder(value: ast.expr) -> bool:
    """Whether a value costs nothing: a literal, a path, an empty collection, a name for what is there."""
    match value:
        case ast.Name(id="NotImplemented") | ast.Attribute():
            return True
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _EMPTY
        case ast.Call(func=func, args=parts, keywords=[]) if unparse(func) == "os.path.join":
            return all(isinstance(part, (ast.Constant, ast.Name, ast.Attribute)) for part in parts)
    return is_literal(value)


def set_aside(name: str, function: FunctionNode) -> frozenset[int]:
    """The places of ``_`` where a test takes what it knows as ``name`` apart."""
    for node in walk_function(function):
        match node:
            case ast.Assign(targets=[target], value=ast.Name(id=known)) if known == name:
                return underscored(target)
    return frozenset()


def underscored(target: ast.expr) -> frozenset[int]:
    """The places of a target's elements that are called ``_`` or ``_something``."""
    elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    return frozenset(
        i for i, element in enumerate(elements) if getattr(element, "id", "").startswith("_")
    )
