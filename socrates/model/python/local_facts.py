"""What only the code of a function tells: classes defined in it, and types it asserts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, walk_function
from socrates.model.python.values import ClassValue, External, Instance, Value

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_Asserted = dict[str, list[ast.expr]]


def local_class(inference: Inference, node: ast.ClassDef, scope: Scope) -> ClassInfo:
    """A class inside a function, with the bases that its names mean there."""
    key = ("class", id(node))
    if key not in scope.memo:
        info = ClassInfo(node.name, node, scope.module, bases=())
        scope.memo[key] = info
        values = [inference.infer(base, scope) for base in node.bases]
        info.bases = tuple(
            value.cls if isinstance(value, ClassValue) else value.name
            for value in values
            if isinstance(value, (ClassValue, External))
        )
    kept = scope.memo[key]
    assert isinstance(kept, ClassInfo)
    return kept


def asserted(inference: Inference, name: ast.Name, scope: Scope) -> Value | None:
    """An object of the class that ``assert isinstance(x, C)`` before a read of ``x`` names."""
    if scope.function is None or not scope.module.asserts_types:
        return None
    key = ("asserted", id(scope.function))
    if key not in scope.memo:
        scope.memo[key] = _asserted_types(scope.function)
    kept = scope.memo[key]
    assert isinstance(kept, dict)
    for kind in kept.get(name.id, ()):
        value = inference.infer(kind, scope) if kind.lineno <= name.lineno else None
        if isinstance(value, ClassValue):
            return Instance(value.cls)
    return None


def _asserted_types(function: ast.AST) -> _Asserted:
    found: _Asserted = {}
    for node in walk_function(function):
        match node:
            case (
                ast.Assert(test=ast.Call(func=ast.Name(id="isinstance"), args=[subject, kind]))
                | ast.Call(func=ast.Attribute(attr="assertIsInstance"), args=[subject, kind, *_])
            ):
                if isinstance(subject, ast.Name):
                    found.setdefault(subject.id, []).append(kind)
    return found
