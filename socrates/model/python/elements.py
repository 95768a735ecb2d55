"""What the elements and parts of a collection are, and what several values have in common."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from socrates.model.python.annotations import element_annotated, part_annotated
from socrates.model.python.names import Scope, binding_at
from socrates.model.python.shapes import default_of, returned, yielded
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    OneOf,
    Value,
)

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_COPIES = frozenset({"list", "tuple", "sorted", "reversed", "set", "frozenset", "iter"})
_RECORDS = frozenset({"types.SimpleNamespace", "argparse.Namespace", "collections.namedtuple"})
_MOST_HOPS = 6
_MOST_CHOICES = 8

_Place = tuple[ast.expr, Scope]
_Ask = Callable[["Inference", ast.AST, Scope, int], "Value | None"]


def element(inference: Inference, expr: ast.AST, scope: Scope, hops: int = 0) -> Value | None:
    """What iterating over an expression gives."""
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            return _common_of(inference, elts, scope)
        case ast.Dict(keys=keys):
            return _common_of(inference, [key for key in keys if key is not None], scope)
        case ast.ListComp(elt=elt) | ast.SetComp(elt=elt) | ast.GeneratorExp(elt=elt):
            return inference.infer(elt, scope)
        case ast.Call(func=ast.Attribute(value=base, attr="values"), args=[]):
            found = _value(inference, base, scope, hops)
            if found is not None:
                return found
        case ast.Call(func=func, args=[first, *_]) if _builtin(inference, func, scope) in _COPIES:
            return element(inference, first, scope, hops)
        case ast.Call() if places := _generated(inference, expr, scope):
            return common(inference, [inference.infer(one, there) for one, there in places])
    return _annotated(inference, expr, scope, None) or _elsewhere(
        inference, expr, scope, hops, element
    )


def part(
    inference: Inference, expr: ast.AST, index: int, scope: Scope, hops: int = 0
) -> Value | None:
    """What ``a, b = expr`` binds at a position, and ``expr[index]``."""
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            if any(isinstance(e, ast.Starred) for e in elts[: index + 1]):
                return _common_of(inference, elts, scope)
            return inference.infer(_unwrapped(elts[index]), scope) if index < len(elts) else None
        case ast.ListComp() | ast.GeneratorExp():
            return element(inference, expr, scope, hops)

    def ask(inference: Inference, expr: ast.AST, scope: Scope, hops: int) -> Value | None:
        return part(inference, expr, index, scope, hops)

    return _annotated(inference, expr, scope, index) or _elsewhere(
        inference, expr, scope, hops, ask
    )


def item(inference: Inference, expr: ast.Subscript, scope: Scope) -> Value | None:
    """What ``expr[key]`` is: by a literal key where the collection is written out."""
    key = expr.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, int):
        found = part(inference, expr.value, key.value, scope) if key.value >= 0 else None
        if found is not None:
            return found
    found = _value(inference, expr.value, scope, 0, key)
    if found is not None or isinstance(key, ast.Slice) or isinstance(expr.value, ast.Dict):
        return found  # what iterating over a dict gives are its keys
    return element(inference, expr.value, scope)


def part_of_element(
    inference: Inference, expr: ast.AST, index: int, scope: Scope, hops: int = 0
) -> Value | None:
    """What ``for a, b in expr`` binds at a position."""
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            parts = [part(inference, _unwrapped(row), index, scope) for row in elts]
            return common(inference, parts)
        case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
            return part(inference, elt, index, scope)
        case ast.Call(func=ast.Attribute(value=base, attr="items"), args=[]):
            if index:
                return _value(inference, base, scope, hops)
            return element(inference, base, scope, hops)
        case ast.Call(func=func, args=args) if args:
            name = _builtin(inference, func, scope)
            if name == "enumerate":
                return element(inference, args[0], scope, hops) if index == 1 else None
            if name == "zip":
                return element(inference, args[index], scope, hops) if index < len(args) else None
            if name in _COPIES:
                return part_of_element(inference, args[0], index, scope, hops)
    if places := _generated(inference, expr, scope):
        return common(inference, [part(inference, one, index, there) for one, there in places])

    def ask(inference: Inference, expr: ast.AST, scope: Scope, hops: int) -> Value | None:
        return part_of_element(inference, expr, index, scope, hops)

    return _elsewhere(inference, expr, scope, hops, ask)


def field_of(
    inference: Inference, expr: ast.Attribute, base: Value, scope: Scope, hops: int = 0
) -> Value | None:
    """What ``SimpleNamespace(name=value).name`` is, and a field of a named tuple."""
    if not isinstance(base, ExternalResult) or base.name not in _RECORDS:
        return None

    def ask(inference: Inference, made: ast.AST, there: Scope, hops: int) -> Value | None:
        if not isinstance(made, ast.Call):
            return _elsewhere(inference, made, there, hops, ask)
        called = inference.infer(made.func, there)
        if isinstance(called, FunctionValue):
            return _elsewhere(inference, made, there, hops, ask)
        for keyword in made.keywords:
            if keyword.arg == expr.attr:
                return inference.infer(keyword.value, there)
        names = _field_names(made.func, there)
        if expr.attr in names[: len(made.args)]:
            return inference.infer(made.args[names.index(expr.attr)], there)
        return None

    return ask(inference, expr.value, scope, hops)


def _field_names(maker: ast.expr, scope: Scope) -> list[str]:
    """The names of the fields in ``namedtuple("Pair", "left right")``, or of a name for that."""
    if isinstance(maker, ast.Name) and scope.lookup(maker.id) is None:
        maker = scope.module.assigns.get(maker.id, maker)
    match maker:
        case ast.Call(args=[_, ast.Constant(value=str(names)), *_]):
            return names.replace(",", " ").split()
        case ast.Call(args=[_, ast.List(elts=elts) | ast.Tuple(elts=elts), *_]):
            return [str(one.value) for one in elts if isinstance(one, ast.Constant)]
    return []


def _value(
    inference: Inference, expr: ast.AST, scope: Scope, hops: int, key: ast.expr | None = None
) -> Value | None:
    """A value of a dict that is written out, the one at a literal key where that is given."""
    if isinstance(expr, ast.Dict):
        if isinstance(key, ast.Constant):
            for name, value in zip(expr.keys, expr.values, strict=True):
                if isinstance(name, ast.Constant) and name.value == key.value:
                    return inference.infer(value, scope)
        return _common_of(inference, expr.values, scope)
    if isinstance(expr, ast.DictComp):
        return inference.infer(expr.value, scope)

    def ask(inference: Inference, expr: ast.AST, scope: Scope, hops: int) -> Value | None:
        return _value(inference, expr, scope, hops, key)

    return _elsewhere(inference, expr, scope, hops, ask)


def _common_of(inference: Inference, parts: Sequence[ast.expr], scope: Scope) -> Value | None:
    if any(isinstance(one, ast.Starred) for one in parts):
        return None
    return agreed(inference, map(_unwrapped, parts), scope)


def _builtin(inference: Inference, func: ast.expr, scope: Scope) -> str:
    if not isinstance(func, ast.Name):
        return ""
    called = inference.infer(func, scope)
    if isinstance(called, External) and called.name.startswith("builtins."):
        return called.name[9:]
    return ""


def _elsewhere(
    inference: Inference, expr: ast.AST, scope: Scope, hops: int, ask: _Ask
) -> Value | None:
    """The same question, asked of every place where a collection is written out."""
    if hops >= _MOST_HOPS:
        return None
    places = list(_places(inference, expr, scope))
    return common(inference, [ask(inference, one, there, hops + 1) for one, there in places])


def _places(inference: Inference, expr: ast.AST, scope: Scope) -> Iterator[_Place]:
    """Where the value of an expression is written: assignments, returns, fixtures."""
    match expr:
        case ast.Await(value=inner):
            yield inner, scope
        case ast.Name():
            yield from _bound(inference, expr, scope)
        case ast.Attribute(value=base, attr=name):
            owner = inference.infer(base, scope)
            if isinstance(owner, (Instance, ClassValue)):
                yield from inference.assigned(owner, name)
        case ast.Call(func=func):
            called = inference.infer(func, scope)
            if isinstance(called, FunctionValue):
                inner_scope = inference.scope_of(called)
                values = returned(called.node) or yielded(called.node)
                yield from ((value, inner_scope) for value in values)


def _generated(inference: Inference, expr: ast.AST, scope: Scope) -> list[_Place]:
    """What a call of a generator yields; nothing for a decorated one, which may be anything else."""
    called = inference.infer(expr.func, scope) if isinstance(expr, ast.Call) else None
    if not isinstance(called, FunctionValue) or called.node.decorator_list:
        return []
    inner_scope = inference.scope_of(called)
    return [(value, inner_scope) for value in yielded(called.node)]


def _bound(inference: Inference, expr: ast.Name, scope: Scope) -> Iterator[_Place]:
    local = scope.lookup(expr.id)
    if local is None:
        value, module = scope.module.assigns.get(expr.id), scope.module
        if value is None and expr.id in module.imports:
            found = inference.resolver.name(module.imports[expr.id], module.path)
            if found.kind == "value" and found.module is not None and not found.tail:
                value, module = found.value, found.module
        if value is not None:
            yield value, inference.module_scope(module)
        return
    owner, bindings = local
    binding = binding_at(bindings, expr.lineno)
    if binding.kind == "param":
        if expr.id in owner.arguments:
            yield owner.arguments[expr.id]
        else:
            yield from inference.fixture_places(expr.id, owner)
    elif isinstance(binding.value, ast.expr) and binding.value is not expr:
        is_same = any(isinstance(n, ast.Name) and n.id == expr.id for n in ast.walk(binding.value))
        if binding.kind in ("value", "with") and not is_same:
            yield binding.value, owner


def _annotated(
    inference: Inference, expr: ast.AST, scope: Scope, index: int | None
) -> Value | None:
    """What the annotation of a function or parameter says about an element, or about one part."""
    annotation: ast.AST | None = None
    there = scope
    if isinstance(expr, ast.Call):
        called = inference.infer(expr.func, scope)
        if isinstance(called, FunctionValue):
            annotation, there = called.node.returns, inference.scope_of(called)
    elif isinstance(expr, ast.Name):
        local = scope.lookup(expr.id)
        if local is not None:
            binding = binding_at(local[1], expr.lineno)
            there = local[0]
            annotation = binding.value if binding.kind == "param" else binding.annotation
    if annotation is None:
        return None
    if index is None:
        return element_annotated(inference, annotation, there)
    return part_annotated(inference, annotation, index, there)


def _unwrapped(part: ast.expr) -> ast.expr:
    """The value in ``pytest.param(value, id="...")``."""
    match part:
        case ast.Call(func=ast.Attribute(attr="param"), args=[value, *_]):
            return value
    return part


def agreed(inference: Inference, exprs: Iterable[ast.AST], scope: Scope) -> Value | None:
    """What several expressions of one scope have in common; an unknown one ends the question."""
    values: list[Value | None] = []
    for expr in exprs:
        values.append(inference.infer(expr, scope))
        if values[-1] is None:
            return None
    return common(inference, values)


def either(inference: Inference, operands: Sequence[ast.expr], scope: Scope) -> Value | None:
    """What ``a or b`` is; a parameter that may be left out, and is not known, leaves it to the rest."""
    values = [inference.infer(one, scope) for one in operands if not _may_be_left_out(one, scope)]
    known = [inference.infer(one, scope) for one in operands if _may_be_left_out(one, scope)]
    return common(inference, [v for v in known if v not in (None, Builtin("NoneType"))] + values)


def _may_be_left_out(expr: ast.expr, scope: Scope) -> bool:
    if not isinstance(expr, ast.Name) or scope.function is None:
        return False
    default = default_of(scope.function.args, expr.id)
    return isinstance(default, ast.Constant) and default.value is None


def common(inference: Inference, values: Sequence[Value | None]) -> Value | None:
    """The one value, or the nearest class that all values are of or inherit from."""
    if not values or None in values:
        return None
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, Instance) and all(isinstance(value, Instance) for value in values):
        kind: type[Instance] | type[ClassValue] = Instance
    elif isinstance(first, ClassValue) and all(isinstance(v, ClassValue) for v in values):
        kind = ClassValue
    else:
        return _choice(values)
    chains = [
        {id(cls.node) for cls in inference.resolver.mro(value.cls)}
        for value in values
        if isinstance(value, (Instance, ClassValue))
    ]
    for cls in inference.resolver.mro(first.cls):
        if all(id(cls.node) in chain for chain in chains):
            return kind(cls)
    return _choice(values)


def _choice(values: Sequence[Value | None]) -> OneOf | None:
    """Several functions and classes that have nothing in common but that they can be called."""
    choices = tuple(dict.fromkeys(v for v in values if isinstance(v, (ClassValue, FunctionValue))))
    is_known = len(choices) == len(set(values)) <= _MOST_CHOICES
    nested = any(isinstance(one, FunctionValue) and one.parent is not None for one in choices)
    return OneOf(choices) if is_known and not nested else None
