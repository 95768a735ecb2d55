"""Changes of functions that several fixes make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import libcst as cst


def requesting(
    function: cst.FunctionDef, names: Iterable[str], types: Mapping[str, str] | None = None
) -> cst.FunctionDef:
    """The function with more parameters, before those that have a default, with their types."""
    for name in names:
        param = cst.Param(cst.Name(name))
        if types and name in types:
            annotation = cst.Annotation(cst.parse_expression(types[name]))
            param = param.with_changes(annotation=annotation)
        function = _requesting(function, param)
    return function


def _requesting(function: cst.FunctionDef, param: cst.Param) -> cst.FunctionDef:
    params = list(function.params.params)
    place = next((i for i, p in enumerate(params) if p.default is not None), len(params))
    last = params[-1] if params else None
    if place == len(params) and last is not None and isinstance(last.comma, cst.Comma):
        between = cst.Comma(whitespace_after=function.whitespace_before_params)
        params[-1] = last.with_changes(comma=between)
        params.append(param.with_changes(comma=last.comma))
    else:
        params.insert(place, param)
    return function.with_changes(params=function.params.with_changes(params=params))


def block_of(function: cst.FunctionDef) -> cst.IndentedBlock:
    """The body as lines of its own, also where it stood behind the colon."""
    if isinstance(function.body, cst.IndentedBlock):
        return function.body
    lines = [
        cst.SimpleStatementLine([statement])
        for statement in function.body.body
        if isinstance(statement, cst.BaseSmallStatement)
    ]
    return cst.IndentedBlock(lines)


def without_docstring(
    lines: Sequence[cst.BaseStatement | cst.BaseSmallStatement],
) -> list[cst.BaseStatement]:
    """The statements of a body after its docstring."""
    found = [line for line in lines if isinstance(line, cst.BaseStatement)]
    if found and isinstance(found[0], cst.SimpleStatementLine):
        first = found[0].body[0]
        if isinstance(first, cst.Expr) and isinstance(
            first.value, (cst.SimpleString, cst.ConcatenatedString)
        ):
            return found[1:]
    return found


class _Uncommented(cst.CSTTransformer):
    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.RemovalSentinel:
        if isinstance(updated_node, cst.EmptyLine) and updated_node.comment is not None:
            return cst.RemoveFromParent()
        if isinstance(updated_node, cst.TrailingWhitespace) and updated_node.comment is not None:
            return updated_node.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        return updated_node


def without_comments(function: cst.FunctionDef) -> cst.FunctionDef:
    """A function without its comments: they stand somewhere else now."""
    changed = function.visit(_Uncommented())
    assert isinstance(changed, cst.FunctionDef)
    return changed
