"""Simple statements: those that fit on one line."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler, Unconvertible
from socrates.syntax.convert.displays import elements
from socrates.syntax.convert.expressions import DEL, STORE, dotted, identifier, stored
from socrates.syntax.convert.operators import AUGMENTED
from socrates.syntax.convert.parameters import type_parameters
from socrates.syntax.nodes import TypeAlias, with_field


def _expression(cursor: Cursor, node: cst.Expr) -> ast.stmt:
    start = cursor.next()
    return cursor.place(ast.Expr(cursor.expression(node.value)), start)


def _assign(cursor: Cursor, node: cst.Assign) -> ast.stmt:
    start = cursor.next()
    targets = []
    for target in node.targets:
        targets.append(stored(cursor.expression(target.target)))
        cursor.take(b"=")
    value = cursor.expression(node.value)
    return cursor.place(ast.Assign(targets, value, None), start)


def _augmented(cursor: Cursor, node: cst.AugAssign) -> ast.stmt:
    start = cursor.next()
    target = stored(cursor.expression(node.target))
    if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        raise Unconvertible("illegal expression for augmented assignment")
    operator, token = AUGMENTED[type(node.operator)]
    cursor.take(token)
    value = cursor.expression(node.value)
    return cursor.place(ast.AugAssign(target, operator, value), start)


def _annotated(cursor: Cursor, node: cst.AnnAssign) -> ast.stmt:
    start = cursor.next()
    target = stored(cursor.expression(node.target))
    if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        raise Unconvertible("only single target can be annotated")
    cursor.take(b":")
    annotation = cursor.expression(node.annotation.annotation)
    value = None
    if node.value is not None:
        cursor.take(b"=")
        value = cursor.expression(node.value)
    is_simple = isinstance(node.target, cst.Name) and not node.target.lpar
    return cursor.place(ast.AnnAssign(target, annotation, value, int(is_simple)), start)


def _return(cursor: Cursor, node: cst.Return) -> ast.stmt:
    start = cursor.take(b"return")
    value = None if node.value is None else cursor.expression(node.value)
    return cursor.place(ast.Return(value), start)


def _raise(cursor: Cursor, node: cst.Raise) -> ast.stmt:
    start = cursor.take(b"raise")
    error = None if node.exc is None else cursor.expression(node.exc)
    cause = None
    if node.cause is not None:
        cursor.take(b"from")
        cause = cursor.expression(node.cause.item)
    return cursor.place(ast.Raise(error, cause), start)


def _assert(cursor: Cursor, node: cst.Assert) -> ast.stmt:
    start = cursor.take(b"assert")
    test = cursor.expression(node.test)
    message = None if node.msg is None else cursor.expression(node.msg)
    return cursor.place(ast.Assert(test, message), start)


def _delete(cursor: Cursor, node: cst.Del) -> ast.stmt:
    """Targets without parentheses are no tuple; the statement ends with their last comma."""
    start = cursor.take(b"del")
    target = node.target
    if isinstance(target, cst.Tuple) and not target.lpar:
        targets = elements(cursor, target.elements)
        cursor.comma(target.elements[-1].comma)
    else:
        targets = [cursor.expression(target)]
    return cursor.place(ast.Delete([stored(one, DEL) for one in targets]), start)


def _import(cursor: Cursor, node: cst.Import) -> ast.stmt:
    start = _laziness(cursor, node)
    word = cursor.take(b"import")
    found = ast.Import(_aliases(cursor, node.names))
    return _maybe_lazy(cursor.place(found, word if start is None else start), start)


def _import_from(cursor: Cursor, node: cst.ImportFrom) -> ast.stmt:
    start = _laziness(cursor, node)
    word = cursor.take(b"from")
    for _ in node.relative:
        cursor.take(b".")
    module = None if node.module is None else dotted(cursor, node.module)
    cursor.take(b"import")
    if isinstance(node.names, cst.ImportStar):
        star = cursor.take(b"*")
        names = [cursor.place(ast.alias("*", None), star)]
    else:
        if node.lpar is not None:
            cursor.take(b"(")
        names = _aliases(cursor, node.names)
        if node.rpar is not None:
            cursor.take(b")")
    found = ast.ImportFrom(module, names, len(node.relative))
    return _maybe_lazy(cursor.place(found, word if start is None else start), start)


def _laziness(cursor: Cursor, node: cst.CSTNode) -> int | None:
    """Where ``lazy`` stands before an import (PEP 810)."""
    return cursor.take(b"lazy") if type(node).__name__.startswith("Lazy") else None


def _maybe_lazy(node: ast.stmt, lazy: int | None) -> ast.stmt:
    if lazy is not None or "is_lazy" in node._fields:
        with_field(node, "is_lazy", int(lazy is not None))
    return node


def _aliases(cursor: Cursor, nodes: Sequence[cst.ImportAlias]) -> list[ast.alias]:
    found = []
    for node in nodes:
        start = cursor.next()
        name = dotted(cursor, node.name)
        shown = None
        if node.asname is not None:
            cursor.take(b"as")
            shown = identifier(cursor, node.asname.name)
        found.append(cursor.place(ast.alias(name, shown), start))
    return found


def _global(cursor: Cursor, node: cst.Global) -> ast.stmt:
    start = cursor.take(b"global")
    names = [identifier(cursor, item.name) for item in node.names]
    return cursor.place(ast.Global(names), start)


def _nonlocal(cursor: Cursor, node: cst.Nonlocal) -> ast.stmt:
    start = cursor.take(b"nonlocal")
    names = [identifier(cursor, item.name) for item in node.names]
    return cursor.place(ast.Nonlocal(names), start)


def _type_alias(cursor: Cursor, node: cst.TypeAlias) -> ast.stmt:
    start = cursor.take(b"type")
    named = cursor.next()
    name = cursor.place(ast.Name(identifier(cursor, node.name), STORE), named)
    parameters = type_parameters(cursor, node.type_parameters)
    cursor.take(b"=")
    return cursor.place(TypeAlias(name, parameters, cursor.expression(node.value)), start)


def _word(token: bytes, kind: Callable[[], ast.stmt]) -> Handler:
    def handler(cursor: Cursor, node: cst.CSTNode) -> ast.stmt:
        start = cursor.take(token)
        return cursor.place(kind(), start)

    return handler


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AugAssign: _augmented,
    cst.AnnAssign: _annotated,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.TypeAlias: _type_alias,
    cst.Pass: _word(b"pass", ast.Pass),
    cst.Break: _word(b"break", ast.Break),
    cst.Continue: _word(b"continue", ast.Continue),
}
if hasattr(cst, "LazyImport"):  # since libcst 1.9
    HANDLERS[cst.LazyImport] = _import
    HANDLERS[cst.LazyImportFrom] = _import_from
