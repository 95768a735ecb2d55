"""Positions that people can count, and files that can't be read as text."""

from __future__ import annotations

import ast

import pytest

from socrates.files import reading
from socrates.findings import Span
from socrates.model.python import source


def parsed(text: str) -> source.Source:
    return source.parse(text.encode())


def test_a_stretch_is_counted_in_characters() -> None:
    made = parsed("x = 'äöü', call(\n    é)\n")
    statement = made.tree.body[0]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.Tuple)

    assert made.span(statement.value.elts[1]) == Span(1, 12, 2, 7)


def test_an_offset_in_a_line_that_is_not_there_is_taken_as_it_is() -> None:
    assert parsed("a\n").column(9, 4) == 5


def test_a_node_without_a_place_stands_at_the_beginning() -> None:
    assert parsed("a\n").span(ast.arguments()) == Span(1, 2, 1, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("def test_a(): ...\n", Span(1, 5, 1, 11), id="function"),
        pytest.param("if 1:\n    class  TestA: ...\n", Span(2, 12, 2, 17), id="class in a block"),
        pytest.param("async def test_a(): ...\n", Span(1, 11, 1, 17), id="coroutine"),
        pytest.param("def \\\n    test_a(): ...\n", Span(1, 1, 1, 2), id="name on the next line"),
    ],
)
def test_stretch_of_a_name(text: str, expected: Span) -> None:
    made = parsed(text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    node = next(node for node in ast.walk(made.tree) if isinstance(node, kinds))

    assert made.name_span(node) == expected


@pytest.mark.parametrize(
    ("data", "told", "place"),
    [
        pytest.param(b"a\nb = '\xff'\n", "'utf-8' codec can't decode", (2, 6), id="not UTF-8"),
        pytest.param(b"# coding: nonsense\n", "unknown encoding: nonsense", (1, 1), id="unknown"),
        pytest.param(b"# coding: idna\n", "idna is for names of hosts", (1, 1), id="slow codec"),
        pytest.param(b"a\n\n b\0\n", "contains a NUL byte", (3, 3), id="NUL"),
        pytest.param(b"\0", "contains a NUL byte", (1, 1), id="NUL at once"),
        pytest.param(b"a = (\n", "syntax error", (1, 5), id="mistake"),
    ],
)
def test_place_of_a_mistake(data: bytes, told: str, place: tuple[int, int]) -> None:
    with pytest.raises(source.SourceError, match=told) as raised:
        source.parse(data)

    assert (raised.value.row, raised.value.column) == place


def test_other_encodings_are_read() -> None:
    assert source.decode("# coding: cp1252\n'ä€'\n".encode("cp1252")).splitlines()[1] == "'ä€'"


def test_a_larger_file_than_any_module_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_SOURCE", 10)

    with pytest.raises(source.SourceError, match="can't read the file: it has"):
        source.parse(b"a" * 11)


def test_a_file_of_the_largest_size_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_SOURCE", 10)

    assert source.parse(b"a" * 10).text == "a" * 10
