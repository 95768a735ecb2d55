"""The shape of a function as written: what decorates it, what it returns, yields and keeps."""

from __future__ import annotations

import ast

from socrates.model.python.module import FunctionNode, statements
from socrates.model.python.names import walk_function
from socrates.model.python.walk import LEAVES, children
from socrates.syntax.unparse import unparse


def is_context_manager(node: FunctionNode) -> bool:
    """Whether ``contextlib`` makes a generator function a context manager."""
    return any(
        (isinstance(d, ast.Name) and d.id.endswith("contextmanager"))
        or (isinstance(d, ast.Attribute) and d.attr.endswith("contextmanager"))
        for d in node.decorator_list
    )


def is_fixture_like(node: FunctionNode) -> bool:
    """Whether a decorator has ``fixture`` in its name: close enough to look for assignments."""
    return any("fixture" in ast.dump(decorator) for decorator in node.decorator_list)


def is_property(node: FunctionNode) -> bool:
    """Whether a method is read like an attribute."""
    return any(
        (isinstance(d, ast.Name) and "property" in d.id)
        or (
            isinstance(d, ast.Attribute)
            and ("property" in d.attr or d.attr in ("setter", "getter"))
        )
        for d in node.decorator_list
    )


def is_static(node: FunctionNode) -> bool:
    """Whether a method has no ``self``."""
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)


def is_classmethod(node: FunctionNode | ast.Lambda | None) -> bool:
    """Whether a method gets the class."""
    if node is None or isinstance(node, ast.Lambda):
        return False
    return any(isinstance(d, ast.Name) and d.id == "classmethod" for d in node.decorator_list)


def returned(node: FunctionNode) -> list[ast.expr]:
    """The expressions that a function returns, nested functions aside."""
    return [
        statement.value
        for statement in statements(node.body)
        if isinstance(statement, ast.Return) and statement.value is not None
    ]


def made(node: FunctionNode) -> list[ast.expr]:
    """What a function returns; for what it gets out of a cache that it fills, what it puts there."""
    results = returned(node)
    caches = [_cache(result) for result in results]
    if not any(caches):
        return results
    put: dict[str, list[ast.expr]] = {}
    for statement in statements(node.body):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Subscript):
                    put.setdefault(unparse(target.value), []).append(statement.value)
        match getattr(statement, "value", None):
            case ast.Call(func=ast.Attribute(value=base, attr="setdefault"), args=[_, value]):
                put.setdefault(unparse(base), []).append(value)
    return [
        one
        for cache, result in zip(caches, results, strict=True)
        for one in put.get(cache, [result])
    ]


def _cache(expr: ast.expr) -> str:
    """The container that an expression reads one item of."""
    match expr:
        case (
            ast.Subscript(value=base)
            | ast.Call(func=ast.Attribute(value=base, attr="get" | "setdefault"))
        ):
            return unparse(base)
    return ""


def yielded(node: FunctionNode) -> list[ast.expr]:
    """The expressions that a generator yields, nested functions aside; kept with the function."""
    kept: list[ast.expr] | None = getattr(node, "_socrates_yielded", None)
    if kept is None:
        kept = node._socrates_yielded = _yielded(node)  # type: ignore[union-attr]
    return kept


def _yielded(node: FunctionNode) -> list[ast.expr]:
    found: list[ast.expr] = []
    stack: list[ast.AST] = list(reversed(node.body))
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(part, ast.Yield) and part.value is not None:
            found.append(part.value)
        if part.__class__ not in LEAVES:
            stack += children(part)[::-1]
    return found


LAMBDA = "<lambda>"


def as_function(node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as the function that it stands for; the same one whenever it is asked for."""
    kept: ast.FunctionDef | None = getattr(node, "_socrates_function", None)
    if kept is None:
        result = ast.copy_location(ast.Return(node.body), node.body)
        kept = ast.FunctionDef(LAMBDA, node.args, [result], [])
        ast.copy_location(kept, node)
        node._socrates_function = kept  # type: ignore[attr-defined]
    return kept


def self_assignments(node: FunctionNode) -> dict[str, list[ast.expr]]:
    """Attribute name to the values that a method assigns to ``self.NAME`` (or ``cls.NAME``)."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not arguments:
        return {}
    first = arguments[0].arg
    found: dict[str, list[ast.expr]] = {}
    for statement in statements(node.body):
        if isinstance(statement, ast.Assign):
            pairs = [(target, statement.value) for target in statement.targets]
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs = [(statement.target, statement.value)]
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            pairs = [(i.optional_vars, i.context_expr) for i in statement.items if i.optional_vars]
        else:
            continue
        for target, value in pairs:
            for name, part in _attribute_targets(target, value, first):
                found.setdefault(name, []).append(part)
    return found


def _attribute_targets(target: ast.expr, value: ast.expr, first: str) -> list[tuple[str, ast.expr]]:
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return [(target.attr, value)] if target.value.id == first else []
    if isinstance(target, (ast.Tuple, ast.List)):
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        same = len(parts) == len(target.elts)
        found: list[tuple[str, ast.expr]] = []
        for index, element in enumerate(target.elts):
            found += _attribute_targets(element, parts[index] if same else value, first)
        return found
    return []


def requested_params(expr: ast.Attribute, function: ast.AST | None) -> ast.expr | None:
    """The ``params`` of a fixture, for ``request.param`` in its body."""
    if expr.attr != "param" or not isinstance(expr.value, ast.Name) or expr.value.id != "request":
        return None
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call):
            for keyword in decorator.keywords:
                if keyword.arg == "params":
                    return keyword.value
    return None


def keyword_values(function: FunctionNode | ast.Lambda | None, name: str) -> list[ast.expr]:
    """The literal texts that the calls of a function pass by this keyword."""
    return [
        node.value
        for node in (walk_function(function) if function is not None else ())
        if isinstance(node, ast.keyword)
        and node.arg == name
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def default_of(arguments: ast.arguments, name: str) -> ast.expr | None:
    """What a parameter is when nothing is passed for it, or None when it has no default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    for argument, default in zip(with_default, arguments.defaults, strict=True):
        if argument.arg == name:
            return default
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if argument.arg == name:
            return value
    return None
