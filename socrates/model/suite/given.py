"""What a test gets for parameters that no fixture fills: defaults, and what its decorators pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, parameters
from socrates.model.python.shapes import default_of
from socrates.model.python.values import FunctionValue
from socrates.model.python.walk import children
from socrates.model.suite.collect import TestCase
from socrates.model.suite.helpers import is_helper_module


def given_names(test: TestCase) -> tuple[str, ...]:
    """All parameters of a test but ``self``, those with a default included."""
    names = [argument.arg for argument in parameters(test.node)]
    return tuple(names[1:] if test.scope.is_method else names)


def given(test: TestCase, name: str, inference: Inference) -> list[tuple[ast.expr, Scope]]:
    """The default of a parameter, or what decorators of the tests' own pass for it.

    Nothing of a name that is no parameter: a test may ask for a fixture by ``request``.
    """
    if name not in given_names(test):
        return []
    default = default_of(test.node.args, name)
    if default is not None:
        return [(default, inference.module_scope(test.scope.module))]
    return list(_passed(test, name, inference)) if not test.patched else []


def _passed(test: TestCase, name: str, inference: Inference) -> Iterator[tuple[ast.expr, Scope]]:
    """``async def wrapper(self): ...; await func(self, client)`` in a decorator of the test."""
    position = [argument.arg for argument in parameters(test.node)].index(name)
    for decorator in test.node.decorator_list:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        made = inference.infer(func, inference.module_scope(test.scope.module))
        if not isinstance(made, FunctionValue) or not is_helper_module(made.module):
            continue
        for call, there in _calls_of(made.node, inference.scope_of(made), test, frozenset()):
            if position < len(call.args):
                if not any(isinstance(one, ast.Starred) for one in call.args[: position + 1]):
                    yield call.args[position], there
            else:
                yield from ((k.value, there) for k in call.keywords if k.arg == name)


def _calls_of(
    function: FunctionNode, scope: Scope, test: TestCase, tests: frozenset[str]
) -> Iterator[tuple[ast.Call, Scope]]:
    """The calls, in functions inside a decorator, of the function that it decorates."""
    own = [argument.arg for argument in parameters(function)]
    if scope.parent is not None and own and own[0] == test.scope.self_name:
        scope.arguments[own[0]] = (_itself(test), test.scope)
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _calls_of(node, scope.inner(node), test, tests | set(own[:1]))
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in tests:
            yield node, scope
        stack += children(node)


def _itself(test: TestCase) -> ast.Name:
    """``self`` as a test would read it."""
    name = ast.Name(test.scope.self_name or "self", ast.Load())
    return ast.copy_location(name, test.node)
