"""Which functions of a test module can lead to a touch of a resource, judged by names alone.

Most tests and helpers name nothing that reaches outside. To know that is cheap, and it saves
following every call of theirs. The judgement errs only by letting functions through.
"""

from __future__ import annotations

import ast

from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode, ModuleInfo
from socrates.model.python.walk import walk
from socrates_rules.mystery_guest.resources import CALL_NAMES, CLIENT_METHODS, PATH_METHODS

_OUTSIDE = CALL_NAMES | CLIENT_METHODS | PATH_METHODS | {"environ"}


class Reach:
    """The names of one module by which its functions reach outside, directly or through others."""

    def __init__(self, module: ModuleInfo, inference: Inference) -> None:
        names = {*_OUTSIDE, *_aliases(module, inference)}
        waiting = _mentions_by_name(module)
        while leading := {name for name, said in waiting.items() if not names.isdisjoint(said)}:
            names |= leading
            waiting = {name: said for name, said in waiting.items() if name not in leading}
        self._names = names

    def has(self, function: FunctionNode) -> bool:
        """Whether a function may touch something, or call one of the module's that may."""
        return not self._names.isdisjoint(_mentions(function))


def _aliases(module: ModuleInfo, inference: Inference) -> set[str]:
    """Top-level names of a module that stand for something that reaches outside."""
    found: set[str] = set()
    for name, dotted in module.imports.items():
        meant = inference.resolver.name(dotted, module.path)
        if meant.name.rpartition(".")[2] in _OUTSIDE:
            found.add(name)
    for name, value in module.assigns.items():
        if not _OUTSIDE.isdisjoint(_mentions(value)):
            found.add(name)
    return found


def _mentions_by_name(module: ModuleInfo) -> dict[str, frozenset[str]]:
    """What the functions and methods of a name mention, all of that name together."""
    found: dict[str, frozenset[str]] = {}
    for function in module.every_function:
        found[function.name] = found.get(function.name, frozenset()) | _mentions(function)
    return found


def _mentions(node: ast.AST) -> frozenset[str]:
    """Every name, attribute and imported name below a node; kept with the node."""
    try:
        return node._socrates_mentions  # type: ignore[attr-defined,no-any-return]
    except AttributeError:
        pass
    found: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, (ast.Import, ast.ImportFrom)):
            found.update(alias.name.rpartition(".")[2] for alias in inner.names)
    mentions = frozenset(found)
    node._socrates_mentions = mentions  # type: ignore[attr-defined]
    return mentions
