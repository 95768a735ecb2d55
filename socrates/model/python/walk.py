"""A walk over ``ast`` trees that skips what can't hold code: contexts, operators, plain fields.

``ast.iter_child_nodes`` looks at every field of every node and yields the ``Load()`` of each
name; walking is what a check spends most of its time on, so the fields are looked up by type.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.syntax.nodes import ParamSpec, TypeVar, TypeVarTuple

_PLAIN = frozenset(
    {"ctx", "op", "ops", "kind", "type_comment", "type_ignores", "id", "attr", "arg", "asname"}
    | {"lineno", "level", "module", "simple", "is_async", "conversion", "n", "s"}
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = dict.fromkeys(
    (ast.Constant, ast.Name, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal), ()
)
for _kind, _field in (
    *((kind, "type_params") for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)),
    *((kind, "default_value") for kind in (TypeVar, ParamSpec, TypeVarTuple)),
):  # the types of older Pythons have no such fields, their nodes may
    _known = tuple(name for name in _kind._fields if name not in _PLAIN)
    _FIELDS[_kind] = tuple(dict.fromkeys((*_known, _field)))


LEAVES: frozenset[type[ast.AST]] = frozenset({ast.Name, ast.Constant})
"""Half of all nodes, which have no children: a walk need not ask."""


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """The direct child nodes in source order, without contexts and operators.

    They are kept with the node: every rule walks the same trees.
    """
    try:
        return node._socrates_children  # type: ignore[attr-defined,no-any-return]
    except AttributeError:
        pass
    found = tuple(_children(node))
    node._socrates_children = found  # type: ignore[attr-defined]
    return found


def _children(node: ast.AST) -> list[ast.AST]:
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = tuple(name for name in kind._fields if name not in _PLAIN)
        _FIELDS[kind] = fields
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def branches(node: ast.AST) -> tuple[ast.AST, ...]:
    """The children that can hold a call: all but constants and (dotted) names, in source order."""
    try:
        return node._socrates_branches  # type: ignore[attr-defined,no-any-return]
    except AttributeError:
        pass
    found = tuple([child for child in children(node) if not _is_bare(child)])
    node._socrates_branches = found  # type: ignore[attr-defined]
    return found


def _is_bare(node: ast.AST) -> bool:
    kind = type(node)
    while kind is ast.Attribute:
        node = node.value  # type: ignore[attr-defined]
        kind = type(node)
    return kind is ast.Name or kind is ast.Constant


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, in source order."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if current.__class__ not in LEAVES:
            stack += children(current)[::-1]
