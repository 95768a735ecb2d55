"""Whether a name still means what its definition says when the tests run."""

from __future__ import annotations

import ast
import re
from weakref import WeakKeyDictionary

from socrates.model.context import FileContext
from socrates.model.python.module import ModuleInfo, statements
from socrates.model.python.walk import walk

_BOUND: WeakKeyDictionary[ModuleInfo, dict[str, int]] = WeakKeyDictionary()
_WORDS: WeakKeyDictionary[FileContext, frozenset[str]] = WeakKeyDictionary()


def is_bound_once(name: str, module: ModuleInfo) -> bool:
    """Whether the top level of a module gives a name one meaning: ``User = traced(User)`` is a second."""
    if module not in _BOUND:
        _BOUND[module] = _bindings(module)
    return _BOUND[module].get(name) == 1


def is_replaced(name: str, file: FileContext) -> bool:
    """Whether the tests or a conftest may put something else in the place of a name.

    ``mock.patch("shop.User")`` and ``monkeypatch.setattr(shop, "User", ...)`` name it in a text,
    ``shop.User = ...`` assigns it.
    """
    if file not in _WORDS:
        modules = (file.module, *file.project.conftests(file.module.path))
        _WORDS[file] = frozenset(word for module in modules for word in _replaced_in(module))
    return name in _WORDS[file]


def _bindings(module: ModuleInfo) -> dict[str, int]:
    found: dict[str, int] = {}

    def add(name: str) -> None:
        found[name] = found.get(name, 0) + 1

    for statement in statements(module.source.tree.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            add(statement.name)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            for name in module.imported(statement):
                add(name)
        else:
            for node in walk(statement):
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    add(node.id)
    for function in module.every_function:
        for node in walk(function):
            if isinstance(node, ast.Global):
                for name in node.names:
                    add(name)
    return found


def _replaced_in(module: ModuleInfo) -> set[str]:
    found: set[str] = set()
    for node in walk(module.source.tree):
        match node:
            case ast.Constant(value=str(text)):
                found.update(re.findall(r"\w+", text))
            case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=attr):
                found.add(attr)
    return found
