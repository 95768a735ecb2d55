"""Marks every block of the traced packages that is executed, in all processes of a scratch copy.

A ``.pth`` file of the scratch copy's environment imports this module when an interpreter starts.
Modules are compiled with one more statement in each block, which sets one byte of a file that
all processes map into their memory: nothing is lost when a process is killed or forks. Line
numbers stay. Only code in functions is marked: what runs on import runs once per process,
whichever test is first.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import marshal
import mmap
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import SupportsIndex

_NAME = "__marks__"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_HOLDERS = (ast.stmt, ast.excepthandler, ast.match_case)


def blocks_of(tree: ast.Module) -> list[list[ast.stmt]]:
    """The blocks in functions of a module, always in the same order."""
    found = []
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            found += _blocks_in(function)
    return found


def _blocks_in(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of a function, those of functions in it left to them."""
    found = []
    for _, value in ast.iter_fields(node):
        if not isinstance(value, list) or not value:
            continue
        if isinstance(value[0], ast.stmt):
            found.append(value)
        for child in value:
            if isinstance(child, _HOLDERS) and not isinstance(child, _FUNCTIONS):
                found += _blocks_in(child)
    return found


def marked(tree: ast.Module, first: int) -> ast.Module:
    """The module with a mark in each block, numbered from ``first``."""
    for number, block in enumerate(blocks_of(tree), first):
        mark = ast.parse(f"{_NAME}[{number}] = 1").body[0]
        place = 1 if len(block) > 1 and _is_docstring(block[0]) else 0
        for part in ast.walk(mark):
            if isinstance(part, (ast.stmt, ast.expr)):
                ast.copy_location(part, block[place])
        block.insert(place, mark)
    return tree


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with marks. Compiled code is kept beside the marks."""

    def __init__(self, name: str, path: str, first: int, folder: Path) -> None:
        super().__init__(name, path)
        self._first = first
        self._folder = folder

    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_bytes()
        name = hashlib.sha256(source + f"{self._first} {self.path}".encode()).hexdigest()
        kept = self._folder / f"{name}.code"
        if kept.exists():
            code: CodeType = marshal.loads(kept.read_bytes())
            return code
        code = compile(marked(ast.parse(source), self._first), self.path, "exec")
        scratch = kept.with_suffix(f".{os.getpid()}")
        scratch.write_bytes(marshal.dumps(code))
        scratch.replace(kept)
        return code


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are traced, and leaves all others to those after it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._firsts: dict[str, int] = json.loads((folder / "firsts.json").read_text())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self._firsts:
            return None
        loader = _Loader(fullname, spec.origin, self._firsts[spec.origin], self._folder)
        found = importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=loader,
            submodule_search_locations=spec.submodule_search_locations,
        )
        assert found is not None
        return found


class _AfterFirst(list[importlib.abc.MetaPathFinder]):
    """Finders whose first one stays first: pytest would put one for its plugins before it."""

    def insert(self, index: SupportsIndex, finder: importlib.abc.MetaPathFinder, /) -> None:
        super().insert(max(1, int(index)), finder)


_mapped: list[mmap.mmap] = []


def _map_marks(folder: Path) -> mmap.mmap:
    if not _mapped:
        with (folder / "marks").open("r+b") as file:
            _mapped.append(mmap.mmap(file.fileno(), 0))
    return _mapped[0]


def start(folder: Path) -> None:
    """Trace from now on; ``folder`` has the marks and says which files are traced."""
    # A builtin, for ``python -m`` runs code in a module that no loader has made.
    setattr(builtins, _NAME, _map_marks(folder))
    sys.meta_path = _AfterFirst([_Finder(folder), *sys.meta_path])


def marks(folder: Path) -> mmap.mmap:
    """One byte per block, not 0 if it was executed since somebody set it to 0."""
    return _map_marks(folder)
