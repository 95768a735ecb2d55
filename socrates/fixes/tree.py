"""Definitions of a file as libcst trees, cut out so that a fix costs what it changes.

Only the lines of one definition are parsed and printed again; all other text of the file stays
as it is. Import this module only when a fix is wanted.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from socrates.findings import Span
from socrates.fix import Edit, NoFix
from socrates.fixes.lines import line_edits, line_end, lines_of, rows
from socrates.model.python.source import Source

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Node = TypeVar("Node", bound=cst.CSTNode)
Changed = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.BaseStatement]
_HEAD = "if 1:"


class Piece:
    """One definition with its decorators. Raises NoFix when libcst can't print it back exactly."""

    def __init__(self, source: Source, node: Definition) -> None:
        self.source = source
        self.ast = node
        self.first_row = min([node.lineno, *(part.lineno for part in node.decorator_list)])
        self.end_row = node.end_lineno or node.lineno
        lines = lines_of(source.text)
        self._old = "".join(lines[self.first_row - 1 : self.end_row])
        self._newline = line_end(self._old) or line_end(source.text) or "\n"
        self._closed = bool(line_end(self._old))
        text = self._old if self._closed else f"{self._old}{self._newline}"
        self._nested = node.col_offset > 0
        head = f"{_HEAD}{self._newline}" if self._nested else ""
        try:
            self._module = cst.parse_module(head + text)
        except (cst.ParserSyntaxError, RecursionError) as error:
            raise NoFix(str(error)) from None
        body = self._body()
        if self._module.code != head + text or len(body) != 1:
            raise NoFix("not printed back as it was")
        only = body[0]
        if not isinstance(only, (cst.FunctionDef, cst.ClassDef)):
            raise NoFix("not a definition")
        self.node = only
        self._positions: dict[Span, list[cst.CSTNode]] | None = None

    @property
    def function(self) -> cst.FunctionDef:
        """The definition as a function."""
        if not isinstance(self.node, cst.FunctionDef):
            raise NoFix("not a function")
        return self.node

    @property
    def indent(self) -> str:
        """What the lines of the definition start with."""
        return self._old[: len(self._old) - len(self._old.lstrip(" \t"))]

    def find(self, node: ast.AST, kind: type[Node]) -> Node:
        """The libcst node that stands where a node of ``ast`` stands."""
        for found in self._at(node):
            if isinstance(found, kind):
                return found
        raise NoFix(f"no {kind.__name__} there")

    def expression(self, node: ast.expr) -> cst.BaseExpression:
        """The expression that stands where one of ``ast`` stands."""
        for found in self._at(node):
            if isinstance(found, cst.BaseExpression):
                return found
        raise NoFix("no expression there")

    def _at(self, node: ast.AST) -> Sequence[cst.CSTNode]:
        if self._positions is None:
            self._positions = self._located()
        return self._positions.get(self.source.span(node), ())

    def line_of(self, statement: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line that a simple statement stands on, alone or with others."""
        queue: list[cst.CSTNode] = [self.node]
        while queue:
            current = queue.pop()
            if isinstance(current, cst.SimpleStatementLine) and statement in current.body:
                return current
            queue += current.children
        return None

    def width_of(self, node: ast.AST) -> int:
        """The columns of the last line of a node, with what stands before it."""
        return self.source.span(node).end_column - 1

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node, in one line or more."""
        return self._module.code_for_node(node).strip()

    def replaced(self, *statements: cst.BaseStatement) -> tuple[Edit, ...]:
        """The edits that put statements in the place of the definition."""
        block = self._module.body[0]
        if self._nested:
            assert isinstance(block, cst.If)
            assert isinstance(block.body, cst.IndentedBlock)
            inner = block.body.with_changes(body=list(statements))
            module = self._module.with_changes(body=[block.with_changes(body=inner)])
            code = module.code.partition(self._newline)[2] if statements else ""
        else:
            code = self._module.with_changes(body=list(statements)).code
        if not self._closed:
            code = code.removesuffix(self._newline)
        return line_edits(self._old, code, self.first_row)

    def dropped(self) -> tuple[Edit, ...]:
        """The edits that take the definition away, with the blank lines that set it apart.

        A comment right above it says something about it that would be lost: NoFix.
        """
        lines = self.source.lines
        first, last = self.first_row, self.end_row
        if first > 1 and lines[first - 2].lstrip().startswith("#"):
            raise NoFix("a comment would be lost")
        if first == 1 or lines[first - 2].rstrip().endswith(":"):
            while last < len(lines) and not lines[last].strip():
                last += 1
        while first > 1 and not lines[first - 2].strip():
            first -= 1
        return (Edit(rows(self.source, first, min(last, len(lines))), ""),)

    def _body(self) -> Sequence[cst.CSTNode]:
        if not self._nested:
            return self._module.body
        block = self._module.body[0]
        return block.body.body if isinstance(block, cst.If) else []

    def _located(self) -> dict[Span, list[cst.CSTNode]]:
        wrapper = MetadataWrapper(self._module, unsafe_skip_copy=True)
        shift = self.first_row - 1 - self._nested
        found: dict[Span, list[cst.CSTNode]] = {}
        places = wrapper.resolve(PositionProvider)
        for node, place in places.items():
            start, end = place.start, place.end
            span = Span(start.line + shift, start.column + 1, end.line + shift, end.column + 1)
            found.setdefault(span, []).append(node)
            if isinstance(node, cst.Tuple) and node.lpar:
                # ast counts the parentheses of a tuple as its own, libcst does not.
                start, end = places[node.lpar[-1]].start, places[node.rpar[0]].end
                span = Span(start.line + shift, start.column + 1, end.line + shift, end.column + 1)
                found.setdefault(span, []).append(node)
        return found


class _Swap(cst.CSTTransformer):
    def __init__(self, changes: Mapping[cst.CSTNode, Changed]) -> None:
        super().__init__()
        self.changes = changes

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> Changed:
        return self.changes.get(original_node, updated_node)


def swap(tree: Node, changes: Mapping[cst.CSTNode, Changed]) -> Node:
    """The tree with some of its nodes exchanged, dropped or spread; nodes are told by identity."""
    changed = tree.visit(_Swap(changes))
    assert isinstance(changed, type(tree))
    return changed


def comments_in(node: cst.CSTNode) -> list[str]:
    """Every comment of a node, in order."""
    found: list[str] = []
    queue = [node]
    while queue:
        current = queue.pop()
        if isinstance(current, cst.Comment):
            found.append(current.value)
        queue += reversed(list(current.children))
    return found
