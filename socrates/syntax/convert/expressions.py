"""Names, operators, attributes, calls, subscripts: expressions that are not displays or strings."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler, Unconvertible
from socrates.syntax.convert.operators import BINARY, BOOLEAN, COMPARISON, UNARY

LOAD = ast.Load()
STORE = ast.Store()
DEL = ast.Del()
_SINGLETONS = {"None": None, "True": True, "False": False}


def identifier(cursor: Cursor, node: cst.CSTNode) -> str:
    """Go over a name and give it in the form in which Python compares names."""
    assert isinstance(node, cst.Name)
    text = node.value
    cursor.word(text)
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def dotted(cursor: Cursor, node: cst.CSTNode) -> str:
    """Go over a dotted name as imports have it."""
    if isinstance(node, cst.Attribute):
        head = dotted(cursor, node.value)
        cursor.take(b".")
        return f"{head}.{identifier(cursor, node.attr)}"
    return identifier(cursor, node)


def stored(expr: ast.expr, context: ast.expr_context = STORE) -> ast.expr:
    """The expression as a target; tuples, lists and stars hand it on to their elements."""
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (ast.Tuple, ast.List)):
            waiting += one.elts
        elif isinstance(one, ast.Starred):
            waiting.append(one.value)
        elif not isinstance(one, (ast.Name, ast.Attribute, ast.Subscript)):
            raise Unconvertible("cannot assign to that")
        one.ctx = context
    return expr


def _name(cursor: Cursor, node: cst.Name) -> ast.expr:
    start = cursor.next()
    text = identifier(cursor, node)
    if text in _SINGLETONS:
        return cursor.place(ast.Constant(_SINGLETONS[text], None), start)
    return cursor.place(ast.Name(text, LOAD), start)


def _attribute(cursor: Cursor, node: cst.Attribute) -> ast.expr:
    start = cursor.next()
    value = cursor.expression(node.value)
    cursor.take(b".")
    return cursor.place(ast.Attribute(value, identifier(cursor, node.attr), LOAD), start)


def _call(cursor: Cursor, node: cst.Call) -> ast.expr:
    start = cursor.next()
    function = cursor.expression(node.func)
    opened = cursor.take(b"(")
    positional, keywords = arguments(cursor, node.args)
    cursor.take(b")")
    if _is_bare_generator(node):
        cursor.place(positional[0], opened)
    return cursor.place(ast.Call(function, positional, keywords), start)


def _is_bare_generator(node: cst.Call) -> bool:
    """Whether the call's parentheses count as those of its only argument."""
    if len(node.args) != 1:
        return False
    value = node.args[0].value
    return isinstance(value, cst.GeneratorExp) and not value.lpar


