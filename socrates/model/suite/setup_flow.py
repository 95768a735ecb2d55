"""Which attributes set-up reads to build others: each is as used as what is built from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from socrates.model.python.module import FunctionNode, statements
from socrates.model.python.names import parameters, walk_function
from socrates.model.python.walk import children, walk

_Parts = dict[str, set[str]]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def feeds(node: FunctionNode, first: str) -> Iterator[tuple[str, str]]:
    """Pairs of an attribute that a set-up function reads, and one that it builds from it.

    ``first`` is what the function calls its object: ``self`` or ``cls``. Local names are followed.
    """
    known: _Parts = _names_of_attributes(node, first)
    for statement in statements(node.body):
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _put(target, value, first, known)
                yield from _shared(targets, first)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.AugAssign(target=target, value=value)
            ):
                yield from _put(target, value, first, known)
            case ast.For(target=target, iter=value):
                yield from _put(target, value, first, known)
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield from _put(item.optional_vars, item.context_expr, first, known)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _defined(statement, first, known)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=base)) as call):
                for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                    yield from _put(base, argument, first, known)


def _names_of_attributes(node: FunctionNode, first: str) -> _Parts:
    """Local names of values that are attributes as well: ``self.till = till``, before or after their use."""
    found: _Parts = {}
    for statement in statements(node.body):
        if isinstance(statement, ast.Assign):
            targets = [one for one in statement.targets if isinstance(one, ast.Attribute)]
            own = {one.attr for one in targets if _is_own(one, first)}
            for one in (*statement.targets, statement.value) if own else ():
                if isinstance(one, ast.Name):
                    found[one.id] = found.get(one.id, set()) | own
    local = set(_bound(node)) if found else set()
    return {name: own for name, own in found.items() if name in local}


def _bound(node: FunctionNode) -> Iterator[str]:
    """The names that a function binds."""
    for part in walk_function(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield part.name


def read_later(node: FunctionNode, first: str) -> set[str]:
    """The attributes that functions inside a set-up function read, whenever they are called."""
    inner = [part for part in walk_function(node) if isinstance(part, _FUNCTIONS)]
    return {
        part.attr
        for function in inner
        for part in walk(function)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Load)
        and isinstance(part.value, ast.Name)
        and part.value.id == first
    }


def _shared(targets: Sequence[ast.expr], first: str) -> Iterator[tuple[str, str]]:
    """In ``self.shop.till = self.till = Till()``, the till is as used as the shop."""
    parts = [_start(target, first)[1] for target in targets if not _is_own(target, first)]
    for target in targets:
        if isinstance(target, ast.Attribute) and _is_own(target, first):
            yield from ((target.attr, part) for part in parts if part not in (None, target.attr))


def _is_own(target: ast.expr, first: str) -> bool:
    """Whether a target is an attribute of ``first`` itself."""
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == first
    )


def _put(target: ast.expr, value: ast.expr, first: str, known: _Parts) -> Iterator[tuple[str, str]]:
    """What follows from a value becoming, or becoming part of, a target."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _put(element, value, first, known)
        return
    read = _attributes(value, first, known)
    start, attribute = _start(target, first)
    if attribute is not None:
        yield from ((name, attribute) for name in sorted(read) if name != attribute)
    elif start is not None:
        for built in known.get(start, ()):
            yield from ((name, built) for name in sorted(read) if name != built)
        known[start] = known.get(start, set()) | read


def _start(target: ast.expr, first: str) -> tuple[str | None, str | None]:
    """The local name, or the attribute of ``first``, that a target belongs to."""
    attribute = None
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(target, ast.Attribute):
            attribute = target.attr
        target = target.func if isinstance(target, ast.Call) else target.value
    if not isinstance(target, ast.Name):
        return None, None
    return (None, attribute) if target.id == first else (target.id, None)


def _defined(
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, first: str, known: _Parts
) -> Iterator[tuple[str, str]]:
    """What follows from a class or function that set-up makes, and hands to ``@self.app.route(...)``."""
    read = _read_inside(node, first, known)
    known[node.name] = known.get(node.name, set()) | read
    for decorator in node.decorator_list:
        registry = _start(decorator, first)[1]
        if registry is not None:
            yield from ((name, registry) for name in sorted(read) if name != registry)


def _read_inside(node: ast.AST, first: str, known: _Parts) -> set[str]:
    """What a class or function that set-up makes reads; methods with a ``self`` of their own aside."""
    if isinstance(node, _FUNCTIONS) and first in {argument.arg for argument in parameters(node)}:
        return set()
    found = set(known.get(node.id, ())) if isinstance(node, ast.Name) else set()
    if isinstance(node, ast.Attribute) and _is_own(node, first):
        found |= {node.attr} if isinstance(node.ctx, ast.Load) else set()
    for child in children(node):
        found |= _read_inside(child, first, known)
    return found


def _attributes(value: ast.expr, first: str, known: _Parts) -> set[str]:
    """The attributes that an expression reads, also those behind local names."""
    found: set[str] = set()
    for node in walk(value):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == first:
                found.add(attr)
            case ast.Name(id=name):
                found |= known.get(name, set())
    return found
