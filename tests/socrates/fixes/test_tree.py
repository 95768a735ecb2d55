"""Definitions cut out of a file as libcst trees."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from socrates.fixes import NoFix, apply_edits
from socrates.fixes.tree import Piece
from socrates.model.python.source import Source, parse

NESTED = "class A:\n\tdef f(self):\n\t\t'''x\ny'''\n\t\treturn 1  # one\n\n\n# end\n"


def piece_of(text: str, name: str) -> tuple[Source, Piece]:
    source = parse(text.encode())
    node = next(n for n in ast.walk(source.tree) if getattr(n, "name", "") == name)
    assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
    return source, Piece(source, node)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", ["A", "f"])
def test_unchanged_definition_has_no_edits(name: str, end: str) -> None:
    _, piece = piece_of(NESTED.replace("\n", end), name)
    assert piece.replaced(piece.node) == ()


def test_change_touches_its_lines_only() -> None:
    source, piece = piece_of(NESTED, "f")
    edits = piece.replaced(piece.node.with_changes(name=cst.Name("g")))
    assert apply_edits(source.text, edits) == NESTED.replace("def f", "def g")


def test_end_of_file_without_a_line_end() -> None:
    source, piece = piece_of("def f():\n    pass", "f")
    edits = piece.replaced(piece.node.with_changes(name=cst.Name("g")))
    assert apply_edits(source.text, edits) == "def g():\n    pass"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = 'é😀'; y = (1,)\n", id="not ASCII"),
        pytest.param("y = (\n        1,\n    )\n", id="over lines"),
        pytest.param("y = ((1,))\n", id="double parentheses"),
    ],
)
def test_nodes_are_found_by_place(text: str) -> None:
    source, piece = piece_of(f"# first\n\nif True:\n  def f():\n    {text}", "f")
    node = next(n for n in ast.walk(source.tree) if isinstance(n, ast.Tuple))
    assert isinstance(piece.expression(node), cst.Tuple)


class TestDropping:
    def test_blank_lines_above_go_too(self) -> None:
        source, piece = piece_of("a = 1\n\n\ndef f():\n    pass\n\n\nb = 2\n", "f")
        assert apply_edits(source.text, piece.dropped()) == "a = 1\n\n\nb = 2\n"

    def test_first_of_a_class(self) -> None:
        source, piece = piece_of("class A:\n    def f(self):\n        pass\n\n    b = 2\n", "f")
        assert apply_edits(source.text, piece.dropped()) == "class A:\n    b = 2\n"

    def test_comment_right_above_is_kept(self) -> None:
        _, piece = piece_of("# why\ndef f():\n    pass\n", "f")
        with pytest.raises(NoFix, match="comment"):
            piece.dropped()
