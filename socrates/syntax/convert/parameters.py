"""Parameters of functions and lambdas, and type parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import libcst as cst

from socrates.syntax.convert.cursor import Cursor, Handler
from socrates.syntax.convert.expressions import LOAD, identifier
from socrates.syntax.nodes import ParamSpec, TypeParam, TypeVar, TypeVarTuple, with_field


def parameters(cursor: Cursor, node: cst.Parameters) -> ast.arguments:
    """All parameters of a function, with defaults as ``ast`` keeps them."""
    defaults: list[ast.expr] = []
    positional = _named(cursor, node.posonly_params, defaults)
    if isinstance(node.posonly_ind, cst.ParamSlash):
        cursor.take(b"/")
    usual = _named(cursor, node.params, defaults)
    starred = None
    if isinstance(node.star_arg, cst.Param):
        cursor.take(b"*")
        starred = _parameter(cursor, node.star_arg)
    elif isinstance(node.star_arg, cst.ParamStar):
        cursor.take(b"*")
    keyword_only: list[ast.arg] = []
    keyword_defaults: list[ast.expr | None] = []
    for parameter in node.kwonly_params:
        keyword_only.append(_parameter(cursor, parameter))
        keyword_defaults.append(_default(cursor, parameter))
    double = None
    if node.star_kwarg is not None:
        cursor.take(b"**")
        double = _parameter(cursor, node.star_kwarg)
    return ast.arguments(
        positional, usual, starred, keyword_only, keyword_defaults, double, defaults
    )


def _named(cursor: Cursor, nodes: Sequence[cst.Param], defaults: list[ast.expr]) -> list[ast.arg]:
    found = []
    for node in nodes:
        found.append(_parameter(cursor, node))
        default = _default(cursor, node)
        if default is not None:
            defaults.append(default)
    return found


def _parameter(cursor: Cursor, node: cst.Param) -> ast.arg:
    start = cursor.next()
    name = identifier(cursor, node.name)
    annotation = None
    if node.annotation is not None:
        cursor.take(b":")
        annotation = cursor.expression(node.annotation.annotation)
    return cursor.place(ast.arg(name, annotation, None), start)


def _default(cursor: Cursor, node: cst.Param) -> ast.expr | None:
    if node.default is None:
        return None
    cursor.take(b"=")
    return cursor.expression(node.default)


def _lambda(cursor: Cursor, node: cst.Lambda) -> ast.expr:
    start = cursor.take(b"lambda")
    arguments = parameters(cursor, node.params)
    cursor.take(b":")
    return cursor.place(ast.Lambda(arguments, cursor.expression(node.body)), start)


def type_parameters(cursor: Cursor, node: cst.TypeParameters | None) -> list[TypeParam]:
    """What stands in brackets after the name of a function, class or type."""
    if node is None:
        return []
    cursor.take(b"[")
    found = [_type_parameter(cursor, part) for part in node.params]
    cursor.take(b"]")
    return found


def _type_parameter(cursor: Cursor, node: cst.TypeParam) -> TypeParam:
    start = cursor.next()
    made: Any
    if isinstance(node.param, cst.TypeVarTuple):
        cursor.take(b"*")
        made = TypeVarTuple(identifier(cursor, node.param.name))
    elif isinstance(node.param, cst.ParamSpec):
        cursor.take(b"**")
        made = ParamSpec(identifier(cursor, node.param.name))
    else:
        name = identifier(cursor, node.param.name)
        bound = None
        if node.param.bound is not None:
            cursor.take(b":")
            bound = cursor.expression(node.param.bound)
        made = TypeVar(name, bound)
    _set_default(cursor, node, made)
    return cursor.place(made, start)  # type: ignore[no-any-return]


def _set_default(cursor: Cursor, node: cst.TypeParam, made: TypeParam) -> None:
    """``= default`` of PEP 696, which the types of Python 3.12 have no field for."""
    default: ast.expr | None = None
    if node.default is not None:
        cursor.take(b"=")
        if node.star:
            star = cursor.take(b"*")
            default = cursor.place(ast.Starred(cursor.expression(node.default), LOAD), star)
        else:
            default = cursor.expression(node.default)
    if default is not None or "default_value" in made._fields:
        with_field(made, "default_value", default)


HANDLERS: dict[type[cst.CSTNode], Handler] = {cst.Lambda: _lambda}
