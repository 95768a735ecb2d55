"""Whether code does nothing but make its value, so that a fix may leave it out.

A list of what is known to have no effect, never a list of effects: whatever is not on it, or can't
be looked into, counts as an effect.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.values import ClassValue, FunctionValue
from socrates_rules.rewriting.bases import unknown_base
from socrates_rules.rewriting.bound_once import is_bound_once, is_replaced
from socrates_rules.rewriting.constants import is_small_sum, makes_a_constant

_EMPTY_OF = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "set", "tuple", "frozenset", "object")}
    | {f"builtins.{name}" for name in ("str", "int", "float", "bool", "bytes", "bytearray")}
    | {"io.StringIO", "io.BytesIO", "collections.OrderedDict", "collections.deque"}
    | {"collections.Counter", "unittest.mock.Mock", "unittest.mock.MagicMock"}
    | {"types.SimpleNamespace"}
)
"""Calls without arguments that make something new."""
_NAMED_PARTS = frozenset(
    {"builtins.dict", "types.SimpleNamespace", "collections.OrderedDict", "collections.Counter"}
)
_COLLECTIONS = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "tuple")} | {"collections.deque"}
)
_DATACLASS = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.dataclass", "attr.define", "attr.frozen"}
    | {"attrs.define", "attrs.frozen"}
)
_FIELDS = frozenset({"dataclasses.field", "attr.ib", "attrs.field", "attr.field"})
_HOOKS = frozenset(
    "__new__ __setattr__ __post_init__ __attrs_pre_init__ __attrs_post_init__ __del__ "
    "__getattribute__ __init_subclass__ __attrs_init__".split()
)
_NO_EFFECT_BASES = frozenset({"builtins.object", "object", "abc.ABC", "typing.Generic"})
_MAX_DEPTH = 4


def is_pure(expr: ast.expr, scope: Scope, file: FileContext, depth: int = 0) -> bool:
    """Whether evaluating an expression has no effect and does not fail. Unknown means no."""
    if depth > _MAX_DEPTH:
        return False
    match expr:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return _is_known(name, scope)
        case ast.Lambda(args=args):
            return _defaults_are_pure(args, scope, file, depth)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_pure(part, scope, file, depth) for part in parts)
        case ast.Dict(keys=keys, values=values):
            plain = all(isinstance(key, ast.Constant) for key in keys)
            return plain and all(is_pure(value, scope, file, depth) for value in values)
        case ast.Set(elts=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.UnaryOp() | ast.BinOp():
            return is_small_sum(expr)
        case ast.Call(func=func, args=args, keywords=keywords):
            if any(isinstance(arg, ast.Starred) for arg in args):
                return False
            if any(keyword.arg is None for keyword in keywords):
                return False
            values = [*args, *(keyword.value for keyword in keywords)]
            return all(is_pure(value, scope, file, depth) for value in values) and _call_is_pure(
                expr, dotted_name(func, scope) or "", scope, file, depth
            )
    return False


def makes_only_its_value(
    node: FunctionNode,
    scope: Scope,
    file: FileContext,
    depth: int = 0,
    folders: Collection[str] = (),
) -> bool:
    """Whether a function assigns pure values to names of its own and returns one, and no more.

    ``folders`` are parameters that hold a path: ``tmp_path / "name"`` has no effect.
    """
    if isinstance(node, ast.AsyncFunctionDef) or depth > _MAX_DEPTH:
        return False
    if not _defaults_are_pure(node.args, scope, file, depth):
        return False
    for statement in node.body:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None):
                continue
            case (
                ast.Return(value=ast.expr() as value)
                | ast.Assign(targets=[ast.Name()], value=value)
                | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
            ):
                if not _is_below(value, folders) and not is_pure(value, scope, file, depth):
                    return False
            case _:
                return False
    return True


def builds_only(cls: ClassInfo, file: FileContext, depth: int, *, of_literals: bool = True) -> bool:
    """Whether making an object of a class only fills in its attributes.

    Made ``of_literals``, it may copy a collection that it is given; else that may be an iterator,
    which the copy would use up.
    """
    mro = file.resolver.mro(cls)
    if unknown_base(cls, file, _NO_EFFECT_BASES):
        return False
    if any(owner.node.keywords or _HOOKS & owner.methods.keys() for owner in mro):
        return False
    if any(not is_bound_once(owner.name, owner.module) for owner in mro if owner.outer is None):
        return False
    for owner in mro:
        outer = Scope(owner.module)
        for decorator in owner.node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            if dotted_name(callee, outer) not in _DATACLASS:
                return False
        fields = owner.annotations if owner.node.decorator_list else {}
        if not all(_default_is_pure(owner.assigns.get(name), outer) for name in fields):
            return False
    defined_in, init = file.resolver.method(cls, "__init__")
    if defined_in is None or init is None:
        return True
    if init.decorator_list:
        return False
    scope = Scope(defined_in.module, init, cls, is_method=True)
    given = frozenset(a.arg for a in init.args.args[1:]) if of_literals else frozenset()
    given = given if all(_is_shown(default) for default in init.args.defaults) else frozenset()
    owners = (mro, given)
    return all(_fills_in(statement, init, scope, owners, file, depth) for statement in init.body)


def _is_known(name: str, scope: Scope) -> bool:
    if scope.lookup(name) is not None:
        return True
    module = scope.module
    known = (module.imports, module.functions, module.classes, module.assigns)
    return any(name in names for names in known) or hasattr(builtins, name)


def _is_below(value: ast.expr, folders: Collection[str]) -> bool:
    """``tmp_path / "a" / "b"``, which names a file and does not touch it."""
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        if not (isinstance(value.right, ast.Constant) and isinstance(value.right.value, str)):
            return False
        value = value.left
    return isinstance(value, ast.Name) and value.id in folders


def _defaults_are_pure(
    arguments: ast.arguments, scope: Scope, file: FileContext, depth: int
) -> bool:
    defaults = [*arguments.defaults, *(part for part in arguments.kw_defaults if part is not None)]
    return all(is_pure(default, scope, file, depth + 1) for default in defaults)


def _call_is_pure(call: ast.Call, dotted: str, scope: Scope, file: FileContext, depth: int) -> bool:
    if not call.args and not call.keywords and dotted in _EMPTY_OF:
        return True
    if not call.args and dotted in _NAMED_PARTS:
        return True
    if dotted in _COLLECTIONS and not call.keywords and len(call.args) == 1:
        shown = ast.Dict if dotted == "builtins.dict" else (ast.List, ast.Tuple, ast.Dict)
        return isinstance(call.args[0], shown) or _is_text(call.args[0], dotted)
    if makes_a_constant(dotted, call):
        return True
    called = file.infer(call.func, scope)
    if is_replaced(dotted.rpartition(".")[2], file):
        return False
    if isinstance(called, ClassValue):
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        literal = all(_is_shown(value) for value in values)
        builds = builds_only(called.cls, file, depth + 1, of_literals=literal)
        return builds and _fits_class(call, called.cls, file)
    if isinstance(called, FunctionValue) and called.owner is None:
        node = called.node
        if node.decorator_list or not is_bound_once(node.name, called.module):
            return False
        inner = file.inference.scope_of(called)
        return _fits(call, node.args) and makes_only_its_value(node, inner, file, depth + 1)
    return False


def _is_text(value: ast.expr, dotted: str) -> bool:
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return is_text and dotted != "builtins.dict"


def _fits_class(call: ast.Call, cls: ClassInfo, file: FileContext) -> bool:
    """Whether a call has the arguments that the class takes: else it fails."""
    defined_in, init = file.resolver.method(cls, "__init__")
    if defined_in is not None and init is not None:
        return _fits(call, init.args, skip=1)
    if not cls.node.decorator_list:
        return not call.args and not call.keywords
    if len(file.resolver.mro(cls)) > 1:
        return False
    names = list(cls.annotations)
    optional = [name for name in names if name in cls.assigns]
    given = {*names[: len(call.args)], *(keyword.arg or "" for keyword in call.keywords)}
    return (
        given <= set(names)
        and set(names) - set(optional) <= given
        and len(call.args) + len(call.keywords) == len(given)
    )


def _fits(call: ast.Call, arguments: ast.arguments, skip: int = 0) -> bool:
    if arguments.vararg is not None or arguments.kwarg is not None or arguments.posonlyargs:
        return False
    names = [argument.arg for argument in arguments.args][skip:]
    optional = names[len(names) - len(arguments.defaults) :] if arguments.defaults else []
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        names.append(argument.arg)
        optional += [argument.arg] if default is not None else []
    positional = len(arguments.args) - skip
    if len(call.args) > positional:
        return False
    given = {*names[: len(call.args)], *(keyword.arg or "" for keyword in call.keywords)}
    return (
        given <= set(names)
        and set(names) - set(optional) <= given
        and len(call.args) + len(call.keywords) == len(given)
    )


def _default_is_pure(value: ast.expr | None, scope: Scope) -> bool:
    """Whether the default of a field is plain: no descriptor, no factory of unknown effect."""
    if value is None or _is_shown(value):
        return True
    if not isinstance(value, ast.Call) or dotted_name(value.func, scope) not in _FIELDS:
        return False
    for keyword in value.keywords:
        if keyword.arg in ("default_factory", "factory"):
            if dotted_name(keyword.value, scope) not in _EMPTY_OF:
                return False
        elif not isinstance(keyword.value, ast.Constant):
            return False
    return not value.args


def _is_shown(value: ast.expr) -> bool:
    return isinstance(value, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set))


def _fills_in(
    statement: ast.stmt,
    init: FunctionNode,
    scope: Scope,
    owners: tuple[Sequence[ClassInfo], frozenset[str]],
    file: FileContext,
    depth: int,
) -> bool:
    mro, given = owners
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case (
            ast.Assign(targets=[target], value=value)
            | ast.AnnAssign(target=target, value=ast.expr() as value)
        ):
            name = _own_attribute(target, init)
            guarded = any(_may_be_descriptor(name, owner) for owner in mro)
            if not name or guarded:
                return False
            return _copies(value, given, scope) or is_pure(value, scope, file, depth)
    return False


def _copies(value: ast.expr, given: frozenset[str], scope: Scope) -> bool:
    """``list(items)`` of a parameter."""
    match value:
        case ast.Call(func=func, args=[ast.Name(id=name)], keywords=[]) if name in given:
            return dotted_name(func, scope) in _COLLECTIONS
    return False


def _may_be_descriptor(name: str, owner: ClassInfo) -> bool:
    if name in owner.methods or name in owner.inner:
        return True
    return name in owner.assigns and not _is_shown(owner.assigns[name])


def _own_attribute(target: ast.expr, init: FunctionNode) -> str:
    first = init.args.args[0].arg if init.args.args else ""
    match target:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == first:
            return attr
    return ""
