"""Code of a test that no run executes until somebody edits the file: it can miss nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from socrates.model.python.module import FunctionNode, ModuleInfo
from socrates.model.python.names import Scope
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase

Known = Callable[[str], bool | None]
"""What a name is, if it is always the same."""
_SKIPPED = frozenset({"pytest.mark.skip", "unittest.skip"})


def is_skipped(test: TestCase) -> bool:
    """Whether a test, its class or its module is skipped, whatever the machine has."""
    return any(name in _SKIPPED for name, _ in test.decorators)


def is_switched_off(node: ast.AST, scope: Scope, test: TestCase) -> bool:
    """Whether a node stands behind a constant of the module, or a parameter of a helper, that is false."""
    function = scope.function
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    module = test.module
    off = dict(_defaults(function, module)) if function is not test.node else {}

    def known(name: str) -> bool | None:
        match off.get(name) or module.assigns.get(name):
            case ast.Constant(value=bool(value)) if name in off or _is_assigned_once(name, module):
                return value
        return None

    return any(part is node for dead in _dead(function.body, known) for part in walk(dead))


def _dead(body: Iterable[ast.stmt], known: Known) -> Iterator[ast.stmt]:
    """Statements that are never reached, also those after ``if not MANUAL: return``."""
    left = False
    for statement in body:
        if left:
            yield statement
        elif isinstance(statement, ast.If):
            holds = _value(statement.test, known)
            if holds is None:
                yield from _dead(statement.body, known)
                yield from _dead(statement.orelse, known)
            else:
                yield from statement.orelse if holds else statement.body
                kept = statement.body if holds else statement.orelse
                yield from _dead(kept, known)
                left = bool(kept) and isinstance(kept[-1], ast.Return)


def _value(test: ast.expr, known: Known) -> bool | None:
    """What a condition is, if it is a name whose value never changes."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(operand, known)
            return None if value is None else not value
        case ast.Name(id=name):
            return known(name)
    return None


def _defaults(function: FunctionNode, module: ModuleInfo) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a helper, with their defaults, that no call in the module gives a value."""
    positional = [*function.args.posonlyargs, *function.args.args]
    first = len(positional) - len(function.args.defaults)
    defaults = dict(zip(positional[first:], function.args.defaults, strict=True))
    calls = [
        node
        for node in walk(module.source.tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) == function.name
    ]
    if module.functions.get(function.name) is not function or any(map(_is_open, calls)):
        return
    for place, (parameter, default) in enumerate(defaults.items(), first):
        given = (len(c.args) > place or parameter.arg in {k.arg for k in c.keywords} for c in calls)
        if not any(given):
            yield parameter.arg, default


def _is_open(call: ast.Call) -> bool:
    """Whether a call hands over what its lines do not name: ``run(*arguments, **options)``."""
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return starred or any(keyword.arg is None for keyword in call.keywords)


def _is_assigned_once(name: str, module: ModuleInfo) -> bool:
    stores = (
        node
        for node in walk(module.source.tree)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    )
    return sum(1 for _ in stores) == 1
