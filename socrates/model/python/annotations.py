"""What an annotation promises: an object of a class, or the elements of a collection."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from socrates.model.python.names import Scope
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    Instance,
    Value,
)

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_WRAPPERS = frozenset(
    {"Optional", "Awaitable", "Iterator", "Generator", "AsyncIterator", "AsyncGenerator"}
    | {"Annotated", "Final", "ClassVar", "Iterable", "AsyncIterable"}
)
_COLLECTIONS = frozenset(
    {"list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "Collection", "Iterable"}
    | {"Iterator", "Generator", "deque", "tuple", "Tuple", "AsyncIterator", "AsyncGenerator"}
)
_OPAQUE = frozenset({"Callable", "Union", "Any", "Literal", "TypeVar", "AnyStr"})


def annotated(inference: Inference, annotation: ast.AST, scope: Scope) -> Value | None:
    """An object of the annotated type, or None when the annotation leaves it open."""
    match annotation:
        case ast.Constant(value=str(text)):
            parsed = _parse(text, annotation)
            return annotated(inference, parsed, scope) if parsed is not None else None
        case ast.Constant(value=None):
            return Builtin("NoneType")
        case ast.BinOp(left=left, right=ast.Constant(value=None), op=ast.BitOr()):
            return annotated(inference, left, scope)
        case ast.BinOp(left=ast.Constant(value=None), right=right, op=ast.BitOr()):
            return annotated(inference, right, scope)
        case ast.Subscript(value=value, slice=inner):
            return _subscript(inference, value, inner, scope)
    if _last(annotation) in _OPAQUE:
        return None
    named = inference.infer(annotation, scope)
    if isinstance(named, ClassValue):
        return Instance(named.cls)
    if isinstance(named, ExternalResult) and named.name.endswith(".TypeVar"):
        return _bound_of(inference, annotation, scope)
    if isinstance(named, External):
        root, _, last = named.name.rpartition(".")
        if last == "Self":
            return Instance(scope.cls) if scope.cls is not None else None
        return Builtin(last) if root == "builtins" else ExternalResult(named.name)
    return None


def _bound_of(inference: Inference, variable: ast.AST, scope: Scope) -> Value | None:
    """What every type that a type variable may stand for is: its bound."""
    found = inference.resolver.expression(variable, scope)
    if found is None or found.module is None or not isinstance(found.value, ast.Call):
        return None
    there = inference.module_scope(found.module)
    for keyword in found.value.keywords:
        if keyword.arg == "bound":
            return annotated(inference, keyword.value, there)
    return None


def _subscript(
    inference: Inference, value: ast.expr, inner: ast.expr, scope: Scope
) -> Value | None:
    name = _last(value)
    if name in _OPAQUE:
        return None
    parts = inner.elts if isinstance(inner, ast.Tuple) and inner.elts else [inner]
    if name in _WRAPPERS:
        return annotated(inference, parts[0], scope)
    if name == "Coroutine":
        return annotated(inference, parts[-1], scope)
    if name in ("type", "Type"):
        found = annotated(inference, parts[0], scope)
        return ClassValue(found.cls) if isinstance(found, Instance) else None
    return annotated(inference, value, scope)


def element_annotated(inference: Inference, annotation: ast.AST, scope: Scope) -> Value | None:
    """An element of the annotated collection: of ``list[Job]`` a ``Job``."""
    match annotation:
        case ast.Constant(value=str(text)):
            parsed = _parse(text, annotation)
            return element_annotated(inference, parsed, scope) if parsed is not None else None
        case ast.Subscript(value=value, slice=inner) if _last(value) in _COLLECTIONS:
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if _last(value) in ("tuple", "Tuple") and not _is_endless(parts):
                found = [annotated(inference, part, scope) for part in parts]
                return found[0] if all(one == found[0] for one in found) else None
            return annotated(inference, parts[0], scope)
    return None


def part_annotated(
    inference: Inference, annotation: ast.AST, index: int, scope: Scope
) -> Value | None:
    """The part at a position: of ``tuple[Job, Queue]`` the first is a ``Job``."""
    match annotation:
        case ast.Constant(value=str(text)):
            parsed = _parse(text, annotation)
            return part_annotated(inference, parsed, index, scope) if parsed is not None else None
        case ast.Subscript(value=value, slice=ast.Tuple(elts=parts)):
            if _last(value) in ("tuple", "Tuple") and not _is_endless(parts):
                return annotated(inference, parts[index], scope) if index < len(parts) else None
            if _last(value) == "Coroutine":
                return part_annotated(inference, parts[-1], index, scope)
            if _last(value) in _WRAPPERS:
                return part_annotated(inference, parts[0], index, scope)
        case ast.Subscript(value=value, slice=inner) if _last(value) in _WRAPPERS:
            return part_annotated(inference, inner, index, scope)
    return element_annotated(inference, annotation, scope)


def _is_endless(parts: list[ast.expr]) -> bool:
    """``tuple[Job, ...]``."""
    last = parts[-1] if parts else None
    return isinstance(last, ast.Constant) and last.value is Ellipsis


def _last(expr: ast.AST) -> str:
    if isinstance(expr, ast.Attribute):
        return expr.attr
    return expr.id if isinstance(expr, ast.Name) else ""


def _parse(text: str, at: ast.AST) -> ast.expr | None:
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(parsed):
        if isinstance(node, ast.expr):
            node.lineno = getattr(at, "lineno", 1)
    return parsed
