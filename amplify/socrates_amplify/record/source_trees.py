"""Sources of the project and its tests, as trees."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator

_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where a statement, an ``except`` or a ``case`` has the statements inside it."""


@functools.lru_cache(maxsize=8)
def parsed(filename: str) -> ast.Module | None:
    """The source of a file as a tree; None for what is no Python source."""
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        # A doctest in a text file, for one.
        return None


def inside(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements directly inside a statement or a module, in their order."""
    for name in _BLOCKS:
        for child in getattr(node, name, ()):
            if isinstance(child, ast.stmt):
                yield child
            else:
                yield from inside(child)


def around(node: ast.AST, line: int) -> Iterator[ast.stmt]:
    """The statements inside it that a line is of, each before those inside it. Looks into no others."""
    for statement in inside(node):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            yield statement
            yield from around(statement, line)
