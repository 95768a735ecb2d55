"""What a test does with what a production call returned, or with the unit by an operator.

A call whose result is acted on before the next assertion was only set-up for that.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

from socrates.model.python.infer import Inference
from socrates.model.python.names import Scope
from socrates.model.python.values import Builtin, Instance
from socrates.model.suite.members import MemberFinder
from socrates.model.suite.phases import Further, Step

_READERS = frozenset(
    "get pop split rsplit splitlines strip lstrip rstrip decode encode startswith endswith index "
    "count find rfind read readline readlines partition rpartition replace group groups".split()
)


def further_uses(
    statement: ast.stmt,
    scope: Scope,
    members: MemberFinder,
    made: Mapping[int, Step],
    results: set[str],
    *,
    asserts: bool,
) -> Iterator[Further]:
    """Methods that a statement calls on results, and operators by which it acts on objects."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    match statement:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ast.Subscript):
                    yield from _acted_on(target.value, scope, members, results)
        case ast.AugAssign(target=ast.Subscript(value=target)) | ast.AugAssign(target=target):
            yield from _acted_on(target, scope, members, results)
        case ast.Expr(value=ast.Subscript(value=target)):
            yield from _acted_on(target, scope, members, results)
        case ast.Expr(value=ast.BinOp(left=left, right=right)):
            yield from _acted_on(left, scope, members, results)
            yield from _acted_on(right, scope, members, results)
        case ast.Expr(value=ast.Compare(left=left)):
            yield from _acted_on(left, scope, members, results)
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[first, *_])):
            if hasattr(builtins, name):
                yield from _acted_on(first, scope, members, results)
    if results or made:
        yield from _methods(statement, scope, members.inference, made, results, asserts=asserts)


def compares_results(
    node: ast.Compare,
    scope: Scope,
    inference: Inference,
    made: Mapping[int, Step],
    results: set[str],
) -> Iterator[Further]:
    """Objects that production calls returned and an operator compares: it is what is tested."""
    sides = [_plain(node.left), *(_plain(part) for part in node.comparators)]
    ordered = any(isinstance(op, (ast.Lt, ast.Gt, ast.LtE, ast.GtE)) for op in node.ops)
    both = all(id(side) in made for side in sides)
    same = both and len({made[id(side)].member.name for side in sides}) == 1
    if not ordered and not same:
        return
    for side in sides:
        if isinstance(inference.infer(side, scope), Instance):
            if id(side) in made:
                yield Further(made_by=side)
            elif isinstance(side, ast.Name) and side.id in results:
                yield Further(side.id, scope)


def _acted_on(
    expr: ast.expr, scope: Scope, members: MemberFinder, results: set[str]
) -> Iterator[Further]:
    if isinstance(expr, ast.Name) and expr.id in results:
        yield Further(expr.id, scope)
    elif isinstance(expr, (ast.Name, ast.Attribute)) and members.is_of_unit(expr, scope):
        yield Further()


def _methods(
    statement: ast.stmt,
    scope: Scope,
    inference: Inference,
    made: Mapping[int, Step],
    results: set[str],
    *,
    asserts: bool,
) -> Iterator[Further]:
    """Calls of methods of results in one statement, what is inside its blocks aside."""
    alone = _plain(statement.value) if isinstance(statement, ast.Expr) else None
    stack: list[ast.AST] = [
        child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr)
    ]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Lambda):
            continue
        stack += ast.iter_child_nodes(node)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        base = _plain(node.func.value)
        is_result = id(base) in made or (isinstance(base, ast.Name) and base.id in results)
        if not is_result or id(node) in made:
            continue
        if _is_reading(node, base, scope, inference, alone=node is alone, asserted=asserts):
            continue
        if isinstance(base, ast.Name):
            yield Further(base.id, scope)
        else:
            yield Further(made_by=base)


def _is_reading(
    call: ast.Call,
    base: ast.expr,
    scope: Scope,
    inference: Inference,
    *,
    alone: bool,
    asserted: bool,
) -> bool:
    """Whether a method only hands out what is in the object."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr.startswith(("assert", "expect")):
        return True
    if alone:
        return False
    if not call.args and all("timeout" in (k.arg or "") for k in call.keywords):
        return True
    value = inference.infer(base, scope)
    if isinstance(value, Builtin) or call.func.attr in _READERS:
        return True
    return asserted and not isinstance(value, Instance)


def _plain(expr: ast.expr) -> ast.expr:
    while isinstance(expr, ast.Await):
        expr = expr.value
    return expr
