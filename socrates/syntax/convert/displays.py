"""Tuples, lists, sets, dictionaries and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler, Unconvertible
from socrates.syntax.convert.expressions import LOAD, stored


def _starred(cursor: Cursor, node: cst.StarredElement) -> ast.expr:
    if node.lpar:
        raise Unconvertible("cannot use starred expression here")
    start = cursor.take(b"*")
    return cursor.place(ast.Starred(cursor.expression(node.value), LOAD), start)


def elements(cursor: Cursor, nodes: Sequence[cst.BaseElement]) -> list[ast.expr]:
    """Elements one after the other, with stars or without."""
    return [
        cursor.expression(node.value if isinstance(node, cst.Element) else node) for node in nodes
    ]


def _tuple(cursor: Cursor, node: cst.Tuple) -> ast.expr:
    """A tuple without parentheses ends with its last comma."""
    if node.lpar:
        start = cursor.take(b"(")
        found = elements(cursor, node.elements)
        cursor.take(b")")
    else:
        start = cursor.next()
        found = elements(cursor, node.elements)
        cursor.comma(node.elements[-1].comma)
    return cursor.place(ast.Tuple(found, LOAD), start)


def _list(cursor: Cursor, node: cst.List) -> ast.expr:
    start = cursor.take(b"[")
    found = elements(cursor, node.elements)
    cursor.take(b"]")
    return cursor.place(ast.List(found, LOAD), start)


def _set(cursor: Cursor, node: cst.Set) -> ast.expr:
    start = cursor.take(b"{")
    found = elements(cursor, node.elements)
    cursor.take(b"}")
    return cursor.place(ast.Set(found), start)


def _dict(cursor: Cursor, node: cst.Dict) -> ast.expr:
    start = cursor.take(b"{")
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            keys.append(cursor.expression(element.key))
            cursor.take(b":")
        else:
            keys.append(None)
            cursor.take(b"**")
        values.append(cursor.expression(element.value))
    cursor.take(b"}")
    return cursor.place(ast.Dict(keys, values), start)


def _list_comprehension(cursor: Cursor, node: cst.ListComp) -> ast.expr:
    start = cursor.take(b"[")
    found = ast.ListComp(cursor.expression(node.elt), _clauses(cursor, node.for_in))
    cursor.take(b"]")
    return cursor.place(found, start)


def _set_comprehension(cursor: Cursor, node: cst.SetComp) -> ast.expr:
    start = cursor.take(b"{")
    found = ast.SetComp(cursor.expression(node.elt), _clauses(cursor, node.for_in))
    cursor.take(b"}")
    return cursor.place(found, start)


def _generator(cursor: Cursor, node: cst.GeneratorExp) -> ast.expr:
    """A generator that is the only argument of a call has no parentheses: the call places it."""
    start = cursor.take(b"(") if node.lpar else cursor.next()
    found = ast.GeneratorExp(cursor.expression(node.elt), _clauses(cursor, node.for_in))
    if node.lpar:
        cursor.take(b")")
    return cursor.place(found, start)


def _dict_comprehension(cursor: Cursor, node: cst.DictComp) -> ast.expr:
    start = cursor.take(b"{")
    key = cursor.expression(node.key)
    cursor.take(b":")
    value = cursor.expression(node.value)
    found = ast.DictComp(key, value, _clauses(cursor, node.for_in))
    cursor.take(b"}")
    return cursor.place(found, start)


def _starred_dict_comprehension(cursor: Cursor, node: cst.CSTNode) -> ast.expr:
    """``{**one for one in many}`` of PEP 798."""
    start = cursor.take(b"{")
    cursor.take(b"**")
    value = cursor.expression(node.value)  # type: ignore[attr-defined]
    clauses = _clauses(cursor, node.for_in)  # type: ignore[attr-defined]
    cursor.take(b"}")
    return cursor.place(ast.DictComp(value, None, clauses), start)  # type: ignore[arg-type]


def _clauses(cursor: Cursor, node: cst.CompFor) -> list[ast.comprehension]:
    clauses: list[ast.comprehension] = []
    current: cst.CompFor | None = node
    while current is not None:
        if current.asynchronous is not None:
            cursor.take(b"async")
        cursor.take(b"for")
        target = stored(cursor.expression(current.target))
        cursor.take(b"in")
        source = cursor.expression(current.iter)
        conditions: list[ast.expr] = []
        for condition in current.ifs:
            cursor.take(b"if")
            conditions.append(cursor.expression(condition.test))
        is_async = int(current.asynchronous is not None)
        clauses.append(ast.comprehension(target, source, conditions, is_async))
        current = current.inner_for_in
    return clauses


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.StarredElement: _starred,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.ListComp: _list_comprehension,
    cst.SetComp: _set_comprehension,
    cst.GeneratorExp: _generator,
    cst.DictComp: _dict_comprehension,
}
if hasattr(cst, "StarredDictComp"):  # since libcst 1.9
    HANDLERS[cst.StarredDictComp] = _starred_dict_comprehension
