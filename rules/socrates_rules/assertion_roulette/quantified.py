"""``all`` and ``any`` as loops, which show the element that failed."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from socrates.classes.lazy import dataclass
from socrates.fix import NoFix
from socrates.model.python.names import Scope, dotted_name

_NEGATED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


@dataclass(frozen=True, slots=True)
class Loop:
    """``for target in values``, where ``each`` has to hold, or not to hold, each time."""

    comprehension: ast.GeneratorExp | ast.ListComp
    target: ast.expr
    values: ast.expr
    each: ast.expr
    holds: bool

    @property
    def parts(self) -> tuple[ast.expr, ...]:
        """Both sides of the condition, where it is a comparison that has to fail."""
        match self.each:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if not self.holds:
                return (left, right) if type(op) in _NEGATED else ()
        return ()


def loop_of(condition: ast.expr, holds: bool, scope: Scope) -> Loop:
    """``all(p(x) for x in xs)`` or ``not any(...)``. NoFix says why there is no loop for it."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return loop_of(operand, not holds, scope)
        case ast.Call(
            func=func, args=[ast.GeneratorExp() | ast.ListComp() as made], keywords=[]
        ) if dotted_name(func, scope) in ("builtins.all", "builtins.any"):
            needs_all = dotted_name(func, scope) == "builtins.all"
            if needs_all is not holds:
                raise NoFix("any one of them may fail: there is none to show")
            return _loop(made, holds)
    raise NoFix("nothing shows more of its condition")


def _loop(made: ast.GeneratorExp | ast.ListComp, holds: bool) -> Loop:
    only = made.generators[0]
    if len(made.generators) != 1 or only.ifs:
        raise NoFix("a loop for it would need another loop or a condition inside")
    if only.is_async or any(isinstance(n, (ast.Await, ast.NamedExpr)) for n in ast.walk(made)):
        raise NoFix("it waits or assigns inside")
    return Loop(made, only.target, only.iter, made.elt, holds)


def loop_text(each: str, loop: Loop, parts: Sequence[str]) -> str:
    """The condition of each round as code."""
    if loop.holds:
        return each
    if parts and isinstance(loop.each, ast.Compare):
        return f"{parts[0]} {_NEGATED[type(loop.each.ops[0])]} {parts[1]}"
    if isinstance(loop.each, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Compare)):
        return f"not {each}"
    return f"not ({each})"
