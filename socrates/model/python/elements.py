"""What the elements of a collection are, and what several values have in common."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from socrates.model.python.annotations import element_annotated
from socrates.model.python.names import Scope, binding_at
from socrates.model.python.values import ClassValue, External, FunctionValue, Instance, Value

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_COPIES = frozenset({"list", "tuple", "sorted", "reversed", "set", "frozenset", "iter"})


def element(inference: Inference, expr: ast.AST, scope: Scope) -> Value | None:
    """What iterating over an expression, or indexing it, gives."""
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            if any(isinstance(part, ast.Starred) for part in elts):
                return None
            return common(inference, [inference.infer(_unwrapped(part), scope) for part in elts])
        case ast.ListComp(elt=elt) | ast.SetComp(elt=elt) | ast.GeneratorExp(elt=elt):
            return inference.infer(elt, scope)
        case ast.Name(id=name):
            return _named(inference, expr, name, scope)
        case ast.Await(value=inner):
            return element(inference, inner, scope)
        case ast.Call(func=func, args=args):
            called = inference.infer(func, scope)
            if isinstance(called, FunctionValue) and called.node.returns is not None:
                inner_scope = inference.scope_of(called)
                return element_annotated(inference, called.node.returns, inner_scope)
            if isinstance(called, External) and args:
                root, _, last = called.name.rpartition(".")
                if root == "builtins" and last in _COPIES:
                    return element(inference, args[0], scope)
    return None


def _unwrapped(part: ast.expr) -> ast.expr:
    """The value in ``pytest.param(value, id="...")``."""
    match part:
        case ast.Call(func=ast.Attribute(attr="param"), args=[value, *_]):
            return value
    return part


def _named(inference: Inference, expr: ast.Name, name: str, scope: Scope) -> Value | None:
    local = scope.lookup(name)
    if local is None:
        value = scope.module.assigns.get(name)
        return element(inference, value, inference.module_scope(scope.module)) if value else None
    owner, bindings = local
    binding = binding_at(bindings, expr.lineno)
    if binding.value is None or binding.value is expr:
        return None
    if binding.kind == "value" and not _is_same_name(binding.value, name):
        return element(inference, binding.value, owner)
    if binding.kind == "param":
        return element_annotated(inference, binding.value, owner)
    return None


def _is_same_name(value: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def common(inference: Inference, values: Sequence[Value | None]) -> Value | None:
    """The one value, or the nearest class that all values are of or inherit from."""
    if not values or values[0] is None:
        return None
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, Instance) and all(isinstance(value, Instance) for value in values):
        kind: type[Instance] | type[ClassValue] = Instance
    elif isinstance(first, ClassValue) and all(isinstance(v, ClassValue) for v in values):
        kind = ClassValue
    else:
        return None
    chains = [
        {id(cls.node) for cls in inference.resolver.mro(value.cls)}
        for value in values
        if isinstance(value, (Instance, ClassValue))
    ]
    for cls in inference.resolver.mro(first.cls):
        if all(id(cls.node) in chain for chain in chains):
            return kind(cls)
    return None
