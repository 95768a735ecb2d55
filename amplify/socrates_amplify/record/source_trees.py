"""Sources of the project and its tests, as trees."""

from __future__ import annotations

import ast
import functools
import linecache


@functools.lru_cache(maxsize=8)
def parsed(filename: str) -> ast.Module | None:
    """The source of a file as a tree; None for what is no Python source."""
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        # A doctest in a text file, for one.
        return None
