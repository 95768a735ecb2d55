"""What calling a production function changes: nothing, its own object, or something unknown."""

from __future__ import annotations

import ast
from typing import Literal

from socrates.model.context import FileContext
from socrates.model.python.names import (
    Scope,
    dotted_name,
    parameters,
    root_of,
    walk_function,
)
from socrates.model.python.values import ClassValue, FunctionValue
from socrates_rules.rewriting.pure import builds_only

Mutation = Literal["none", "own", "unknown"]

_MUTATORS = frozenset(
    "append extend insert pop popitem popleft appendleft remove discard clear update add "
    "setdefault sort reverse".split()
)
_READERS = frozenset(
    "get keys values items copy index count join split rsplit splitlines strip lstrip rstrip "
    "lower upper title capitalize casefold startswith endswith format replace find rfind encode "
    "decode isdigit isalpha isalnum isspace isupper islower zfill ljust rjust center partition "
    "rpartition removeprefix removesuffix union intersection difference issubset issuperset "
    "total_seconds isoformat hex bit_length translate".split()
)
PURE_CALLS = frozenset(
    {"datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"}
    | {"decimal.Decimal", "fractions.Fraction", "uuid.UUID", "pathlib.Path", "pathlib.PurePath"}
    | {"io.StringIO", "io.BytesIO", "collections.OrderedDict", "collections.deque"}
    | {"collections.Counter", "collections.defaultdict", "unittest.mock.Mock"}
    | {"unittest.mock.MagicMock", "types.SimpleNamespace"}
)
"""Classes of the standard library whose objects are new, whatever they are made of."""
_BUILTINS = frozenset(
    f"builtins.{name}"
    for name in "len str repr list dict set tuple frozenset sorted reversed sum min max any all "
    "isinstance issubclass type bool int float abs round range enumerate zip map filter hash "
    "ord chr divmod bytes bytearray object hasattr format iter".split()
)
_MAX_DEPTH = 4


def mutation_of(function: FunctionValue, file: FileContext, depth: int = 0) -> Mutation:
    """What a function changes, by the stores and calls in its body. An unknown call may change anything."""
    node = function.node
    names = [argument.arg for argument in parameters(node)]
    first = names[0] if function.owner is not None and names else None
    scope = file.inference.scope_of(function)
    if depth > _MAX_DEPTH or isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
        return "unknown"
    found: set[Mutation] = set()
    for part in walk_function(node):
        found.add(_part(part, first, scope, file, depth))
    if "unknown" in found:
        return "unknown"
    return "own" if "own" in found else "none"


def changes_others(function: FunctionValue, file: FileContext) -> bool:
    """Whether the function's own lines change what it was given, or what the module holds.

    A weaker question than ``mutation_of``, for functions that can't be looked into to the end:
    what their callees and decorators do is not asked.
    """
    scope = file.inference.scope_of(function)
    return any(
        isinstance(node, (ast.Global, ast.Nonlocal)) or _is_others(_changed(node), scope)
        for node in walk_function(function.node)
    )


def _changed(node: ast.AST) -> ast.AST | None:
    """What a store or a call such as ``items.append(x)`` changes."""
    match node:
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del(), value=value)
            | ast.Subscript(ctx=ast.Store() | ast.Del(), value=value)
        ):
            return value
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _MUTATORS:
            return value
    return None


def _is_others(node: ast.AST | None, scope: Scope) -> bool:
    """Whether ``a`` of ``a.b[c]`` is a parameter, or a name from outside the function."""
    name = root_of(node) if node is not None else None
    if name is None:
        return False
    return all(binding.kind == "param" for binding in scope.bindings.get(name, []))


def _part(
    node: ast.AST, first: str | None, scope: Scope, file: FileContext, depth: int
) -> Mutation:
    match node:
        case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return "unknown"
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ):
            return _on(node, first, scope)
        case ast.Call(func=func):
            return _call(func, first, scope, file, depth)
        case ast.With() | ast.AsyncWith() | ast.Import() | ast.ImportFrom():
            return "unknown"
    return "none"


def _call(
    func: ast.expr, first: str | None, scope: Scope, file: FileContext, depth: int
) -> Mutation:
    if _is_known(func, scope):
        return "none"
    called = file.infer(func, scope)
    if isinstance(called, ClassValue):
        return "none" if builds_only(called.cls, file, depth) else "unknown"
    if isinstance(called, FunctionValue):
        mutation = mutation_of(called, file, depth + 1)
        if mutation != "own" or not isinstance(func, ast.Attribute):
            return mutation
        return _on(func.value, first, scope)
    if isinstance(func, ast.Attribute):
        if func.attr in _READERS:
            return "none"
        if func.attr in _MUTATORS:
            return _on(func.value, first, scope)
    return "unknown"


def only_looks(func: ast.expr, scope: Scope) -> bool:
    """Whether a call that leads nowhere is one of Python's own that change nothing, by its name."""
    if isinstance(func, ast.Attribute) and func.attr in _READERS:
        return True
    return _is_known(func, scope) or (dotted_name(func, scope) or "").startswith("math.")


def _is_known(func: ast.expr, scope: Scope) -> bool:
    dotted = dotted_name(func, scope) or ""
    return dotted in _BUILTINS or dotted in PURE_CALLS or is_exception(dotted)


def _on(node: ast.AST, first: str | None, scope: Scope) -> Mutation:
    """What a change to ``a.b[c]`` changes: that depends on what ``a`` is."""
    name = root_of(node)
    if name is None:
        return "unknown"
    if name == first:
        return "own"
    bindings = scope.bindings.get(name, [])
    fresh = bindings and all(
        binding.kind == "value" and _is_fresh(binding.value) for binding in bindings
    )
    return "none" if fresh else "unknown"


def _is_fresh(value: ast.AST | None) -> bool:
    """Whether an expression makes a new collection, which no other code can hold."""
    if isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
        return True
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") in ("list", "dict", "set")


def is_exception(dotted: str) -> bool:
    """Whether a dotted name is one of Python's own exceptions."""
    return dotted.startswith("builtins.") and dotted.endswith(("Error", "Exception", "Warning"))
