"""Helpers: functions of the test code that a test calls, followed with what the call passes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import ModuleInfo
from socrates.model.python.names import Scope, parameters
from socrates.model.python.project import Project
from socrates.model.python.results import bind, left_out
from socrates.model.python.shapes import LAMBDA
from socrates.model.python.values import FunctionValue

_MAX_DEPTH = 4
_TESTING_MODULES = frozenset({"testing", "_testing", "testutils", "test_utils", "testhelpers"})


@dataclass(frozen=True, slots=True)
class HelperCall:
    """A call of a helper, with the scope of the helper's body for this call."""

    call: ast.Call
    function: FunctionValue
    scope: Scope


def is_helper_module(module: ModuleInfo) -> bool:
    """Whether functions of this module are test helpers rather than production code."""
    return module.is_test or not _TESTING_MODULES.isdisjoint(module.name.split("."))


def resolve_helper(call: ast.Call, scope: Scope, inference: Inference) -> HelperCall | None:
    """The helper that a call runs; None for production code, others' code and nested functions."""
    key = ("helper", id(call))
    if key not in scope.memo:
        scope.memo[key] = (call, _resolve_helper(call, scope, inference))
    kept = scope.memo[key]
    assert isinstance(kept, tuple)
    return kept[1]  # type: ignore[no-any-return]


def _resolve_helper(call: ast.Call, scope: Scope, inference: Inference) -> HelperCall | None:
    func = call.func
    if isinstance(func, ast.Name):
        local = scope.lookup(func.id)
        if local is not None and any(b.kind == "function" for b in local[1]):
            return None
        if local is None and scope.module.is_builtin(func.id):
            return None
    elif isinstance(func, ast.Attribute) and not _may_be_helper(func, scope, inference):
        return None
    value = inference.infer(func, scope)
    if not isinstance(value, FunctionValue) or not is_helper_module(value.module):
        return None
    if value.node.name == LAMBDA and value.parent is not None:
        return None  # like a nested function, it counts where it is written
    inner = inference.scope_of(value)
    given = bind_arguments(call, value, inner, scope)
    inner.arguments.update(left_out(inference, value, given) | given)
    return HelperCall(call, value, inner)


def _may_be_helper(func: ast.Attribute, scope: Scope, inference: Inference) -> bool:
    """Whether test code in sight defines a function of this name: inferring every call is slow."""
    if isinstance(func.value, ast.Name) and func.value.id in ("self", "cls", scope.self_name):
        return True
    return func.attr in _helper_names(scope.module, inference)


def _helper_names(module: ModuleInfo, inference: Inference) -> frozenset[str]:
    """Names of functions and methods of a module, its conftests, and the test code they import."""
    key = str(module.path)
    kept = inference.helper_names.get(key)
    if kept is None:
        project = inference.resolver.project
        near = [module, *project.conftests(module.path)]
        imported = [other for one in near for other in _imported_helpers(one, project)]
        names = (node.name for one in (*near, *imported) for node in one.every_function)
        kept = inference.helper_names[key] = frozenset(names)
    return kept


def _imported_helpers(module: ModuleInfo, project: Project) -> Iterator[ModuleInfo]:
    seen: set[str] = set()
    for dotted in (*module.imports.values(), *module.star_imports, *module.submodules):
        for name in (dotted, dotted.rpartition(".")[0]):
            if not name or name in seen:
                continue
            seen.add(name)
            path = project.find(name, module.path)
            is_testing = not _TESTING_MODULES.isdisjoint(name.split("."))
            if path is not None and (is_testing or project.is_test_path(path)):
                info = project.load(path)
                if info is not None:
                    yield info


def bind_arguments(
    call: ast.Call, function: FunctionValue, inner: Scope, scope: Scope
) -> dict[str, tuple[ast.expr, Scope]]:
    """Parameter names to the expressions that a call passes for them."""
    names = parameters(function.node)
    return bind(call, names[1:] if inner.is_method else names, scope)
