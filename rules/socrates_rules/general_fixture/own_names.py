"""Which local names of a function stand for values that it made itself, so that nobody else sees a change."""

from __future__ import annotations

import ast

from socrates.model.python.module import FunctionNode
from socrates.model.python.names import walk_function
from socrates.model.python.walk import walk

_ALIASES = (ast.Name, ast.Attribute, ast.Subscript)


def own_names(node: FunctionNode, foreign: set[str]) -> set[str]:
    """Local names of values that the function made, and not from what it was handed."""
    own: set[str] = set()
    for part in walk_function(node):
        if isinstance(part, ast.Assign):
            _sort({t.id for t in part.targets if isinstance(t, ast.Name)}, part.value, own, foreign)
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value:
            _sort({part.target.id}, part.value, own, foreign)
        elif isinstance(part, ast.withitem) and isinstance(part.optional_vars, ast.Name):
            _sort({part.optional_vars.id}, part.context_expr, own, foreign)
        elif isinstance(part, (ast.For, ast.comprehension)) and isinstance(part.target, ast.Name):
            _sort({part.target.id}, part.iter, own, foreign)
    return own - foreign


def _sort(names: set[str], value: ast.expr, own: set[str], foreign: set[str]) -> None:
    """Put names among the own ones, or among those that somebody else may know."""
    mentioned = {n.id for n in walk(value) if isinstance(n, ast.Name)}
    aliases = isinstance(value, _ALIASES) and not mentioned & own
    (foreign if aliases or _flows(value, foreign) else own).update(names)


def _flows(value: ast.expr, foreign: set[str]) -> bool:
    """Whether a value is part of what the function was handed: ``app.db``, ``tmp_path / "x"``."""
    while isinstance(value, (*_ALIASES, ast.Call, ast.BinOp, ast.Await)):
        if isinstance(value, ast.Name):
            return value.id in foreign
        if isinstance(value, ast.BinOp):
            value = value.left
        elif isinstance(value, ast.Call):
            value = value.func
        else:
            value = value.value
    return False


def root(node: ast.AST) -> ast.Name | None:
    """The name that an attribute, an item or the result of a method begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node if isinstance(node, ast.Name) else None


def changes_others(target: ast.expr, own: set[str]) -> bool:
    """Whether an assignment changes something that the function did not make itself."""
    if isinstance(target, (ast.Attribute, ast.Subscript)):
        start = root(target)
        return start is None or start.id not in own
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(changes_others(element, own) for element in target.elts)
    return False
