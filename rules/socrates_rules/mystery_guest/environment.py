"""Which environment variables a piece of code sets or removes, or has a fake set."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from socrates.model.python.names import Scope
from socrates.model.python.walk import walk
from socrates_rules.mystery_guest.origin import Known
from socrates_rules.mystery_guest.tracing import Origins

_READS = frozenset({"get", "copy", "items", "keys", "values", "pop", "setdefault"})


def variables(name: ast.expr | None, origins: Origins, scope: Scope) -> frozenset[str]:
    """The fakes of the variables that a name stands for, or of all when they are not written out."""
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute):
        if name.func.attr == "upper":
            below = variables(name.func.value, origins, scope)
            return frozenset(
                kind.replace(text, text.upper())
                for kind in below
                for text in [kind.partition(":")[2]]
            )
        return frozenset({"environment"})
    if isinstance(name, ast.Name):
        names = _looped_over(name, scope)
        return frozenset(f"environment:{text!r}" for text in names) or frozenset({"environment"})
    if not isinstance(name, (ast.Constant, ast.Attribute)):
        return frozenset({"environment"})
    origin = origins.of(name, scope)
    known = origin.known is Known.FIXED
    return frozenset({f"environment:{origin.text}" if known else "environment"})


def _looped_over(name: ast.Name, scope: Scope) -> list[str]:
    """The texts that a loop variable takes, when the loop runs over a list as written."""
    local = scope.lookup(name.id)
    value = local[1][0].value if local is not None and local[1][0].kind == "item" else None
    if isinstance(value, ast.Name):
        held = scope.lookup(value.id)
        value = held[1][0].value if held else scope.module.assigns.get(value.id)
    if not isinstance(value, (ast.Tuple, ast.List, ast.Set)):
        return []
    texts = [
        e.value for e in value.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)
    ]
    return texts if len(texts) == len(value.elts) else []


def variables_set(
    nodes: Iterable[ast.AST], origins: Origins, scope: Scope, *, removed: bool = True
) -> set[str]:
    """The fakes of the variables that statements set, or remove; of all when they may set the lot."""
    found: set[str] = set()
    only_read: set[int] = set()
    for node in (inner for outer in nodes for inner in walk(outer)):
        key: ast.expr | None = None
        match node:
            case ast.Subscript(value=value, slice=index) if _is_environ(value):
                only_read.add(id(value))
                counts = isinstance(node.ctx, ast.Store) or (
                    removed and isinstance(node.ctx, ast.Del)
                )
                key = index if counts else None
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if _is_environ(value):
                if attr in _READS:
                    only_read.add(id(value))
                if attr in ("pop", "setdefault") and node.args and removed:
                    key = node.args[0]
            case ast.Call(func=ast.Name(id="dict"), args=args):
                only_read |= {id(argument) for argument in args}
            case ast.Compare(comparators=values) | ast.Dict(values=values):
                only_read |= {id(value) for value in values}
            case ast.keyword(arg="env", value=value):
                only_read.add(id(value))
        if key is not None:
            found |= variables(key, origins, scope)
        elif _is_environ(node) and id(node) not in only_read:
            found.add("environment")
    return found


def _is_environ(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "environ"
