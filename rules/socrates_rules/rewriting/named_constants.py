"""Values that a test reads off a class or a module: members of enumerations, constants."""

from __future__ import annotations

import ast

from socrates.model.context import FileContext
from socrates.model.python.names import Scope
from socrates.model.python.values import ClassValue, ModuleValue

_ENUMERATIONS = frozenset(
    {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"}
)


def is_member(expr: ast.AST, scope: Scope, file: FileContext) -> bool:
    """Whether an expression is a member of an enumeration of the project: ``Status.OPEN``."""
    match expr:
        case ast.Attribute(value=base, attr=name, ctx=ast.Load()) if not name.startswith("_"):
            owner = file.infer(base, scope)
            if not isinstance(owner, ClassValue) or name not in owner.cls.assigns:
                return False
            return bool(_ENUMERATIONS.intersection(file.resolver.external_bases(owner.cls)))
    return False


def is_constant(expr: ast.AST, scope: Scope, file: FileContext) -> bool:
    """Whether an expression is a text or number that a class or module keeps in capital letters.

    One that the file mentions as text or assigns to may have another value while a test runs.
    """
    match expr:
        case ast.Attribute(value=base, attr=name, ctx=ast.Load()) if name.isupper():
            value = _kept(file.infer(base, scope), name, file)
            return isinstance(value, ast.Constant) and not _is_replaced(name, file)
    return False


def _kept(owner: object, name: str, file: FileContext) -> ast.expr | None:
    if isinstance(owner, ModuleValue):
        return owner.module.assigns.get(name)
    if isinstance(owner, ClassValue):
        for cls in file.resolver.mro(owner.cls):
            if name in cls.assigns:
                return cls.assigns[name]
    return None


def _is_replaced(name: str, file: FileContext) -> bool:
    for node in ast.walk(file.module.source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if name in node.value:
                return True
        elif isinstance(node, ast.Attribute) and node.attr == name:
            if not isinstance(node.ctx, ast.Load):
                return True
    return False