def arguments(cursor: Cursor, nodes: Iterable[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call or the bases of a class."""
    positional: list[ast.expr] = []
    keywords: list[ast.keyword] = []
    for node in nodes:
        start = cursor.next()
        if node.star == "*":
            cursor.take(b"*")
            starred = ast.Starred(cursor.expression(node.value), LOAD)
            positional.append(cursor.place(starred, start))
        elif node.star == "**":
            cursor.take(b"**")
            keyword = ast.keyword(None, cursor.expression(node.value))
            keywords.append(cursor.place(keyword, start))
        elif node.keyword is not None:
            name = identifier(cursor, node.keyword)
            cursor.take(b"=")
            keyword = ast.keyword(name, cursor.expression(node.value))
            keywords.append(cursor.place(keyword, start))
        else:
            positional.append(cursor.expression(node.value))
    return positional, keywords


def _subscript(cursor: Cursor, node: cst.Subscript) -> ast.expr:
    start = cursor.next()
    value = cursor.expression(node.value)
    cursor.take(b"[")
    inner = _indices(cursor, node)
    cursor.take(b"]")
    return cursor.place(ast.Subscript(value, inner, LOAD), start)


def _indices(cursor: Cursor, node: cst.Subscript) -> ast.expr:
    first = cursor.next()
    found: list[ast.expr] = [cursor.other(element.slice) for element in node.slice]
    last = node.slice[-1]
    cursor.comma(last.comma)
    is_tuple = len(found) > 1 or isinstance(last.comma, cst.Comma)
    if is_tuple or isinstance(found[0], ast.Starred):
        return cursor.place(ast.Tuple(found, LOAD), first)
    return found[0]


def _index(cursor: Cursor, node: cst.Index) -> ast.expr:
    if node.star:
        start = cursor.take(b"*")
        return cursor.place(ast.Starred(cursor.expression(node.value), LOAD), start)
    return cursor.expression(node.value)


def _slice(cursor: Cursor, node: cst.Slice) -> ast.expr:
    start = cursor.next()
    lower = None if node.lower is None else cursor.expression(node.lower)
    cursor.take(b":")
    upper = None if node.upper is None else cursor.expression(node.upper)
    if isinstance(node.second_colon, cst.Colon):
        cursor.take(b":")
    step = None if node.step is None else cursor.expression(node.step)
    return cursor.place(ast.Slice(lower, upper, step), start)


def _binary(cursor: Cursor, node: cst.BinaryOperation) -> ast.expr:
    start = cursor.next()
    left = cursor.expression(node.left)
    operator, token = BINARY[type(node.operator)]
    cursor.take(token)
    return cursor.place(ast.BinOp(left, operator, cursor.expression(node.right)), start)


def _boolean(cursor: Cursor, node: cst.BooleanOperation) -> ast.expr:
    """``a and b and c`` is one node of ``ast`` and two of libcst."""
    start = cursor.next()
    operator, token = BOOLEAN[type(node.operator)]
    rights = [node.right]
    left = node.left
    while (
        isinstance(left, cst.BooleanOperation)
        and not left.lpar
        and type(left.operator) is type(node.operator)
    ):
        rights.append(left.right)
        left = left.left
    values = [cursor.expression(left)]
    for right in reversed(rights):
        cursor.take(token)
        values.append(cursor.expression(right))
    return cursor.place(ast.BoolOp(operator, values), start)


def _unary(cursor: Cursor, node: cst.UnaryOperation) -> ast.expr:
    operator, token = UNARY[type(node.operator)]
    start = cursor.take(token)
    return cursor.place(ast.UnaryOp(operator, cursor.expression(node.expression)), start)


def _comparison(cursor: Cursor, node: cst.Comparison) -> ast.expr:
    start = cursor.next()
    left = cursor.expression(node.left)
    operators: list[ast.cmpop] = []
    others: list[ast.expr] = []
    for target in node.comparisons:
        operator, tokens = COMPARISON[type(target.operator)]
        for token in tokens:
            cursor.take(token)
        operators.append(operator)
        others.append(cursor.expression(target.comparator))
    return cursor.place(ast.Compare(left, operators, others), start)


def _conditional(cursor: Cursor, node: cst.IfExp) -> ast.expr:
    start = cursor.next()
    body = cursor.expression(node.body)
    cursor.take(b"if")
    test = cursor.expression(node.test)
    cursor.take(b"else")
    return cursor.place(ast.IfExp(test, body, cursor.expression(node.orelse)), start)


def _named(cursor: Cursor, node: cst.NamedExpr) -> ast.expr:
    start = cursor.next()
    target = cursor.expression(node.target)
    if not isinstance(target, ast.Name):
        raise Unconvertible("cannot use assignment expressions with that")
    cursor.take(b":=")
    value = cursor.expression(node.value)
    target.ctx = STORE
    return cursor.place(ast.NamedExpr(target, value), start)


def _await(cursor: Cursor, node: cst.Await) -> ast.expr:
    start = cursor.take(b"await")
    return cursor.place(ast.Await(cursor.expression(node.expression)), start)


def _yield(cursor: Cursor, node: cst.Yield) -> ast.expr:
    start = cursor.take(b"yield")
    if isinstance(node.value, cst.From):
        cursor.take(b"from")
        return cursor.place(ast.YieldFrom(cursor.expression(node.value.item)), start)
    value = None if node.value is None else cursor.expression(node.value)
    return cursor.place(ast.Yield(value), start)


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.Index: _index,
    cst.Slice: _slice,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.UnaryOperation: _unary,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.NamedExpr: _named,
    cst.Await: _await,
    cst.Yield: _yield,
}
