"""``match`` statements and their patterns."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from socrates.syntax.convert.compound import block
from socrates.syntax.convert.cursor import Cursor, Handler
from socrates.syntax.convert.expressions import identifier


def _match(cursor: Cursor, node: cst.Match) -> ast.stmt:
    start = cursor.take(b"match")
    subject = cursor.expression(node.subject)
    cursor.take(b":")
    cases = [_case(cursor, case) for case in node.cases]
    return cursor.place(ast.Match(subject, cases), start)


def _case(cursor: Cursor, node: cst.MatchCase) -> ast.match_case:
    cursor.take(b"case")
    pattern = _pattern(cursor, node.pattern)
    guard = None
    if node.guard is not None:
        cursor.take(b"if")
        guard = cursor.expression(node.guard)
    return ast.match_case(pattern, guard, block(cursor, node.body))


def _pattern(cursor: Cursor, node: cst.CSTNode) -> ast.pattern:
    """A pattern, without the parentheses around it; those of values are on the value."""
    if isinstance(node, (cst.MatchValue, cst.MatchSingleton, cst.MatchStar)):
        return cursor.other(node)  # type: ignore[no-any-return]
    return cursor.expression(node)  # type: ignore[return-value]  # goes over the parentheses


def _value(cursor: Cursor, node: cst.MatchValue) -> ast.pattern:
    value = cursor.expression(node.value)
    return ast.copy_location(ast.MatchValue(value), value)


def _singleton(cursor: Cursor, node: cst.MatchSingleton) -> ast.pattern:
    value = cursor.expression(node.value)
    assert isinstance(value, ast.Constant)
    assert value.value is None or isinstance(value.value, bool)
    return ast.copy_location(ast.MatchSingleton(value.value), value)


def _star(cursor: Cursor, node: cst.MatchStar) -> ast.pattern:
    start = cursor.take(b"*")
    if node.name is None:
        cursor.take(b"_")
        return cursor.place(ast.MatchStar(None), start)
    return cursor.place(ast.MatchStar(identifier(cursor, node.name)), start)


def _elements(cursor: Cursor, nodes: Sequence[cst.CSTNode]) -> list[ast.pattern]:
    return [
        _pattern(cursor, node.value if isinstance(node, cst.MatchSequenceElement) else node)
        for node in nodes
    ]


def _list(cursor: Cursor, node: cst.MatchList) -> ast.pattern:
    """A sequence in brackets or in nothing; the latter ends with its last comma."""
    start = cursor.next()
    if node.lbracket is not None:
        cursor.take(b"[")
    found = _elements(cursor, node.patterns)
    if node.rbracket is not None:
        cursor.take(b"]")
    else:
        cursor.comma(node.patterns[-1].comma)
    return cursor.place(ast.MatchSequence(found), start)


def _tuple(cursor: Cursor, node: cst.MatchTuple) -> ast.pattern:
    start = cursor.take(b"(")
    found = _elements(cursor, node.patterns)
    cursor.take(b")")
    return cursor.place(ast.MatchSequence(found), start)


def _mapping(cursor: Cursor, node: cst.MatchMapping) -> ast.pattern:
    start = cursor.take(b"{")
    keys: list[ast.expr] = []
    patterns: list[ast.pattern] = []
    for element in node.elements:
        keys.append(cursor.expression(element.key))
        cursor.take(b":")
        patterns.append(_pattern(cursor, element.pattern))
    rest = None
    if node.rest is not None:
        cursor.take(b"**")
        rest = identifier(cursor, node.rest)
    cursor.take(b"}")
    return cursor.place(ast.MatchMapping(keys, patterns, rest), start)


def _class(cursor: Cursor, node: cst.MatchClass) -> ast.pattern:
    start = cursor.next()
    kind = cursor.expression(node.cls)
    cursor.take(b"(")
    patterns = _elements(cursor, node.patterns)
    names: list[str] = []
    named: list[ast.pattern] = []
    for element in node.kwds:
        names.append(identifier(cursor, element.key))
        cursor.take(b"=")
        named.append(_pattern(cursor, element.pattern))
    cursor.take(b")")
    return cursor.place(ast.MatchClass(kind, patterns, names, named), start)


def _as(cursor: Cursor, node: cst.MatchAs) -> ast.pattern:
    start = cursor.next()
    pattern = None
    if node.pattern is not None:
        pattern = _pattern(cursor, node.pattern)
        cursor.take(b"as")
    if node.name is None:
        cursor.take(b"_")
        return cursor.place(ast.MatchAs(None, None), start)
    return cursor.place(ast.MatchAs(pattern, identifier(cursor, node.name)), start)


def _or(cursor: Cursor, node: cst.MatchOr) -> ast.pattern:
    start = cursor.next()
    found: list[ast.pattern] = []
    for element in node.patterns:
        if found:
            cursor.take(b"|")
        found.append(_pattern(cursor, element.pattern))
    return cursor.place(ast.MatchOr(found), start)


HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.Match: _match,
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
    cst.MatchStar: _star,
    cst.MatchList: _list,
    cst.MatchTuple: _tuple,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
    cst.MatchAs: _as,
    cst.MatchOr: _or,
}
