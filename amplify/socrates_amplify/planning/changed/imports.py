"""Which files of a project import which, by their text alone: what dynamic imports load is not seen."""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

Read = Callable[[str], bytes | None]


def importers(paths: Iterable[str], read: Read) -> Mapping[str, frozenset[str]]:
    """For each file, those that import it. A name that several files answer to is all of them."""
    files = [path for path in paths if path.endswith(".py")]
    by_name: dict[str, set[str]] = defaultdict(set)
    for path in files:
        parts = _module(path).split(".")
        for start in range(len(parts)):
            by_name[".".join(parts[start:])].add(path)
    found: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for name in _imported(path, read(path)):
            for imported in by_name.get(name, ()):
                if imported != path:
                    found[imported].add(path)
    return {path: frozenset(names) for path, names in found.items()}


def dependents(path: str, imported_by: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The file and all that import it, directly or not."""
    found, waiting = {path}, [path]
    while waiting:
        for importer in imported_by.get(waiting.pop(), ()):
            if importer not in found:
                found.add(importer)
                waiting.append(importer)
    return frozenset(found)


def outline(source: bytes) -> str | None:
    """A file without what is in its functions: what importing it does. None if it can't be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = []
    return ast.dump(tree)


def _imported(path: str, source: bytes | None) -> Iterator[str]:
    """The dotted names that a file imports, packages on the way included."""
    try:
        tree = ast.parse(source or b"")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    package = _module(path).split(".")
    if posixpath.basename(path) != "__init__.py":
        package.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _prefixes(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from _prefixes(base)
            for alias in node.names:
                yield f"{base}.{alias.name}" if base else alias.name


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


def _module(path: str) -> str:
    """``src.shop.client`` for ``src/shop/client.py``; a package for its ``__init__``."""
    name = path.removesuffix(".py")
    name = name.removesuffix("/__init__") if name != "__init__" else ""
    return name.replace("/", ".")
