"""Compound statements: those that hold other statements."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler
from socrates.syntax.convert.expressions import arguments, identifier, stored
from socrates.syntax.convert.parameters import parameters, type_parameters
from socrates.syntax.nodes import with_field


def block(cursor: Cursor, node: cst.BaseSuite) -> list[ast.stmt]:
    """``:`` and the statements after it."""
    cursor.take(b":")
    if isinstance(node, cst.IndentedBlock):
        return statements(cursor, node)
    assert isinstance(node, cst.SimpleStatementSuite)
    found: list[ast.stmt] = []
    _line(cursor, node, found)
    return found


def statements(cursor: Cursor, node: cst.IndentedBlock | cst.Module) -> list[ast.stmt]:
    """The statements of a block or module."""
    found: list[ast.stmt] = []
    for statement in node.body:
        if isinstance(statement, cst.SimpleStatementLine):
            _line(cursor, statement, found)
        else:
            found.append(cursor.other(statement))
    return found


def _line(
    cursor: Cursor, node: cst.SimpleStatementLine | cst.SimpleStatementSuite, found: list[ast.stmt]
) -> None:
    for statement in node.body:
        found.append(cursor.other(statement))
        cursor.semicolon(statement.semicolon)


def _function(cursor: Cursor, node: cst.FunctionDef) -> ast.stmt:
    decorators = _decorators(cursor, node)
    start = cursor.next()
    if node.asynchronous is not None:
        cursor.take(b"async")
    cursor.take(b"def")
    name = identifier(cursor, node.name)
    type_params = type_parameters(cursor, node.type_parameters)
    cursor.take(b"(")
    given = parameters(cursor, node.params)
    cursor.take(b")")
    returns = None
    if node.returns is not None:
        cursor.take(b"->")
        returns = cursor.expression(node.returns.annotation)
    body = block(cursor, node.body)
    kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    found = kind(name, given, body, decorators, returns, None)
    return cursor.place(_with_type_params(found, type_params), start)


def _class(cursor: Cursor, node: cst.ClassDef) -> ast.stmt:
    decorators = _decorators(cursor, node)
    start = cursor.take(b"class")
    name = identifier(cursor, node.name)
    type_params = type_parameters(cursor, node.type_parameters)
    has_parentheses = isinstance(node.lpar, cst.LeftParen)
    if has_parentheses:
        cursor.take(b"(")
    bases, keywords = arguments(cursor, (*node.bases, *node.keywords))
    if has_parentheses:
        cursor.take(b")")
    body = block(cursor, node.body)
    found = ast.ClassDef(name, bases, keywords, body, decorators)
    return cursor.place(_with_type_params(found, type_params), start)


def _with_type_params(node: ast.stmt, type_params: list[Any]) -> ast.stmt:
    """Type parameters go where the running Python has them, or onto the node if it has no field."""
    if type_params or "type_params" in node._fields:
        with_field(node, "type_params", type_params)
    return node


def _decorators(cursor: Cursor, node: cst.FunctionDef | cst.ClassDef) -> list[ast.expr]:
    found = []
    for decorator in node.decorators:
        cursor.take(b"@")
        found.append(cursor.expression(decorator.decorator))
    return found


def _if(cursor: Cursor, node: cst.If) -> ast.stmt:
    """A chain of ``elif`` is one node in the other; all end where the last one ends."""
    chain: list[tuple[ast.If, int]] = []
    current: cst.If | cst.Else | None = node
    word = b"if"
    while isinstance(current, cst.If):
        start = cursor.take(word)
        test = cursor.expression(current.test)
        made = ast.If(test, block(cursor, current.body), [])
        if chain:
            chain[-1][0].orelse = [made]
        chain.append((made, start))
        current, word = current.orelse, b"elif"
    chain[-1][0].orelse = _else(cursor, current)
    for made, start in chain:
        cursor.place(made, start)
    return chain[0][0]


def _else(cursor: Cursor, node: cst.Else | None) -> list[ast.stmt]:
    if node is None:
        return []
    cursor.take(b"else")
    return block(cursor, node.body)


def _for(cursor: Cursor, node: cst.For) -> ast.stmt:
    start = cursor.next()
    if node.asynchronous is not None:
        cursor.take(b"async")
    cursor.take(b"for")
    target = stored(cursor.expression(node.target))
    cursor.take(b"in")
    source = cursor.expression(node.iter)
    body = block(cursor, node.body)
    orelse = _else(cursor, node.orelse)
    kind = ast.For if node.asynchronous is None else ast.AsyncFor
    return cursor.place(kind(target, source, body, orelse, None), start)


def _while(cursor: Cursor, node: cst.While) -> ast.stmt:
    start = cursor.take(b"while")
    test = cursor.expression(node.test)
    body = block(cursor, node.body)
    return cursor.place(ast.While(test, body, _else(cursor, node.orelse)), start)


def _with(cursor: Cursor, node: cst.With) -> ast.stmt:
    start = cursor.next()
    if node.asynchronous is not None:
        cursor.take(b"async")
    cursor.take(b"with")
    has_parentheses = isinstance(node.lpar, cst.LeftParen)
    if has_parentheses:
        cursor.take(b"(")
    items = [_with_item(cursor, item) for item in node.items]
    if has_parentheses:
        cursor.take(b")")
    body = block(cursor, node.body)
    kind = ast.With if node.asynchronous is None else ast.AsyncWith
    return cursor.place(kind(items, body, None), start)


def _with_item(cursor: Cursor, node: cst.WithItem) -> ast.withitem:
    value = cursor.expression(node.item)
    target = None
    if node.asname is not None:
        cursor.take(b"as")
        target = stored(cursor.expression(node.asname.name))
    return ast.withitem(value, target)


def _try(cursor: Cursor, node: cst.Try | cst.TryStar) -> ast.stmt:
    start = cursor.take(b"try")
    body = block(cursor, node.body)
    handlers: list[ast.ExceptHandler] = [
        _handler(cursor, handler, isinstance(node, cst.TryStar)) for handler in node.handlers
    ]
    orelse = _else(cursor, node.orelse)
    final: list[ast.stmt] = []
    if node.finalbody is not None:
        cursor.take(b"finally")
        final = block(cursor, node.finalbody.body)
    kind = ast.TryStar if isinstance(node, cst.TryStar) else ast.Try
    return cursor.place(kind(body, handlers, orelse, final), start)


def _handler(
    cursor: Cursor, node: cst.ExceptHandler | cst.ExceptStarHandler, is_star: bool
) -> ast.ExceptHandler:
    start = cursor.take(b"except")
    if is_star:
        cursor.take(b"*")
    kind = None if node.type is None else cursor.expression(node.type)
    name = None
    if node.name is not None:
        cursor.take(b"as")
        name = identifier(cursor, node.name.name)
    body = block(cursor, node.body)
    return cursor.place(ast.ExceptHandler(kind, name, body), start)


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
}
