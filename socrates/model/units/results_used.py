"""What a test does with what a production call returned, or with the unit by an operator.

A call whose result is acted on before the next assertion was only set-up for that.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from socrates.model.python.infer import Inference
from socrates.model.python.names import Scope, walk_function
from socrates.model.python.values import Builtin, Instance
from socrates.model.units.members import MemberFinder
from socrates.model.units.phases import Further, Step
from socrates.syntax.unparse import unparse

_READERS = frozenset(
    "get pop split rsplit splitlines strip lstrip rstrip decode encode startswith endswith index "
    "count find rfind read readline readlines partition rpartition replace group groups".split()
)

_SAME = frozenset({"assertEqual", "assertEquals", "assertIs"})


def acts_by_operator(
    statement: ast.stmt, scope: Scope, members: MemberFinder, results: set[str]
) -> Iterator[Further]:
    """Objects that a statement acts on by an operator or a builtin, and not by a method."""
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


def acts_on_result(
    call: ast.Call,
    scope: Scope,
    inference: Inference,
    made: Mapping[int, Step],
    results: set[str],
    *,
    alone: bool,
    asserted: bool,
) -> Further | None:
    """A method that is called on what a production call returned, unless it only reads."""
    if not isinstance(call.func, ast.Attribute):
        return None
    base = plain(call.func.value)
    while alone and isinstance(base, ast.Attribute):
        base = plain(base.value)  # ``made().parts.append(x)`` does something to what was made
    by_name = isinstance(base, ast.Name) and base.id in results
    if not by_name and id(base) not in made:
        return None
    if _is_reading(call, base, scope, inference, alone=alone, asserted=asserted):
        return None
    return Further(base.id, scope) if isinstance(base, ast.Name) else Further(made_by=base)


def compares_results(
    node: ast.Compare,
    scope: Scope,
    inference: Inference,
    made: Mapping[int, Step],
    results: set[str],
) -> Iterator[Further]:
    """Objects that production calls returned and an operator compares: it is what is tested."""
    sides = [plain(node.left), *(plain(part) for part in node.comparators)]
    ordered = any(isinstance(op, (ast.Lt, ast.Gt, ast.LtE, ast.GtE)) for op in node.ops)
    both = all(id(side) in made for side in sides)
    same = both and len({made[id(side)].member.name for side in sides}) == 1
    if ordered or same:
        yield from operated_on(sides, scope, inference, made, results)


def operated_on(
    operands: Sequence[ast.expr],
    scope: Scope,
    inference: Inference,
    made: Mapping[int, Step],
    results: set[str],
) -> Iterator[Further]:
    """Objects that production calls returned and an operator is applied to: ``turn(45) @ point``."""
    for operand in map(plain, operands):
        is_result = id(operand) in made
        if is_result or (isinstance(operand, ast.Name) and operand.id in results):
            if isinstance(inference.infer(operand, scope), Instance):
                yield (
                    Further(made_by=operand)
                    if is_result
                    else Further(getattr(operand, "id", ""), scope)
                )


def _acted_on(
    expr: ast.expr, scope: Scope, members: MemberFinder, results: set[str]
) -> Iterator[Further]:
    if isinstance(expr, ast.Name) and expr.id in results:
        yield Further(expr.id, scope)
    elif isinstance(expr, (ast.Name, ast.Attribute)) and members.is_of_unit(expr, scope):
        yield Further()


def _is_reading(
    call: ast.Call,
    base: ast.expr,
    scope: Scope,
    inference: Inference,
    *,
    alone: bool,
    asserted: bool,
) -> bool:
    """Whether a method only hands out what is in the object; a list that is sorted is as it was."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr.startswith(("assert", "expect")):
        return True
    if alone:
        return call.func.attr == "sort" and not isinstance(inference.infer(base, scope), Instance)
    if not call.args and all("timeout" in (k.arg or "") for k in call.keywords):
        return True
    value = inference.infer(base, scope)
    if isinstance(value, Builtin) or call.func.attr in _READERS:
        return True
    return asserted and not isinstance(value, Instance)


def plain(expr: ast.expr) -> ast.expr:
    """What is awaited, or the expression itself."""
    while isinstance(expr, ast.Await):
        expr = expr.value
    return expr


def is_compared_whole(call: ast.Call, bound: frozenset[str], function: ast.AST) -> bool:
    """Whether all that a test does with a call's result is to compare it, with no other of its kind.

    Then an alternative constructor is what is tested: ``assertEqual(Curve.from_der(data), P256)``. In
    ``curve = Curve.from_der(data)``, ``assertEqual(curve.order, 7)`` it only makes the object.
    """
    nodes = list(walk_function(function))
    reads = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    makers = {t.id: n.value for n in nodes if isinstance(n, ast.Assign) for t in _targets(n)}
    asked = {_asked(node) for node in nodes if isinstance(node, ast.Call)}
    whole = 0
    for pair in (pair for node in nodes for pair in _compared(node)):
        for side, other in (pair, pair[::-1]):
            if side is not call and not (isinstance(side, ast.Name) and side.id in bound):
                continue
            whole += 1
            made = makers.get(other.id) if isinstance(other, ast.Name) else other
            if _asked(made) == _asked(call) and unparse(other) not in asked:
                return False  # one of two that were made alike is what the other should be
    return whole > 0 and whole >= sum(reads[name] for name in bound)


def _compared(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The operands of ``==`` or ``is``, and of an assertion that they are the same."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            yield plain(left), plain(right)
        case ast.Call(func=ast.Attribute(attr=name), args=[left, right, *_]) if name in _SAME:
            yield plain(left), plain(right)


def _targets(statement: ast.Assign) -> Iterator[ast.Name]:
    return (target for target in statement.targets if isinstance(target, ast.Name))


def _asked(expr: ast.expr | None) -> str:
    """The class that a call of a method asks: ``Curve`` in ``Curve.from_der(data)``."""
    match plain(expr) if expr is not None else None:
        case ast.Call(func=ast.Attribute(value=base)):
            return unparse(base)
    return ""
