"""Lines as a project writes them: quotes, tabs, what is joined, what is broken, and where."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from socrates.findings import Span
from socrates.fix import Edit, NoFix
from socrates.model.context import FileContext
from socrates_rules.rewriting import layout

OpenModule = Callable[..., FileContext]
FORMATTED = "[tool.ruff]\nline-length = 40\n[tool.ruff.format]\n"
PLAIN = "[tool.ruff]\nline-length = 40\n"


@pytest.fixture
def narrow(open_module: OpenModule) -> Callable[..., FileContext]:
    """A file whose lines have room for 40 characters."""

    def make(settings: str = PLAIN, text: str = "def test_it(): pass\n") -> FileContext:
        return open_module({"pyproject.toml": settings, "test_it.py": text})

    return make


@pytest.mark.parametrize(
    ("style", "file", "text", "expected"),
    [
        pytest.param("double", "", "a", '"a"', id="the project's"),
        pytest.param("single", "", "a", "'a'", id="the project's other"),
        pytest.param("double", "", 'a"', "'a\"'", id="others where they stand in the text"),
        pytest.param("single", "", "a'", '"a\'"', id="double ones around single ones"),
        pytest.param("double", "", "'\"", '"\'\\""', id="escaped where both stand in it"),
        pytest.param("double", "", "a\\", '"a\\\\"', id="backslash"),
        pytest.param("preserve", "x = 'a'", "a", "'a'", id="those of the file"),
        pytest.param("preserve", "x = \"a\"; y = 'b'", "a", '"a"', id="as many of each"),
    ],
)
def test_quotes(
    narrow: Callable[..., FileContext], style: str, file: str, text: str, expected: str
) -> None:
    settings = f'[tool.ruff.format]\nquote-style = "{style}"\n'
    assert layout.quoted(text, narrow(settings, f"{file}\n")) == expected


def test_text_that_can_not_be_printed(narrow: Callable[..., FileContext]) -> None:
    with pytest.raises(NoFix, match="not printable"):
        layout.quoted("a\n", narrow())


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        *((f"# {word}", True) for word in ("type: ignore", "noqa", "pragma: no cover", "nosec")),
        *((f"# {word}", True) for word in ("pylint: disable=x", "pyright: ignore", "fmt: skip")),
        *((f"# {word}", True) for word in ("NoQA", "isort: skip", "socrates: ignore", "ruff: x")),
        *((f"# {word}", False) for word in ("types differ", "a format", "see pylint")),
    ],
)
def test_comment_for_a_tool(comment: str, expected: bool) -> None:
    assert layout.silences_a_tool(comment) is expected


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param("if a:\n\tb\n", "a\n\tb\n\t\tc", id="file with tabs"),
        pytest.param("if a:\n    b\n", "a\n    b\n        c", id="file with spaces"),
    ],
)
def test_indentation(narrow: Callable[..., FileContext], file: str, expected: str) -> None:
    assert layout.indented("a\n    b\n        c", narrow(text=file)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("a  +  b", "a  +  b", id="one line stays as it is"),
        pytest.param("f(\n    a,\n    b\n)", "f(a, b)", id="arguments"),
        pytest.param("f(\n    a,\n)", None, id="comma before the bracket"),
        pytest.param("f(\n    a  # why\n)", None, id="comment"),
        pytest.param("(\n'a'\n'b'\n)", None, id="texts one after another"),
        pytest.param("f('''\n''')", None, id="text over several lines"),
        pytest.param("a\n.b\n.c()", "a.b.c()", id="dots at the beginning"),
        pytest.param("a.\nb", "a.b", id="dot at the end"),
        pytest.param("a\n+ b", "a + b", id="operator"),
        pytest.param("[\n  1,\n  {2:\n 3}\n]", "[1, {2: 3}]", id="brackets in brackets"),
        pytest.param("f(\r\na)", "f(a)", id="lines that end like those of Windows"),
        pytest.param("f(\n'", None, id="no code at all"),
    ],
)
def test_one_line(code: str, expected: str | None) -> None:
    assert layout.in_one_line(code) == expected


@pytest.mark.parametrize(
    ("arguments", "column", "expected"),
    [
        pytest.param(["a" * 18, "b" * 17], 0, 1, id="just fits"),
        pytest.param(["a" * 17, "b" * 17], 2, 4, id="one too far to the right"),
        pytest.param(["a" * 17, "b" * 17], 1, 1, id="one shorter"),
        pytest.param(["a" * 17, "b" * 17], 5, 4, id="all in the next line are too long"),
        pytest.param(["(\n)", "b" * 60], 0, 1, id="broken already"),
    ],
)
def test_lines_of_a_call(
    narrow: Callable[..., FileContext], arguments: list[str], column: int, expected: int
) -> None:
    assert len(layout.call("f", arguments, column, narrow())) == expected


def test_call_with_one_argument_per_line(narrow: Callable[..., FileContext]) -> None:
    lines = layout.call("f", ["a" * 30, "b" * 30], 0, narrow(text="if a:\n\tb\n"))
    assert lines == ["f(", f"\t{'a' * 30},", f"\t{'b' * 30},", ")"]


def test_call_with_arguments_in_the_next_line(narrow: Callable[..., FileContext]) -> None:
    lines = layout.call("function", ["a" * 17, "b" * 17], 0, narrow())
    assert lines == ["function(", f"    {'a' * 17}, {'b' * 17}", ")"]


@pytest.mark.parametrize(
    ("settings", "arguments", "message"),
    [
        pytest.param(PLAIN, ["a" * 35, "b" * 36], "longer than 40", id="too long in its own line"),
        pytest.param(FORMATTED, ["(\n)"], "formatter", id="broken, and a formatter is there"),
    ],
)
def test_call_without_room(
    narrow: Callable[..., FileContext], settings: str, arguments: list[str], message: str
) -> None:
    with pytest.raises(NoFix, match=message):
        layout.call("f", arguments, 0, narrow(settings))


@pytest.mark.parametrize(
    ("settings", "line", "column"),
    [
        pytest.param(PLAIN, "a" * 30, 10, id="just fits"),
        pytest.param(PLAIN, f"{'a' * 50}\n", 0, id="several lines without a formatter"),
    ],
)
def test_line_with_room(
    narrow: Callable[..., FileContext], settings: str, line: str, column: int
) -> None:
    assert layout.require_room(line, column, narrow(settings)) == line


@pytest.mark.parametrize(
    ("settings", "line", "message"),
    [
        pytest.param(PLAIN, "a" * 31, "longer than 40", id="too long"),
        pytest.param(FORMATTED, "a\nb", "formatter", id="several lines with a formatter"),
    ],
)
def test_line_without_room(
    narrow: Callable[..., FileContext], settings: str, line: str, message: str
) -> None:
    with pytest.raises(NoFix, match=message):
        layout.require_room(line, 10, narrow(settings))


PLACE = Span(1, 1, 1, 1)
LONG = "x = " + "a" * 40


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("y = " + "b" * 36, id="just fits"),
        pytest.param(f"    {LONG},", id="too long before, too"),
    ],
)
def test_edit_that_fits(narrow: Callable[..., FileContext], line: str) -> None:
    edit = Edit(PLACE, line)
    assert layout.fitting([edit], narrow(text=f"{LONG}\n")) == (edit,)


def test_edit_that_does_not_fit(narrow: Callable[..., FileContext]) -> None:
    with pytest.raises(NoFix, match="longer than 40"):
        layout.fitting([Edit(PLACE, "y = " + "b" * 37)], narrow(text=f"{LONG}\n"))


def function(code: str) -> cst.FunctionDef:
    """The function that code defines."""
    made = cst.parse_statement(code)
    assert isinstance(made, cst.FunctionDef), "it is a function"
    return made


@pytest.mark.parametrize(
    ("head", "column", "expected"),
    [
        pytest.param("f(a,\n      b)", 0, "f(a, b)", id="fits into one line"),
        pytest.param(f"f({'a' * 32})", 0, f"f({'a' * 32})", id="just fits"),
        pytest.param(f"f({'a' * 33})", 0, f"f(\n    {'a' * 33}\n)", id="one too long"),
        pytest.param(f"f({'a' * 32})", 1, f"f(\n    {'a' * 32}\n)", id="one too far right"),
        pytest.param(f"f({'a' * 37})", 0, f"f(\n    {'a' * 37},\n)", id="too long for the next"),
        pytest.param("f(a, b,)", 0, "f(\n    a,\n    b,\n)", id="a comma at the end"),
        pytest.param("f(a, *b)", 0, "f(a, *b)", id="any number"),
        pytest.param("f(a,  *, b)", 0, "f(a,  *, b)", id="by name only"),
        pytest.param("f(a,  /, b)", 0, "f(a,  /, b)", id="by place only"),
        pytest.param("f(a,  **b)", 0, "f(a,  **b)", id="any names"),
        pytest.param("f(a,  # why\n  b)", 0, "f(a,  # why\n  b)", id="a comment"),
        pytest.param("f()", 0, "f()", id="none"),
    ],
)
def test_parameters(
    narrow: Callable[..., FileContext], head: str, column: int, expected: str
) -> None:
    made = layout.signed(function(f"def {head}: pass"), column, narrow())
    assert cst.Module([made]).code == f"def {expected}: pass\n"


def test_what_a_function_returns_takes_room(narrow: Callable[..., FileContext]) -> None:
    made = layout.signed(function(f"def f({'a' * 29}) -> None: pass"), 0, narrow())
    assert cst.Module([made]).code == f"def f(\n    {'a' * 29}\n) -> None: pass\n"


def test_async_takes_room(narrow: Callable[..., FileContext]) -> None:
    made = layout.signed(function(f"async def f({'a' * 28}): pass"), 0, narrow())
    assert cst.Module([made]).code == f"async def f(\n    {'a' * 28}\n): pass\n"


@pytest.mark.parametrize(
    "head", ["f(a, *b)", "f(a, *, b)", "f(a, /)", "f(**a)", "f(a,  # why\n b)"]
)
def test_parameters_that_a_formatter_may_lay_out_otherwise(
    narrow: Callable[..., FileContext], head: str
) -> None:
    with pytest.raises(NoFix, match="formatter"):
        layout.signed(function(f"def {head}: pass"), 0, narrow(FORMATTED))


BEFORE = """\
def f():
    old(
        1
    )
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("new(\n        1\n    )", "new(1)", id="changed"),
        pytest.param("old(\n        1\n    )", "old(\n        1\n    )", id="as before"),
        pytest.param("assert (\n        a\n    )", "assert a", id="assertion in brackets"),
        pytest.param("assert (\n        a\n    ), b", "assert (a), b", id="with a message"),
        pytest.param("new(\n        1,\n    )", "new(\n        1,\n    )", id="can't be joined"),
        pytest.param(f"n(\n    {'a' * 33})", f"n({'a' * 33})", id="just fits"),
        pytest.param(f"n(\n    {'a' * 34})", f"n(\n    {'a' * 34})", id="too long"),
        pytest.param("a; n(\n        1\n    )", "a; n(\n        1\n    )", id="two in a line"),
        pytest.param("n(\n        1\n    )  # why", "n(1)  # why", id="a comment behind it"),
    ],
)
def test_joined_statement(narrow: Callable[..., FileContext], line: str, expected: str) -> None:
    changed = function(f"def f():\n    {line}\n")
    made = layout.joined(changed, function(BEFORE), 0, narrow())
    assert cst.Module([made]).code == f"def f():\n    {expected}\n"


def test_deeper_statement_has_less_room(narrow: Callable[..., FileContext]) -> None:
    code = f"def f():\n    if a:\n        n(\n            {'a' * 30})\n"
    made = layout.joined(function(code), function(BEFORE), 0, narrow())
    assert cst.Module([made]).code == code


def test_statement_that_a_formatter_would_lay_out_otherwise(
    narrow: Callable[..., FileContext],
) -> None:
    changed = function("def f():\n    new(\n        1,\n    )\n")
    with pytest.raises(NoFix, match="formatter"):
        layout.joined(changed, function(BEFORE), 0, narrow(FORMATTED))


def test_loop_in_the_place_of_a_statement_keeps_its_comments() -> None:
    old = cst.parse_module("a\n# above\nassert all(a)  # behind\n").body[1]
    assert isinstance(old, cst.SimpleStatementLine), "it is a statement"
    made = layout.statement(["for x in a:", "    assert x"], old)
    assert cst.Module([made]).code == "# above\nfor x in a:  # behind\n    assert x\n"
