"""Whether a changed file is still a program, whatever Python it is written for."""

from __future__ import annotations

import warnings

from socrates.model.python.source import SourceError, parse
from socrates.syntax.compiling import compiles


def still_compiles(after: bytes, before: bytes) -> bool:
    """Whether the file compiles after a change.

    One that the running Python can't compile as it was, because its grammar is newer, is compiled
    from its tree. One that it could compile must not need that.
    """
    if _compiles_here(after):
        return True
    if _compiles_here(before):
        return False
    try:
        return compiles(parse(after).tree)
    except SourceError:
        return False


def _compiles_here(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
