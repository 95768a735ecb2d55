"""Whether a condition has values that a red run would have to show.

``assertTrue(order.is_open)`` says on its own line what is false. ``assertTrue(total == 3)`` keeps to
itself what ``total`` was.
"""

from __future__ import annotations

import ast

from socrates.model.suite.assertions import Assertion

_COMPARES = frozenset(
    "isinstance issubclass all any startswith endswith match search fullmatch fnmatch "
    "fnmatchcase issubset issuperset isdisjoint isclose allclose array_equal equals".split()
)


def hides_values(assertion: Assertion) -> bool:
    """Whether an opaque assertion compares, joins or quantifies what its failure does not show."""
    node = assertion.node
    if isinstance(node, ast.Assert):
        return _has_operands(node.test)
    return bool(node.args) and _has_operands(node.args[0])


def _has_operands(condition: ast.expr) -> bool:
    match condition:
        case ast.Compare() | ast.BoolOp() | ast.BinOp():
            return True
        case ast.UnaryOp(operand=inner) | ast.Await(value=inner) | ast.NamedExpr(value=inner):
            return _has_operands(inner)
        case ast.Call(func=func, args=arguments):
            name = getattr(func, "attr", getattr(func, "id", ""))
            if name == "bool" and arguments:
                return _has_operands(arguments[0])
            return name in _COMPARES
    return False
