"""Classes that a fixture defines and hands out: which of them need each other."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from socrates.model.python.module import FunctionNode
from socrates.model.python.names import walk_function
from socrates.model.python.walk import walk


def classes_in(function: FunctionNode) -> Mapping[str, ast.ClassDef]:
    """The classes that a function defines for itself, by their names."""
    return {node.name: node for node in walk_function(function) if isinstance(node, ast.ClassDef)}


def with_heirs(names: set[str], classes: Mapping[str, ast.ClassDef]) -> set[str]:
    """Classes and those derived from them: what a base does to one, it does to all."""
    found = set(names)
    for name, node in classes.items():  # a class is defined after its bases
        if any(isinstance(base, ast.Name) and base.id in found for base in node.bases):
            found.add(name)
    return found


def needed_by(classes: Mapping[str, ast.ClassDef]) -> Mapping[str, frozenset[str]]:
    """What each class mentions of the others: in its body, bases, decorators, and in texts.

    An ORM looks for a class by its name when the text ``"Teacher"`` says so.
    """
    return {
        name: frozenset(_mentioned(node) & classes.keys()) - {name}
        for name, node in classes.items()
    }


def _mentioned(cls: ast.ClassDef) -> set[str]:
    found = set()
    for node in walk(cls):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value, node.value.rpartition(".")[2]}
    return found
