"""Which parameters of a test come from fixtures, and what the others are."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase
from socrates.model.suite.parametrize import argument_values, is_indirect, is_written_out

OpenModule = Callable[..., FileContext]


@pytest.mark.parametrize(
    ("decorator", "fixtures"),
    [
        pytest.param("@pytest.mark.slow", ("a", "b", "c"), id="none"),
        pytest.param("@pytest.mark.parametrize('a,b', [])", ("c",), id="parametrize"),
        pytest.param("@hypothesis.given(c=1)", ("a", "b"), id="hypothesis by keyword"),
        pytest.param("@hypothesis.given(1, 2)", ("a",), id="hypothesis by position"),
        pytest.param("@mock.patch('os.sep')", ("b", "c"), id="mock"),
        pytest.param("@mock.patch('os.sep', '/')", ("a", "b", "c"), id="mock with a value"),
        pytest.param("@mock.patch('os.sep', new='/')", ("a", "b", "c"), id="mock by keyword"),
        pytest.param("@mock.patch.object(os, 'sep')", ("b", "c"), id="mock of an attribute"),
        pytest.param("@mock.patch.object(os, 'sep', 1)", ("a", "b", "c"), id="attribute replaced"),
        pytest.param("@mock.patch.dict(os.environ)", ("a", "b", "c"), id="mock of a dictionary"),
        pytest.param("@mock.patch.multiple(os, a=1)", ("a", "b", "c"), id="mock of several"),
        pytest.param("@pytest.mark.parametrize(('b', 'c'), [])", ("a",), id="names in a tuple"),
        pytest.param("@pytest.mark.parametrize(argnames='b', argvalues=[])", ("a", "c"), id="kw"),
        pytest.param("@table", ("b", "c"), id="parametrize by a name"),
        pytest.param("@of('x')", ("a", "c"), id="parametrize by a function"),
    ],
)
def test_fixture_names(open_module: OpenModule, decorator: str, fixtures: tuple[str, ...]) -> None:
    text = (
        "import hypothesis, os, pytest\nfrom unittest import mock\n"
        "table = pytest.mark.parametrize('a', [1])\n"
        "def of(x):\n    return pytest.mark.parametrize('b', [x])\n"
        f"{decorator}\ndef test_it(a, b, c):\n    pass\n"
    )
    file = open_module({"test_x.py": text}, "test_x.py")
    assert file.tests[0].fixture_names == fixtures


@pytest.mark.parametrize(
    ("signature", "fixtures"),
    [
        pytest.param("a, b=1", ("a",), id="default"),
        pytest.param("a, /, b", ("a", "b"), id="positional only"),
        pytest.param("a, *, b, c=1", ("a", "b"), id="keyword only"),
        pytest.param("*args, **kwargs", (), id="any"),
    ],
)
def test_parameters_without_a_default_are_fixtures(
    open_module: OpenModule, signature: str, fixtures: tuple[str, ...]
) -> None:
    file = open_module(f"def test_it({signature}):\n    pass\n")
    assert file.tests[0].fixture_names == fixtures


ROWS = [
    pytest.param("'a', [1, 2]", ["1", "2"], id="one name"),
    pytest.param("'b,a', [(1, 2), [3, 4]]", ["2", "4"], id="second of two"),
    pytest.param("'b,a', [(1,), (3, 4)]", ["4"], id="row that is too short"),
    pytest.param("'b,a', [row]", ["row"], id="row that is not written out"),
    pytest.param("'b,a', [pytest.param(1, 2, id='x'), param(3)]", ["2"], id="param"),
    pytest.param("'a', {1}", ["1"], id="set"),
    pytest.param("'a', argvalues=(1,)", ["1"], id="by keyword"),
    pytest.param("'a', ROWS", ["ROWS"], id="whole table"),
    pytest.param("'a'", [], id="no table"),
    pytest.param("'b', [1]", [], id="other name"),
]


def parametrized(open_module: OpenModule, arguments: str) -> TestCase:
    text = f"import pytest\n@pytest.mark.parametrize({arguments})\ndef test_it(a, b=0):\n    pass\n"
    return open_module(text).tests[0]


@pytest.mark.parametrize(("arguments", "rows"), ROWS)
def test_values_of_a_parameter(open_module: OpenModule, arguments: str, rows: list[str]) -> None:
    test = parametrized(open_module, arguments)
    assert [ast.unparse(value) for value in argument_values(test, "a")] == rows


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [("'a', [1]", True), ("'a', (1,)", True), ("'a', ROWS", False), ("'b', ROWS", True)],
)
def test_written_out(open_module: OpenModule, arguments: str, expected: bool) -> None:
    assert is_written_out(parametrized(open_module, arguments), "a") is expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("'a', [1], indirect=True", True),
        ("'a', [1], True", True),
        ("'a', [1], indirect=False", False),
        ("'a,b', [(1, 2)], indirect=['a']", True),
        ("'a,b', [(1, 2)], indirect=('b',)", False),
        ("'a', [1]", False),
    ],
)
def test_indirect(open_module: OpenModule, arguments: str, expected: bool) -> None:
    assert is_indirect(parametrized(open_module, arguments), "a") is expected
