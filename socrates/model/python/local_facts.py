"""What only code around a name tells: types asserted, what is passed, inherited, handed out on demand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, parameters, walk_function
from socrates.model.python.values import (
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Value,
)

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_Asserted = dict[str, list[ast.expr]]
_RUNS = frozenset(
    "submit to_thread run_in_executor start_soon spawn call_soon call_later apply apply_async run "
    "run_sync partial raises warns assertRaises assertWarns".split()
)
"""Functions that call one which is passed to them with the arguments behind it."""
_Calls = dict[str, list[tuple[ast.Call, list[ast.expr]]]]


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


def is_super(expr: ast.AST) -> bool:
    """Whether an expression is ``super()`` or ``super(Cls, self)``."""
    match expr:
        case ast.Call(func=ast.Name(id="super")):
            return True
    return False


def inherited(inference: Inference, name: str, scope: Scope) -> Value | None:
    """The method that ``super().NAME`` means in a method: the next one behind its own class."""
    while scope.parent is not None:
        scope = scope.parent
    if scope.cls is None or not isinstance(scope.function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    classes = inference.resolver.mro(scope.cls)
    own = [i for i, cls in enumerate(classes) if scope.function in cls.methods.values()]
    for cls in classes[own[0] + 1 :] if own else ():
        if name in cls.methods:
            return FunctionValue(cls.module, cls.methods[name], scope.cls, cls)
    return None


def handed_out(inference: Inference, base: Instance | ClassValue, name: str) -> Value | None:
    """The object that ``__getattr__`` gives for a name that nothing else of a class has."""
    if not isinstance(base, Instance) or name.startswith("_"):
        return None
    owner, node = inference.resolver.method(base.cls, "__getattr__")
    if owner is None or node is None:
        return None
    given = inference.result(FunctionValue(owner.module, node, base.cls, owner))
    return given if isinstance(given, Instance) else None


def passed_to(name: str, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """What the function around a nested one passes for a parameter of it, itself or through others.

    ``work(cache)``, ``pool.submit(work, cache)``, ``Thread(target=work, args=(cache,))``.
    """
    function, outer = scope.function, scope.parent
    if outer is None or outer.function is None:
        return
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    key = ("calls", id(outer.function))
    if key not in outer.memo:
        outer.memo[key] = _calls_by_name(outer.function)
    kept = outer.memo[key]
    assert isinstance(kept, dict)
    names = [argument.arg for argument in parameters(function)]
    for call, given in kept.get(function.name, ()):
        if name in names[: len(given)]:
            value = given[names.index(name)]
        else:
            value = next((k.value for k in call.keywords if k.arg == name), None)
        if value is not None and not isinstance(value, ast.Starred):
            yield value, outer


def _calls_by_name(function: ast.AST) -> _Calls:
    """Calls that run a function by its name or hand it on, with the positional arguments it gets."""
    found: _Calls = {}
    for node in walk_function(function):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            found.setdefault(node.func.id, []).append((node, node.args))
        for name in _picked(node.func):
            found.setdefault(name, []).append((node, node.args))
        runs = getattr(node.func, "attr", getattr(node.func, "id", "")) in _RUNS
        for index, argument in enumerate(node.args if runs else ()):
            if isinstance(argument, ast.Name):
                found.setdefault(argument.id, []).append((node, node.args[index + 1 :]))
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        match named.get("target"), named.get("args"):
            case ast.Name(id=name), ast.Tuple(elts=given) | ast.List(elts=given):
                found.setdefault(name, []).append((node, given))
    return found


def _picked(func: ast.expr) -> Iterator[str]:
    """The functions among which a call picks: ``choice([get, put])(cache)``, ``TABLE[key](cache)``."""
    match func:
        case ast.Call(args=parts):
            pass
        case ast.Subscript(value=table):
            parts = [table]
        case ast.IfExp(body=body, orelse=orelse):
            parts = [body, orelse]
        case _:
            return
    for part in parts:
        yield from (node.id for node in ast.walk(part) if isinstance(node, ast.Name))
