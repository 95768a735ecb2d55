"""What a call gives: by annotations, overloads and type variables, or by what a function returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from socrates.model.python.elements import agreed, common
from socrates.model.python.known_calls import by_method_name, by_name
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, parameters
from socrates.model.python.shapes import (
    default_of,
    is_classmethod,
    is_context_manager,
    is_static,
    made,
    returned,
    yielded,
)
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

_BUILTIN_RESULTS = {
    "len": "int", "id": "int", "hash": "int", "ord": "int", "sum": "int", "round": "int",
    "int": "int", "float": "float", "bool": "bool", "str": "str", "repr": "str", "bytes": "bytes",
    "format": "str", "chr": "str", "hex": "str", "bin": "str", "isinstance": "bool",
    "issubclass": "bool", "callable": "bool", "hasattr": "bool", "any": "bool", "all": "bool",
    "list": "list", "dict": "dict", "set": "set", "tuple": "tuple", "sorted": "list",
    "frozenset": "frozenset", "range": "range", "ascii": "str", "input": "str",
}  # fmt: skip
_TEXT_METHODS = frozenset(
    "capitalize casefold center expandtabs format format_map join ljust lower lstrip replace "
    "rjust rstrip strip swapcase title translate upper zfill decode removeprefix removesuffix".split()
)
_RTYPE = re.compile(
    r"^\s*[:@]rtype:\s*(?:L\{|:\w+:`~?)?(?P<name>[A-Za-z_][\w.]*\w)[}`]?\s*$", re.MULTILINE
)
Generics = tuple[tuple[FunctionNode, dict[str, str]], ...]


def called(inference: Inference, expr: ast.Call, scope: Scope) -> Value | None:
    """What a call expression gives, with what it passes taken into account."""
    if isinstance(expr.func, ast.Attribute) and expr.func.attr == "__new__" and expr.args:
        made_of = inference.infer(expr.args[0], scope)
        return Instance(made_of.cls) if isinstance(made_of, ClassValue) else None
    function = inference.infer(expr.func, scope)
    if function is None and isinstance(expr.func, ast.Attribute):
        base = inference.infer(expr.func.value, scope)
        if base == Builtin("str") and expr.func.attr in _TEXT_METHODS:
            return Builtin("str")
        return by_method_name(inference, expr, scope)
    if isinstance(function, Instance):
        function = inference.member(function, "__call__")
    if isinstance(function, FunctionValue):
        generic = _generic(inference, function, expr, scope)
        if generic is not None:
            return generic
        return inference.result(function) or _by_arguments(inference, function, expr, scope)
    if isinstance(function, External):
        known = by_name(inference, function.name, expr, scope)
        if known is not None:
            return known
    return result(inference, function)


def result(inference: Inference, function: Value | None) -> Value | None:
    """What calling a value gives, whatever is passed; for functions see ``of_function``."""
    match function:
        case ClassValue(cls=cls):
            return Instance(cls)
        case External(name=name):
            root, _, last = name.rpartition(".")
            kind = _BUILTIN_RESULTS.get(last) if root == "builtins" else None
            return Builtin(kind) if kind else ExternalResult(name)
        case ExternalResult(name="collections.namedtuple"):
            return function
        case OneOf(choices=choices):
            return common(inference, [inference.result(one) for one in choices])
        case Instance():
            return inference.result(inference.member(function, "__call__"))
    return None


def of_function(inference: Inference, function: FunctionValue) -> Value | None:
    """What every call of a function gives: its annotation's word, or what all returns agree on."""
    node = function.node
    if is_context_manager(node):
        return None
    scope = inference.scope_of(function)
    if node.returns is not None:
        promised = _promised(inference, node, function, scope)
        if promised is not None:
            return promised
    signatures = _overloads(function)
    if signatures:
        promises = [_promised(inference, one, function, scope) for one in signatures]
        return common(inference, promises)
    return agreed(inference, made(node), scope) or _documented(inference, node, scope)


