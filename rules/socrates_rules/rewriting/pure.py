"""Whether evaluating an expression does nothing but make its value."""

from __future__ import annotations

import ast

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.values import ClassValue

PURE_CALLS = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "set", "tuple", "frozenset", "str", "int")}
    | {f"builtins.{name}" for name in ("float", "bool", "bytes", "bytearray", "object", "range")}
    | {"datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"}
    | {"decimal.Decimal", "fractions.Fraction", "uuid.UUID", "pathlib.Path", "pathlib.PurePath"}
    | {"io.StringIO", "io.BytesIO", "collections.OrderedDict", "collections.deque"}
    | {"collections.Counter", "collections.defaultdict", "unittest.mock.Mock"}
    | {"unittest.mock.MagicMock", "types.SimpleNamespace"}
)
_DATACLASS = ("dataclasses.dataclass", "attr.s", "attrs.define", "attrs.frozen", "attr.dataclass")
_MAX_DEPTH = 4


def is_pure(expr: ast.expr, scope: Scope, file: FileContext, depth: int = 0) -> bool:
    """Whether evaluating an expression has no effect, so that it can be left out. Unknown means no."""
    if depth > _MAX_DEPTH:
        return False
    match expr:
        case ast.Constant() | ast.Name() | ast.Lambda():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_pure(part, scope, file, depth) for part in parts)
        case ast.Dict(keys=keys, values=values):
            plain = all(isinstance(key, ast.Constant) for key in keys)
            return plain and all(is_pure(value, scope, file, depth) for value in values)
        case ast.Set(elts=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.UnaryOp(operand=operand):
            return isinstance(operand, ast.Constant)
        case ast.BinOp(left=left, right=right):
            return isinstance(left, ast.Constant) and isinstance(right, ast.Constant)
        case ast.Call(func=func, args=args, keywords=keywords):
            values = [*args, *(keyword.value for keyword in keywords)]
            if not all(is_pure(value, scope, file, depth) for value in values):
                return False
            if any(isinstance(arg, ast.Starred) for arg in args):
                return False
            if dotted_name(func, scope) in PURE_CALLS:
                return True
            called = file.infer(func, scope)
            return isinstance(called, ClassValue) and builds_only(called.cls, file, depth + 1)
    return False


def builds_only(cls: ClassInfo, file: FileContext, depth: int) -> bool:
    """Whether making an object of a class only fills in its attributes."""
    mro = file.resolver.mro(cls)
    if any(base not in ("builtins.object", "object") for base in file.resolver.external_bases(cls)):
        return False
    if any(owner.node.keywords for owner in mro):
        return False
    if any("__new__" in owner.methods or "__setattr__" in owner.methods for owner in mro):
        return False
    for owner in mro:
        for decorator in owner.node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            if dotted_name(callee, Scope(owner.module)) not in _DATACLASS:
                return False
    if any(
        name in owner.methods for owner in mro for name in ("__post_init__", "__attrs_post_init__")
    ):
        return False
    defined_in, init = file.resolver.method(cls, "__init__")
    if defined_in is None or init is None:
        return True
    scope = Scope(defined_in.module, init, cls, is_method=True)
    return all(_fills_in(statement, init, scope, file, depth) for statement in init.body)


def _fills_in(
    statement: ast.stmt, init: FunctionNode, scope: Scope, file: FileContext, depth: int
) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case (
            ast.Assign(targets=[target], value=value)
            | ast.AnnAssign(target=target, value=ast.expr() as value)
        ):
            return _is_own_attribute(target, init) and is_pure(value, scope, file, depth)
    return False


def _is_own_attribute(target: ast.expr, init: FunctionNode) -> bool:
    first = init.args.args[0].arg if init.args.args else ""
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == first
    )
