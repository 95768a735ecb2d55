"""A test's own source, as statements: which one a line is of, what it reads, where that was bound."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import TypeVar

from socrates_amplify.record.source_trees import around, inside

_Statement = TypeVar("_Statement", bound=ast.stmt)

_BUILT_IN = frozenset(dir(builtins))


def definitions(function: ast.AST, name: str, before: int) -> list[ast.stmt]:
    """The statements that made ``name`` what it is: the last plain binding and changes after it."""
    found: list[ast.stmt] = []
    for statement in sorted(statements(function), key=lambda item: item.lineno):
        if statement.lineno >= before:
            break
        if name in _bound(statement):
            found = [statement]
        elif name in _changed(statement):
            found.append(statement)
    return found


def _bound(statement: ast.stmt) -> set[str]:
    targets: list[ast.expr | None] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.For, ast.AsyncFor)):
        targets = [statement.target]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in statement.items]
    names = {
        node.id
        for target in targets
        if target is not None
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    walrus = (node for node in header(statement) if isinstance(node, ast.NamedExpr))
    return names | {node.target.id for node in walrus}


def _changed(statement: ast.stmt) -> set[str]:
    """Names whose object a statement changes: ``x += 1``, ``x[k] = 1``, ``x.append(1)``."""
    changed: list[ast.expr] = []
    if isinstance(statement, ast.AugAssign):
        changed = [statement.target]
    elif isinstance(statement, ast.Assign):
        changed = [item for item in statement.targets if not isinstance(item, ast.Name)]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        changed = [statement.value.func]
    return {name for name in map(root_of, changed) if name}


def root_of(node: ast.expr) -> str:
    """The name that an attribute, or what stands in brackets, is read of; empty where it is no name."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def loaded(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id


def header(statement: ast.stmt) -> Iterator[ast.AST]:
    """All nodes of a statement without those of the statements inside it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (ast.stmt, ast.ExceptHandler))
        ]


def statements(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function without those of functions inside it."""
    for child in inside(function):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from statements(child)


def covers(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", 0)
    return bool(first <= line <= (getattr(node, "end_lineno", None) or first))


def innermost(module: ast.Module, line: int, *kinds: type[_Statement]) -> _Statement | None:
    found = [node for node in around(module, line) if isinstance(node, kinds)]
    return min(found, key=_size, default=None)


def _size(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0) - getattr(node, "lineno", 0)


def sides_of(statement: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """What is compared with what, in an ``assert`` or by a method such as ``assertEqual``."""
    match statement:
        case ast.Assert(test=ast.Compare(left=first, comparators=[second])):
            return first, second
        case ast.Expr(value=ast.Call(args=[first, second, *_])):
            return first, second
    return None


def is_computed(side: ast.expr) -> bool:
    """Whether an expression counts, collects, adds up or converts what it is given."""
    if isinstance(side, ast.Call):
        return getattr(side.func, "id", "") in _BUILT_IN
    return isinstance(side, (ast.ListComp, ast.SetComp, ast.DictComp, ast.BinOp, ast.BoolOp))