def _documented(inference: Inference, node: FunctionNode, scope: Scope) -> Value | None:
    """An object of the class that a docstring names: ``:rtype: Repository``."""
    found = _RTYPE.search(ast.get_docstring(node, clean=False) or "")
    if found is None or node.returns is not None:
        return None
    first, *rest = found["name"].split(".")
    named: ast.expr = ast.Name(first, ast.Load())
    for name in rest:
        named = ast.Attribute(named, name, ast.Load())
    kind = inference.infer(named, inference.module_scope(scope.module))
    return Instance(kind.cls) if isinstance(kind, ClassValue) else None


def item_of(inference: Inference, function: FunctionValue, *, is_slice: bool) -> Value | None:
    """What ``__getitem__`` gives for an index or for a slice, where its overloads tell them apart."""
    fitting = [
        one
        for one in _overloads(function)
        if any("slice" in _names(a.annotation) for a in parameters(one)) == is_slice
    ]
    if not fitting:
        return inference.result(function)
    scope = inference.scope_of(function)
    return common(inference, [_promised(inference, one, function, scope) for one in fitting])


def _promised(
    inference: Inference, node: FunctionNode, function: FunctionValue, scope: Scope
) -> Value | None:
    """What one signature promises."""
    if _returns_self(node) and function.owner is not None:
        return Instance(function.owner)
    return inference.annotated(node.returns, scope) if node.returns is not None else None


def entered(inference: Inference, manager: ast.AST | None, scope: Scope) -> Value | None:
    """What ``with manager as x`` binds: its ``__enter__``'s result, or what a generator yields."""
    value = inference.infer(manager, scope)
    if isinstance(value, Instance):
        for name in ("__enter__", "__aenter__"):
            owner, node = inference.resolver.method(value.cls, name)
            if node is not None and owner is not None:
                inside = FunctionValue(owner.module, node, value.cls, owner)
                return inference.result(inside) or value
        return value
    if value is None and isinstance(manager, ast.Call):
        function = inference.infer(manager.func, scope)
        if isinstance(function, FunctionValue):
            return _yielded(inference, function, manager, scope)
    return value


