"""The production methods that a test calls on its unit, with the part that each call plays."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from socrates.model.assertions import Assertion, called_name
from socrates.model.collect import TestCase
from socrates.model.helpers import reached
from socrates.model.infer import Inference, is_property, returned
from socrates.model.module import FunctionNode, statements
from socrates.model.names import Scope, walk_function
from socrates.model.unit import Unit
from socrates.model.values import ClassValue, FunctionValue, Instance

_GETTER = re.compile(r"(get|is|has)(_|[A-Z]|$)|(to|as)_")
_GETTER_PREFIXES = ("get", "is", "has", "to_", "as_")
_CLEANUP = frozenset({"close", "stop", "shutdown", "join", "release", "disconnect"})
_PASSES_CALLABLE = re.compile(
    r"raises|warns|assertRaises|assertWarns|failUnlessRaises", re.IGNORECASE
)
_TRIVIAL_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "builtins.Exception"}
)


@dataclass(frozen=True, slots=True)
class ProductionCall:
    """One call of a public method (or function) of the unit.

    ``observes``: a getter inside an assertion, which looks at the effect of something else.
    ``cleans_up``: ``close`` and its kin. ``in_assertion``: it stands inside an assertion.
    """

    method: str
    node: ast.AST
    scope: Scope
    in_assertion: bool = False
    observes: bool = False
    cleans_up: bool = False
    in_helper: bool = False


def production_calls(
    test: TestCase, unit: Unit, assertions: list[Assertion], inference: Inference
) -> list[ProductionCall]:
    """All production calls of a test, in source order, helpers of its module included."""
    finder = _Finder(unit, inference)
    asserted = {id(node) for assertion in assertions for node in ast.walk(assertion.node)}
    found: list[ProductionCall] = []
    for scope in reached(test, inference):
        in_helper = scope is not test.scope
        if in_helper:
            asserted |= _asserted_in(scope)
        for node, method, definition in finder.calls(scope):
            in_assertion = id(node) in asserted and not _is_raises_argument(node, assertions)
            found.append(
                ProductionCall(
                    method,
                    node,
                    scope,
                    in_assertion,
                    observes=in_assertion and _only_returns_state(method, definition),
                    cleans_up=method.rpartition(".")[2] in _CLEANUP,
                    in_helper=in_helper,
                )
            )
    return found


def _asserted_in(scope: Scope) -> set[int]:
    if scope.function is None:
        return set()
    found: set[int] = set()
    for node in walk_function(scope.function):
        name = called_name(node) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Assert) or (name and name.lstrip("_").startswith("assert")):
            found.update(id(inner) for inner in ast.walk(node))
    return found


def _is_raises_argument(node: ast.AST, assertions: list[Assertion]) -> bool:
    """Whether a method is handed to ``raises`` to be called: that is acting, not observing."""
    return any(
        assertion.kind == "raises"
        and isinstance(assertion.node, ast.Call)
        and any(node is inner for arg in assertion.node.args for inner in ast.walk(arg))
        for assertion in assertions
    )


def _only_returns_state(method: str, definition: FunctionNode | None) -> bool:
    if method.startswith(_GETTER_PREFIXES) and _GETTER.match(method):
        return True
    if definition is None:
        return False
    body = [s for s in definition.body if not _is_docstring(s)]
    return (
        len(body) == 1
        and isinstance(body[0], ast.Return)
        and isinstance(body[0].value, ast.Attribute)
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Finder:
    """Recognises calls of the unit's public methods in one scope at a time."""

    def __init__(self, unit: Unit, inference: Inference) -> None:
        self.unit = unit
        self.inference = inference
        self.resolver = inference.resolver

    def calls(self, scope: Scope) -> Iterator[tuple[ast.AST, str, FunctionNode | None]]:
        """Calls in a function body: the node, the method's name and its definition."""
        if scope.function is None:
            return
        entered = _entered_managers(scope.function)
        for node, inner in _walk_scopes(scope):
            for callee in _callees(node):
                if id(node) in entered:
                    continue
                found = self._method(callee, inner)
                if found is not None:
                    yield node, found[0], found[1]

    def _method(self, callee: ast.expr, scope: Scope) -> tuple[str, FunctionNode | None] | None:
        name = callee.attr if isinstance(callee, ast.Attribute) else None
        if name is not None and name.startswith("_"):
            return None
        if self.unit.cls is None:
            return self._function(callee, scope)
        if not isinstance(callee, ast.Attribute) or name is None:
            return None
        base = self.inference.infer(callee.value, scope)
        if not isinstance(base, (Instance, ClassValue)) or not self._is_unit(base):
            return None
        owner, node = self.resolver.method(base.cls, name)
        if node is None or owner is None:
            return (name, None) if self._may_inherit(base, name) else None
        if owner.module.is_test or is_property(node) or self._builds_unit(base, node):
            return None
        return name, node

    def _function(self, callee: ast.expr, scope: Scope) -> tuple[str, FunctionNode | None] | None:
        value = self.inference.infer(callee, scope)
        if not isinstance(value, FunctionValue) or value.defined_in is not None:
            return None
        if value.module.path != self.unit.module.path or value.node.name.startswith("_"):
            return None
        if value.module.functions.get(value.node.name) is not value.node:
            return None
        return value.node.name, value.node

    def _is_unit(self, base: Instance | ClassValue) -> bool:
        assert self.unit.cls is not None
        return any(cls.node is self.unit.cls.node for cls in self.resolver.mro(base.cls))

    def _may_inherit(self, base: Instance | ClassValue, name: str) -> bool:
        """Whether a method that the project does not define comes from an external base."""
        if self.inference.member(base, name) is not None:
            return False
        external = set(self.resolver.external_bases(base.cls)) - _TRIVIAL_BASES
        return bool(external) and isinstance(base, Instance)

    def _builds_unit(self, base: Instance | ClassValue, node: FunctionNode) -> bool:
        """Whether calling a method on the class makes an object: an alternative constructor."""
        if not isinstance(base, ClassValue):
            return False
        owner, _ = self.resolver.method(base.cls, node.name)
        assert owner is not None
        value = FunctionValue(owner.module, node, base.cls, owner)
        result = self.inference.result(value)
        if isinstance(result, Instance) and self._is_unit(result):
            return True
        return any(
            isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "cls"
            for part in returned(node)
        )


