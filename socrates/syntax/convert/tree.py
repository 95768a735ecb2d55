"""A whole libcst tree as the tree that ``ast.parse`` would give."""

from __future__ import annotations

import ast

import libcst as cst

from socrates.syntax.convert import (
    compound,
    displays,
    expressions,
    literals,
    parameters,
    patterns,
    simple,
    strings,
)
from socrates.syntax.convert.cursor import Cursor, Handler

_ROOMS = (expressions, displays, literals, strings, parameters, simple, compound, patterns)
_HANDLERS: dict[type[cst.CSTNode], Handler] = {
    kind: handler for room in _ROOMS for kind, handler in room.HANDLERS.items()
}


def to_ast(module: cst.Module, text: str) -> ast.Module:
    """The tree with exact positions. Raises Unconvertible for what no Python would run.

    ``text`` is what ``module`` was parsed from; its lines end with line feeds.
    """
    return ast.Module(compound.statements(Cursor(text, _HANDLERS), module), [])