def bind(call: ast.Call, names: list[ast.arg], scope: Scope) -> dict[str, tuple[ast.expr, Scope]]:
    """Names of the given parameters to the expressions that a call passes for them."""
    bound: dict[str, tuple[ast.expr, Scope]] = {}
    for name, value in zip(names, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        bound[name.arg] = (value, scope)
    for keyword in call.keywords:
        if keyword.arg:
            bound[keyword.arg] = (keyword.value, scope)
    return bound


def left_out(
    inference: Inference, function: FunctionValue, given: Container[str]
) -> dict[str, tuple[ast.expr, Scope]]:
    """Parameters that a call leaves to their defaults, where those are classes, functions or objects."""
    there = inference.module_scope(function.module)
    arguments = function.node.args
    if not arguments.defaults and not any(arguments.kw_defaults):
        return {}
    found = ((a.arg, default_of(arguments, a.arg)) for a in parameters(function.node))
    return {
        name: (default, there)
        for name, default in found
        if name not in given
        and isinstance(default, (ast.Name, ast.Attribute, ast.Call))
        and isinstance(inference.infer(default, there), (ClassValue, FunctionValue, Instance))
    }


def _yielded(
    inference: Inference, function: FunctionValue, call: ast.Call, scope: Scope
) -> Value | None:
    inner = inference.scope_of(function)
    if function.node.returns is not None:
        promised = inference.annotated(function.node.returns, inner)
        if promised is not None:
            return promised
    bound = bind(call, _own_parameters(function), scope)
    inner.arguments.update(left_out(inference, function, bound) | bound)
    return agreed(inference, yielded(function.node), inner)


def _by_arguments(
    inference: Inference, function: FunctionValue, call: ast.Call, scope: Scope
) -> Value | None:
    """What a function makes of classes, functions and objects that a call passes to it."""
    node = function.node
    if is_context_manager(node):
        return None
    results = returned(node)
    own = _own_parameters(function)
    if not own or not results or not inference.may_go_deeper:
        return None
    given = bind(call, own, scope)
    bound = left_out(inference, function, given) | {
        name: passed
        for name, passed in given.items()
        if isinstance(inference.infer(*passed), (ClassValue, FunctionValue, Instance))
    }
    if not bound:
        return None
    inner = inference.scope_of(function)
    inner.arguments.update(bound)
    return agreed(inference, results, inner)


def _own_parameters(function: FunctionValue) -> list[ast.arg]:
    found = parameters(function.node)
    is_method = function.defined_in is not None and not is_static(function.node)
    return found[1:] if is_method else found


def _overloads(function: FunctionValue) -> list[FunctionNode]:
    if function.parent is not None:
        return []
    home = function.defined_in or function.module
    return home.overloads.get(function.node.name, [])


def _returns_self(node: FunctionNode) -> bool:
    """``-> Self``, or the type variable of ``self: T`` or ``cls: type[T]``."""
    if not isinstance(node.returns, ast.Name):
        return False
    name = node.returns.id
    if name == "Self":
        return True
    if is_static(node):
        return False
    first = next(iter(parameters(node)), None)
    match first.annotation if first is not None else None:
        case ast.Name(id=same):
            return same == name
        case ast.Subscript(value=ast.Name(id="type" | "Type"), slice=ast.Name(id=same)):
            return same == name and is_classmethod(node)
    return False


def _generic(
    inference: Inference, function: FunctionValue, call: ast.Call, scope: Scope
) -> Value | None:
    """What a type variable stands for: in ``def make(cls: type[T], ...) -> T`` an object of ``cls``."""
    kept = inference.generics.get(id(function.node))
    if kept is None:
        found = tuple(_variables(inference, function))
        kept = inference.generics[id(function.node)] = (function.node, found)
    for node, tells in kept[1]:
        for argument, given in _passed(node, call, is_bound=function.defined_in is not None):
            if argument.arg in tells:
                value = inference.infer(given, scope)
                made = inference.result(value) if tells[argument.arg] == "made" else value
                if isinstance(made, Instance):
                    return made
    return None


def _variables(
    inference: Inference, function: FunctionValue
) -> Iterator[tuple[FunctionNode, dict[str, str]]]:
    """The signatures of a function that return a type variable, with the parameters that tell it."""
    for node in (function.node, *_overloads(function)):
        variable = _variable(node.returns)
        if not variable:
            continue
        tells = {
            argument.arg: kind
            for argument in parameters(node)
            for kind, name in _mentions(argument.annotation)
            if name == variable
        }
        if tells:
            there = inference.scope_of(function)
            if not isinstance(inference.infer(_bare(node.returns), there), ClassValue):
                yield node, tells


def _passed(
    node: FunctionNode, call: ast.Call, *, is_bound: bool
) -> Iterator[tuple[ast.arg, ast.expr]]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    if is_bound and not is_static(node):
        arguments = arguments[1:]
    yield from zip(arguments, call.args, strict=False)
    named = {a.arg: a for a in (*arguments, *node.args.kwonlyargs)}
    for keyword in call.keywords:
        if keyword.arg in named:
            yield named[keyword.arg], keyword.value


def _bare(annotation: ast.expr | None) -> ast.expr | None:
    """The name in ``T``, ``T | None``, ``Optional[T]``, ``Awaitable[T]``."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Optional" | "Awaitable"), slice=ast.Name() as inner):
            return inner
        case ast.BinOp(left=ast.Name() as left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return left
    return annotation


def _variable(annotation: ast.expr | None) -> str:
    bare = _bare(annotation)
    return bare.id if isinstance(bare, ast.Name) else ""


def _names(annotation: ast.expr | None) -> set[str]:
    if annotation is None:
        return set()
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}


def _mentions(annotation: ast.expr | None) -> Iterator[tuple[str, str]]:
    """How a parameter mentions a type variable: it is one, or makes one when it is called."""
    match annotation:
        case ast.Name(id=name):
            yield "is", name
        case ast.BinOp(left=left, right=right):
            yield from _mentions(left)
            yield from _mentions(right)
        case ast.Subscript(value=value, slice=inner):
            last = getattr(value, "id", getattr(value, "attr", ""))
            if last in ("type", "Type"):
                yield from (("made", name) for name in _names(inner))
            elif last == "Callable" and isinstance(inner, ast.Tuple) and inner.elts:
                yield from (("made", name) for name in _names(inner.elts[-1]))
            elif last in ("Optional", "Union"):
                for part in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
                    yield from _mentions(part)
