"""What calls of well-known functions of others give: copies, modules by name, what is entered."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from socrates.model.python.elements import common, element
from socrates.model.python.names import Scope, binding_for
from socrates.model.python.shapes import requested_params
from socrates.model.python.values import ClassValue, External, Instance, ModuleValue, Value

if TYPE_CHECKING:
    from socrates.model.python.infer import Inference

_ENTERS = frozenset(
    {"enter_context", "enter_async_context"}
    | {"enterContext", "enterAsyncContext", "enterClassContext"}
)
_SAME_TYPE = frozenset(
    {"copy.copy", "copy.deepcopy", "copy.replace", "dataclasses.replace", "weakref.proxy"}
    | {"attr.evolve", "attrs.evolve", "attr.assoc"}
)
_HANDED_ON = frozenset(
    {"functools.partial", "builtins.staticmethod", "builtins.classmethod", "contextlib.closing"}
    | {"contextlib.aclosing", "contextlib.nullcontext", "asyncio.run", "asyncio.wait_for"}
    | {"asyncio.shield", "importlib.reload", "functools.partialmethod"}
)
_MODULES = frozenset({"importlib.import_module", "pytest.importorskip", "builtins.__import__"})
_CALLS_FIRST = frozenset(
    "map filter filterfalse starmap takewhile dropwhile reduce partial submit to_thread".split()
)
_CALLS_KEY = frozenset("sorted sort min max groupby nlargest nsmallest".split())
_CALLS_TARGET = frozenset({"Thread", "Process"})
_QUERIES = frozenset("create get first last earliest latest acreate aget afirst alast".split())
_MANAGERS = ("objects", "_default_manager", "_base_manager")
_LOADS = ("pickle.loads", "cloudpickle.loads", "dill.loads", "copyreg.loads")
_MOST_NAMES = 16


def is_entering(call: ast.Call) -> bool:
    """Whether a call enters the context manager that is passed to it: ``stack.enter_context(x)``."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in _ENTERS and bool(call.args)


def handed_over(call: ast.Call) -> ast.expr | None:
    """The function that a call is given to be called: ``map(unit.method, xs)``, ``key=unit.method``."""
    func = call.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    handed: ast.expr | None = None
    if name in _CALLS_FIRST and call.args:
        handed = call.args[0]
    elif name == "run_in_executor" and len(call.args) > 1:
        handed = call.args[1]
    elif name in _CALLS_KEY or name in _CALLS_TARGET:
        wanted = "key" if name in _CALLS_KEY else "target"
        handed = next((k.value for k in call.keywords if k.arg == wanted), None)
    return handed if isinstance(handed, (ast.Name, ast.Attribute)) else None


def by_method_name(inference: Inference, call: ast.Call, scope: Scope) -> Value | None:
    """What a method of an unknown object gives, for the few names that say it all."""
    if not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr in _QUERIES:
        return _queried(inference, call.func.value, scope)
    if not call.args:
        return None
    if call.func.attr == "getfixturevalue":
        names = texts(inference, call.args[0], scope)
        return common(inference, [inference.fixture_value(name, scope) for name in names])
    if is_entering(call):
        return inference.entered(call.args[0], scope)
    if call.func.attr == "run_until_complete":
        return inference.infer(call.args[0], scope)
    if call.func.attr == "setdefault" and len(call.args) == 2:
        return inference.infer(call.args[1], scope)
    return None


def _queried(inference: Inference, manager: ast.expr, scope: Scope) -> Value | None:
    """An object of a model of Django's: ``Book.objects.create(...)``."""
    if not isinstance(manager, ast.Attribute) or not manager.attr.endswith(_MANAGERS):
        return None
    model = inference.infer(manager.value, scope)
    if not isinstance(model, ClassValue):
        return None
    bases = inference.resolver.external_bases(model.cls)
    return Instance(model.cls) if any(base.endswith("models.Model") for base in bases) else None