def _walk_scopes(scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    """Every node of a function with the scope that its names belong to, in source order."""
    assert scope.function is not None
    body = scope.function.body
    stack: list[tuple[ast.AST, Scope]] = [
        (node, scope) for node in reversed(body if isinstance(body, list) else [body])
    ]
    while stack:
        node, current = stack.pop()
        yield node, current
        inner = current
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = current.inner(node)
        stack.extend((child, inner) for child in reversed(list(ast.iter_child_nodes(node))))


def _callees(node: ast.AST) -> Iterator[ast.expr]:
    """What a node calls: a call's function, a callable handed to ``raises``, a bare decorator."""
    if isinstance(node, ast.Call):
        yield node.func
        name = called_name(node) or ""
        if _PASSES_CALLABLE.search(name) and len(node.args) > 1:
            yield node.args[1]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from (d for d in node.decorator_list if not isinstance(d, ast.Call))


def _entered_managers(function: ast.AST) -> set[int]:
    """Calls that only enter a context manager: ``with unit.method():``."""
    return {
        id(item.context_expr)
        for node in walk_function(function)
        if isinstance(node, (ast.With, ast.AsyncWith))
        for item in node.items
    }


def is_own_statement(node: ast.AST, test: TestCase) -> bool:
    """Whether a node is an expression statement of the test: its result is not looked at."""
    return any(
        isinstance(statement, ast.Expr)
        and (
            statement.value is node
            or (isinstance(statement.value, ast.Await) and statement.value.value is node)
        )
        for statement in statements(test.node.body)
    )
