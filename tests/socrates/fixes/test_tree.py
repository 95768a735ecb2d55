"""Definitions cut out of a file as libcst trees."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from socrates.fixes import NoFix, apply_edits
from socrates.fixes.tree import Piece, comments_in, swap
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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("def f():\n    pass\n\n\nb = 2\n", "b = 2\n", id="first of a file"),
        pytest.param("a = 1\n\n\ndef f():\n    pass\n", "a = 1\n", id="last of a file"),
        pytest.param("a = 1\n\n\n@one\n@two\ndef f():\n    pass\n", "a = 1\n", id="decorators"),
    ],
)
def test_blank_lines_that_go_with_a_definition(text: str, left: str) -> None:
    source, piece = piece_of(text, "f")
    assert apply_edits(source.text, piece.dropped()) == left


BODY = "def f(x):\n    # first\n    a = 1; b = 2  # second\n    if x:\n        c = 3\n"


def test_comments_are_in_order() -> None:
    assert comments_in(piece_of(BODY, "f")[1].node) == ["# first", "# second"]


def test_class_is_no_function() -> None:
    _, piece = piece_of(NESTED, "A")
    with pytest.raises(NoFix, match="not a function"):
        _ = piece.function


@pytest.mark.parametrize(("name", "indent"), [("A", ""), ("f", "\t")])
def test_indentation_of_a_definition(name: str, indent: str) -> None:
    assert piece_of(NESTED, name)[1].indent == indent


def statements(piece: Piece) -> dict[str, cst.CSTNode]:
    """The simple statements of a definition by their text."""
    found: dict[str, cst.CSTNode] = {}
    queue: list[cst.CSTNode] = [piece.node]
    while queue:
        current = queue.pop()
        if isinstance(current, cst.Assign):
            found[piece.code(current).rstrip("; ")] = current
        queue += current.children
    return found


@pytest.mark.parametrize(
    ("statement", "line"),
    [("a = 1", "# first\na = 1; b = 2  # second"), ("c = 3", "c = 3")],
)
def test_line_of_a_statement(statement: str, line: str) -> None:
    _, piece = piece_of(BODY, "f")
    found = piece.line_of(statements(piece)[statement])
    assert found is not None
    assert piece.code(found) == line


def test_statement_of_another_definition_has_no_line() -> None:
    _, piece = piece_of(BODY, "f")
    other = piece_of(BODY, "f")[1]
    assert piece.line_of(statements(other)["c = 3"]) is None


def test_nodes_are_exchanged_by_identity() -> None:
    source, piece = piece_of("def f(x):\n    return x + x\n", "f")
    left = next(n for n in ast.walk(source.tree) if isinstance(n, ast.BinOp)).left
    changed = swap(piece.function, {piece.expression(left): cst.Name("y")})
    assert apply_edits(source.text, piece.replaced(changed)) == "def f(x):\n    return y + x\n"


def test_width_of_a_node_ends_with_its_last_line() -> None:
    source, piece = piece_of("def f():\n    return g(\n        1)\n", "f")
    call = next(n for n in ast.walk(source.tree) if isinstance(n, ast.Call))
    assert piece.width_of(call) == len("        1)")


@pytest.mark.parametrize("kind", [cst.Call, cst.ClassDef])
def test_other_node_at_a_place_is_refused(kind: type[cst.CSTNode]) -> None:
    source, piece = piece_of("def f():\n    return 1\n", "f")
    one = next(n for n in ast.walk(source.tree) if isinstance(n, ast.Constant))
    with pytest.raises(NoFix, match=f"no {kind.__name__} there"):
        piece.find(one, kind)


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        pytest.param("def f():\n    pass  # more\n", "not printed back", id="other text"),
        pytest.param("x = 1\n", "not printed back", id="another statement"),
    ],
)
def test_definition_that_is_not_printed_back_is_not_fixed(
    printed: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = cst.parse_module(printed)
    monkeypatch.setattr(cst, "parse_module", lambda text: module)
    with pytest.raises(NoFix, match=told):
        piece_of("def f():\n    pass\n", "f")


def test_definition_beside_another_statement_is_not_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    two = cst.parse_module("def f(): pass\nx = 1\n")
    monkeypatch.setattr(cst, "parse_module", lambda text: two)
    monkeypatch.setattr(cst.Module, "code", "def f(): pass\n")
    with pytest.raises(NoFix, match="not printed back"):
        piece_of("def f(): pass\n", "f")


def test_definition_that_libcst_can_not_parse_is_not_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(text: str) -> cst.Module:
        raise RecursionError("too deep")

    monkeypatch.setattr(cst, "parse_module", too_deep)
    with pytest.raises(NoFix, match="too deep"):
        piece_of("def f(): pass\n", "f")
