"""Unused parts of a fixture that nobody minds: what costs nothing, and what a test sets aside by name."""

from __future__ import annotations

import ast

from socrates.model.python.module import FunctionNode, ModuleInfo
from socrates.model.python.names import walk_function
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal

_LEAVES = (ast.Constant, ast.Name, ast.Attribute)
_EMPTY = frozenset({"list", "dict", "set", "tuple"})


def costs_nothing(value: ast.expr) -> bool:
    """Whether a value is a literal, a path or text, an empty collection, a name for what is there."""
    match value:
        case ast.Name(id="NotImplemented") | ast.Attribute():
            return True
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _EMPTY
        case ast.Call(func=func, args=parts, keywords=[]) if unparse(func) == "os.path.join":
            return all(isinstance(part, _LEAVES) for part in parts)
        case ast.JoinedStr(values=parts):
            return all(isinstance(getattr(part, "value", part), _LEAVES) for part in parts)
        case ast.BinOp():
            return _is_text_of_literals(value)
    return is_literal(value)


def renames(value: ast.expr, module: ModuleInfo) -> bool:
    """Whether a value is only another name for one of a module: ``data.latin_text``."""
    match value:
        case ast.Attribute(value=ast.Name(id=name)):
            return name in module.imports
        case ast.Name(id=name):
            return name in module.assigns or name in module.imports
    return False


def _is_text_of_literals(value: ast.expr) -> bool:
    """``self.root + "prices/"``, ``"%s.csv" % name``: a literal text with names beside it."""
    parts, texts = [value], 0
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BinOp):
            parts += [part.left, part.right]
        elif not isinstance(part, _LEAVES):
            return False
        texts += isinstance(part, ast.Constant) and isinstance(part.value, (str, bytes))
    return texts > 0


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
