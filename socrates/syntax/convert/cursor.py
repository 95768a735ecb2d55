"""A place in the text that follows a walk over a libcst tree, token by token.

libcst keeps every token and every blank, but no positions. The converters take the tokens of a
tree in the order of the text; the cursor finds each one after the blanks before it. So positions
cost one step per token, and a token that does not stand where the tree has it is noticed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, TypeVar

import libcst as cst

Node = TypeVar("Node", bound=ast.AST)
Handler = Callable[["Cursor", Any], Any]
"""Takes the tokens of one libcst node and gives the node of ``ast``."""

# Separators carry no meaning that the tree does not have, except where `comma` asks for them.
_GAP = re.compile(rb"(?:[ \t\f\n,;]+|\\\n|#[^\n]*)*")
_BLANK = re.compile(rb"(?:[ \t\f\n]+|\\\n|#[^\n]*)*")
_GAP_BYTES = frozenset(b" \t\f\n,;\\#")


class Unconvertible(Exception):  # noqa: N818 - an answer, not a failure of the program
    """A tree that is no program of any Python, though libcst accepts it. Says what is wrong."""


class Cursor:
    """The text as UTF-8, the offset after the last token, and rows and columns by offset.

    The text has line feeds only: carriage returns are replaced before it is parsed.
    """

    __slots__ = ("_handlers", "_rows", "_starts", "data", "pos")

    def __init__(self, text: str, handlers: Mapping[type[cst.CSTNode], Handler]) -> None:
        self.data = text.encode("utf-8") + b"\n\0"
        self.pos = 0
        lines = self.data.splitlines(keepends=True)
        self._rows = list(
            chain.from_iterable(repeat(row, len(line)) for row, line in enumerate(lines, 1))
        )
        self._starts = [0, 0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._handlers = handlers

    # -- tokens ------------------------------------------------------------------------------

    def next(self) -> int:
        """Go to the next token and give its offset."""
        pos = self.pos
        data = self.data
        if data[pos] in _GAP_BYTES:
            pos += 1
            if data[pos] in _GAP_BYTES or data[pos - 1] in b"\\#":
                pos = _GAP.match(data, pos - 1).end()  # type: ignore[union-attr]  # may be empty
            self.pos = pos
        return pos

    def take(self, token: bytes) -> int:
        """Go over one token and give the offset where it starts."""
        start = self.next()
        if not self.data.startswith(token, start):
            raise Unconvertible(f"expected {token.decode()!r}")
        self.pos = start + len(token)
        return start

    def exact(self, text: str) -> int:
        """Go over text that follows at once, blanks and all, and give the offset where it starts."""
        start = self.pos
        data = text.encode("utf-8")
        if not self.data.startswith(data, start):
            raise Unconvertible(f"expected {text!r}")
        self.pos = start + len(data)
        return start

    def word(self, text: str) -> int:
        """Go over a name or a literal and give the offset where it starts."""
        return self.take(text.encode("utf-8"))

    def comma(self, comma: object) -> None:
        """Go over a comma that ends a node, if the tree has one."""
        if isinstance(comma, cst.Comma):
            self.pos = _BLANK.match(self.data, self.pos).end()  # type: ignore[union-attr]
            self.exact(",")

    def semicolon(self, semicolon: object) -> None:
        """Go over a semicolon: compound statements end after it, simple ones before."""
        if isinstance(semicolon, cst.Semicolon):
            self.pos = _BLANK.match(self.data, self.pos).end()  # type: ignore[union-attr]
            self.exact(";")

    # -- positions ---------------------------------------------------------------------------

    def place(self, node: Node, start: int) -> Node:
        """Give a node its position: from an offset to the end of the last token."""
        return self.place_between(node, start, self.pos)

    def place_between(self, node: Node, start: int, end: int) -> Node:
        """Give a node its position: from an offset to an offset."""
        row = self._rows[start]
        node.lineno = row  # type: ignore[attr-defined]
        node.col_offset = start - self._starts[row]  # type: ignore[attr-defined]
        row = self._rows[end]
        node.end_lineno = row  # type: ignore[attr-defined]
        node.end_col_offset = end - self._starts[row]  # type: ignore[attr-defined]
        return node

    # -- nodes -------------------------------------------------------------------------------

    def expression(self, node: cst.CSTNode) -> ast.expr:
        """The expression, without the parentheses around it, which are gone over.

        Those of a tuple or a generator are its own: their handlers take the innermost pair.
        """
        handler = self._handlers[type(node)]
        pairs = len(node.lpar)  # type: ignore[attr-defined]  # all expressions have it
        if not pairs:
            return handler(self, node)  # type: ignore[no-any-return]
        pairs -= type(node) in _OWN_PARENTHESES
        for _ in range(pairs):
            self.take(b"(")
        found = handler(self, node)
        for _ in range(pairs):
            self.take(b")")
        return found  # type: ignore[no-any-return]

    def expressions(self, nodes: Sequence[cst.CSTNode]) -> list[ast.expr]:
        """Expressions one after the other."""
        return [self.expression(node) for node in nodes]

    def other(self, node: cst.CSTNode) -> Any:
        """What is neither an expression nor in parentheses: statements, elements, parts."""
        return self._handlers[type(node)](self, node)


_OWN_PARENTHESES = frozenset({cst.Tuple, cst.GeneratorExp, cst.MatchTuple})
