"""Methods of classes of the standard library, read from its sources: astroid takes far longer."""

from __future__ import annotations

import ast
import builtins
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path

from socrates.model.python.module import ModuleInfo
from socrates.model.python.source import Source, SourceError, parse, read

_FOLDER = Path(sysconfig.get_path("stdlib"))
_FILES = {"collections.abc": "_collections_abc"}
"""Modules that have no file of their own name, since Python 3.13."""
_MAX_DEPTH = 12


def method_names(dotted: str, depth: int = 0) -> frozenset[str] | None:
    """The methods that a class has or inherits; None when its sources don't tell."""
    home, _, name = dotted.rpartition(".")
    if home == "builtins":
        found = getattr(builtins, name, None)
        if not isinstance(found, type):
            return None
        return frozenset(name for name in dir(found) if callable(getattr(found, name)))
    module = _module(home) if depth < _MAX_DEPTH else None
    if module is None:
        return None
    if name in module.imports:
        return method_names(module.imports[name], depth + 1)
    cls = module.classes.get(name)
    if cls is None or name in module.assigns:
        shown = (method_names(f"{star}.{name}", depth + 1) for star in module.star_imports)
        return next((names for names in shown if names is not None), None)
    names = set(cls.methods)
    for base in cls.node.bases:
        inherited = method_names(_absolute(base, module), depth + 1)
        if inherited is None:
            return None
        names |= inherited
    return frozenset(names)


def _absolute(base: ast.expr, module: ModuleInfo) -> str:
    """The dotted name of a base class; one that nobody defines when it is no name."""
    if isinstance(base, ast.Subscript):
        base = base.value
    parts: list[str] = []
    while isinstance(base, ast.Attribute):
        parts.insert(0, base.attr)
        base = base.value
    if not isinstance(base, ast.Name):
        return ""
    if module.is_builtin(base.id):
        return ".".join(["builtins", base.id, *parts])
    return ".".join([module.imports.get(base.id, f"{module.name}.{base.id}"), *parts])


@lru_cache(maxsize=16)
def _module(name: str) -> ModuleInfo | None:
    if name.partition(".")[0] not in sys.stdlib_module_names:
        return None
    stem = _FOLDER.joinpath(*_FILES.get(name, name).split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        try:
            parsed: Source = parse(read(path))
        except SourceError:
            continue
        return ModuleInfo(name, path, parsed, is_package=path.stem == "__init__")
    return None