def by_name(inference: Inference, name: str, call: ast.Call, scope: Scope) -> Value | None:
    """What a function of others gives, by its full name; None for all that are not known here."""
    if not call.args:
        return None
    first = call.args[0]
    if name in _HANDED_ON:
        return inference.infer(first, scope)
    if name in _SAME_TYPE:
        return _an_object(inference.infer(first, scope))
    if name == "builtins.type" and len(call.args) == 1:
        value = inference.infer(first, scope)
        return ClassValue(value.cls) if isinstance(value, Instance) else None
    if name == "builtins.getattr" and len(call.args) > 1:
        return _attribute_by_name(inference, call, scope)
    if name == "builtins.next":
        return _an_object(element(inference, first, scope))
    if name in ("typing.cast", "typing_extensions.cast") and len(call.args) == 2:
        return inference.annotated(first, scope) or inference.infer(call.args[1], scope)
    if name in _MODULES:
        found = [inference.named(one, scope) for one in texts(inference, first, scope)]
        # The twin of a compiled module is one that can be read.
        return common(inference, [one for one in found if isinstance(one, ModuleValue)] or found)
    if name in _LOADS:
        dumped = _dumped(inference, first, scope)
        return _an_object(inference.infer(*dumped)) if dumped is not None else None
    return None


def _an_object(value: Value | None) -> Value | None:
    return value if isinstance(value, (Instance, ClassValue)) else None


def _attribute_by_name(inference: Inference, call: ast.Call, scope: Scope) -> Value | None:
    """What ``getattr(base, name)`` gives, where every name that it may be is written out."""
    base, asked = call.args[:2]
    names = list(texts(inference, asked, scope))
    if not names or not all(name.isidentifier() for name in names):
        return None
    reads = [ast.copy_location(ast.Attribute(base, name, ast.Load()), call) for name in names]
    return common(inference, [inference.infer(read, scope) for read in reads])


def _dumped(inference: Inference, expr: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The object in ``dumps(x)``, also where the bytes were given a name."""
    if isinstance(expr, ast.Name):
        local = scope.lookup(expr.id)
        bound = binding_for(local[1], expr) if local is not None else None
        if local is None or bound is None or bound.kind != "value":
            return None
        assert isinstance(bound.value, ast.expr)
        expr, scope = bound.value, local[0]
    if not isinstance(expr, ast.Call) or not expr.args:
        return None
    called = inference.infer(expr.func, scope)
    is_dumps = isinstance(called, External) and called.name.endswith(".dumps")
    return (expr.args[0], scope) if is_dumps else None


def texts(inference: Inference, expr: ast.AST, scope: Scope, hops: int = 0) -> Iterator[str]:
    """The literal texts that an expression may be; nothing when one of them is unknown."""
    found = list(_texts(inference, expr, scope, hops))
    if len(found) <= _MOST_NAMES and None not in found:
        yield from (one for one in found if one is not None)


def _texts(inference: Inference, expr: ast.AST, scope: Scope, hops: int) -> Iterator[str | None]:
    match expr:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Call(func=ast.Attribute(attr="param"), args=[first, *_]) if hops:
            yield from _texts(inference, first, scope, hops)
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts) if hops:
            for one in elts:
                yield from _texts(inference, one, scope, hops)
        case ast.Name() if hops < 3:
            yield from _bound_texts(inference, expr, scope, hops)
        case ast.JoinedStr(values=parts):
            yield from _joined_texts(inference, parts, scope, hops)
        case ast.Attribute() if params := requested_params(expr, scope.function):
            yield from _texts(inference, params, inference.module_scope(scope.module), 1)
        case _:
            yield None


def _joined_texts(
    inference: Inference, parts: list[ast.expr], scope: Scope, hops: int
) -> Iterator[str | None]:
    """``f"package.{name}"`` for each text that the name may be."""
    found = [""]
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        ends = list(_texts(inference, inner, scope, hops))
        if None in ends or len(found) * len(ends) > _MOST_NAMES:
            yield None
            return
        found = [f"{start}{end}" for start in found for end in ends]
    yield from found


def _bound_texts(
    inference: Inference, expr: ast.Name, scope: Scope, hops: int
) -> Iterator[str | None]:
    local = scope.lookup(expr.id)
    if local is None:
        value = scope.module.assigns.get(expr.id)
        there = inference.module_scope(scope.module)
        yield from _texts(inference, value, there, hops + 1) if value is not None else (None,)
        return
    owner, bindings = local
    binding = binding_for(bindings, expr)
    if binding.kind == "param":
        passed = owner.arguments.get(expr.id)
        places = [passed] if passed else list(inference.fixture_places(expr.id, owner))
        if not places:
            yield None
        for value, there in places:
            yield from _texts(inference, value, there, hops + 1)
    elif binding.kind in ("value", "item") and binding.value is not None and not binding.is_part:
        yield from _texts(inference, binding.value, owner, hops + 1)
    else:
        yield None
