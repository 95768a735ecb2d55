"""Grammar that is newer than the oldest Python that runs us, on whatever Python runs us."""

from __future__ import annotations

import ast

import pytest

from socrates.model.python.walk import children, walk
from socrates.syntax import AUTO, LIBCST
from socrates.syntax.nodes import (
    Interpolation,
    ParamSpec,
    TemplateStr,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
)
from socrates.syntax.parsers import cpython
from socrates.syntax.parsers.parse import parse
from socrates.syntax.refused import Refused

NEWER = {
    "alias": "type Pair = tuple[int, int]\n",
    "alias with parameters": "type Pair[T, *Ts, **P] = tuple[T, *Ts]\n",
    "function": "def first[T: (int, str)](items: list[T]) -> T:\n    return items[0]\n",
    "class": "@final\nclass Stack[T](Base, key=1):\n    items: list[T]\n",
    "defaults": "class A[T: int = bool, *Ts = *tuple[int, ...], **P = [int]]: pass\n",
    "quotes in fields": "x = f'{d['a']} {'b'} {f'{f'{c}'}'}'\n",
    "backslashes in fields": "x = f'{'\\n'.join(lines)}'\n",
    "comments in fields": "x = f'''{\n  a  # why }\n}'''\n",
    "line ends in fields": "x = f'{\n a\n:>10}'\n",
    "template": "x = t'a{b!r:>{c}}d{{}}'\n",
    "raw template": "x = rt'\\d{b = }'\n",
    "except": "try:\n    a\nexcept A, B:\n    b\nexcept C, D, E: c\n",
    "except star": "try:\n    a\nexcept* A, B:\n    b\n",
}


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_newer_grammar_is_parsed_on_every_python(first_difference, text):
    assert first_difference(parse(text, AUTO), parse(text, LIBCST)) == ""


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_every_node_stands_in_the_text(text):
    for node in ast.walk(parse(text, LIBCST)):
        if isinstance(node, (ast.Name, ast.arg)):
            name = node.id if isinstance(node, ast.Name) else node.arg
            segment = ast.get_source_segment(text, node)
            assert segment is not None
            assert segment.startswith(name)


def one(text: str, kind: type[ast.AST]) -> ast.AST:
    """The only node of a type."""
    (found,) = [node for node in walk(parse(text)) if isinstance(node, kind)]
    return found


def segments(text: str, *kinds: type[ast.AST]) -> list[str | None]:
    """The text of all nodes of some types, in the order of a walk."""
    nodes = [node for node in walk(parse(text)) if isinstance(node, kinds)]
    return [ast.get_source_segment(text, node) for node in nodes]


def test_type_alias_binds_a_name_to_a_value():  # socrates: ignore[SOC101] one tree, read part by part
    alias = one("x = 1\ntype Pair[T] = tuple[T, T]; y\n", TypeAlias)
    assert isinstance(alias, TypeAlias)
    assert (alias.name.id, type(alias.name.ctx)) == ("Pair", ast.Store)
    assert ast.unparse(alias.value) == "tuple[T, T]"
    assert (alias.lineno, alias.col_offset, alias.end_col_offset) == (2, 0, 26)


def test_type_parameters_are_met_by_walks():
    text = "def f[T: int = bool, *Ts = *A, **P = [int]](): pass\n"
    parameters = segments(text, TypeVar, TypeVarTuple, ParamSpec)
    assert parameters == ["T: int = bool", "*Ts = *A", "**P = [int]"]
    names = {node.id for node in walk(parse(text)) if isinstance(node, ast.Name)}
    assert names == {"int", "bool", "A"}
    assert names == {node.id for node in ast.walk(parse(text)) if isinstance(node, ast.Name)}


def test_definition_without_type_parameters_has_no_more_children_than_before():
    (function,) = parse("def f(a): pass\n").body
    assert [type(child) for child in children(function)] == [ast.arguments, ast.Pass]


def test_fields_may_hold_the_quotes_of_their_string():
    text = "x = f'{d['a']}' + f'{'\\n'.join(y)}'\n"
    assert segments(text, ast.Subscript, ast.Call) == ["d['a']", "'\\n'.join(y)"]
    values = [node.value for node in ast.walk(parse(text)) if isinstance(node, ast.Constant)]
    assert values == ["a", "\n"]


def test_template_has_texts_and_interpolations():  # socrates: ignore[SOC101] one tree, read part by part
    template = one("t'a{ b !r:>{c}}d'\n", TemplateStr)
    assert isinstance(template, TemplateStr)
    text, field, tail = template.values
    assert isinstance(field, Interpolation)
    assert isinstance(text, ast.Constant)
    assert isinstance(tail, ast.Constant)
    assert (text.value, tail.value) == ("a", "d")
    assert (field.str, field.conversion) == (" b", ord("r"))  # type: ignore[comparison-overlap]
    assert isinstance(field.format_spec, ast.JoinedStr)


def test_handlers_without_parentheses_catch_a_tuple():
    text = "try:\n    a\nexcept A, B:\n    b\n"
    assert segments(text, ast.Tuple) == ["A, B"]
    assert isinstance(one(text, ast.ExceptHandler), ast.ExceptHandler)


def test_newest_grammar_that_libcst_knows_is_parsed_too():  # socrates: ignore[SOC101] one tree, read part by part
    text = "lazy from a import b\nx = [*y for y in z]\nw = {**y for y in z}\n"
    imported, starred, merged = parse(text, LIBCST).body
    assert isinstance(imported, ast.ImportFrom)
    assert imported.module == "a"
    assert isinstance(starred, ast.Assign)
    assert isinstance(starred.value, ast.ListComp)
    assert isinstance(starred.value.elt, ast.Starred)
    assert isinstance(merged, ast.Assign)
    assert isinstance(merged.value, ast.DictComp)


def test_python_alone_refuses_what_it_does_not_know():
    text = "lazy import a\n"
    with pytest.raises(Refused, match="syntax error: invalid syntax"):
        cpython.parse(text)
    with pytest.raises(Refused):
        parse(text, "python")
