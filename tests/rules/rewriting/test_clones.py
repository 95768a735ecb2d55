"""What differs between tests of one shape, as the columns of a table."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates_rules.rewriting.clones import columns

OpenModule = Callable[..., FileContext]

MODULE = """\
import unittest
from imported import I1, I2
from shop import Closed, Shop, Size, shorten
import limits

A1, A2 = 1, 2
B1 = 1
B2 = 2

def f1(): pass
def f2(): pass

class C1: pass
class C2: pass

def test_1(case):
{one}

def test_2(case):
{two}

D1 = 1
D2 = 2
"""
SHOP = """\
import enum

class Size(enum.Enum):
    S1 = 1
    S2 = 2
    _ignored1 = 1
    _ignored2 = 2

class Closed:
    DAY1 = "sunday"
    DAY2 = "monday"
    ROOMS1 = []
    ROOMS2 = []
    low1 = 1
    low2 = 2

class Shop(Closed):
    def sell(self, item, price): ...

def shorten(text, width=5): ...
"""

DIFFERENCES = {
    "by the parameter": ("shorten('aN')", ["text: 'a1' 'a2'"]),
    "by the second parameter": ("shorten('a', N)", ["width: 1 2"]),
    "by the parameter of a method": ("Shop().sell('a', N)", ["price: 1 2"]),
    "by the keyword": ("shorten('a', width=N)", ["width: 1 2"]),
    "by the keyword of something unknown": ("print('a', end=N)", ["end: 1 2"]),
    "by the variable": ("x = [shorten('a'), N]", ["value: 1 2"]),
    "by the variable that holds it": ("size = N\nshorten('a', size)", ["size: 1 2"]),
    "by a variable that is assigned twice": (
        "size = N\nsize = size + 1\nshorten('a', size)",
        ["size_2: 1 2"],
    ),
    "what is expected": ("assert shorten('a') == N", ["expected: 1 2"]),
    "what is expected, on the left": ("assert N == shorten('a')", ["expected: 1 2"]),
    "what is expected by a method": ("case.assertEqual(shorten('a'), N)", ["expected: 1 2"]),
    "what a method expects first": ("case.assertEqual(N, shorten('a'))", ["expected: 1 2"]),
    "what has no name": ("print(N)", ["value: 1 2"]),
    "two of no name": ("print(N, -N)", ["value: 1 2", "value_2: -1 -2"]),
    "a name that is taken": ("text = shorten\ntext('aN')\nprint(text)", ["text_2: 'a1' 'a2'"]),
    "a parameter of the test that is taken": ("print(case=N)", ["case_2: 1 2"]),
    "equal values, once": ("assert shorten('aN') == 'aN'", ["text: 'a1' 'a2'"]),
    "equal lists, twice": ("assert shorten([N]) == [N]", ["text: [1] [2]", "expected: [1] [2]"]),
    "negative numbers and collections": (
        "print((-N, {'a': N}))",
        ["value: (-1, {'a': 1}) (-2, {'a': 2})"],
    ),
    "constants of the module": ("shorten(BN)", ["text: B1 B2"]),
    "imported names": ("shorten(IN)", ["text: I1 I2"]),
    "functions of the module": ("shorten(fN)", ["text: f1 f2"]),
    "classes of the module": ("shorten(CN)", ["text: C1 C2"]),
    "members of an enumeration": ("shorten(Size.SN)", ["text: Size.S1 Size.S2"]),
    "members of an enumeration in a list": (
        "shorten([Size.SN, 3])",
        ["text: [Size.S1, 3] [Size.S2, 3]"],
    ),
    "a variable that holds a member": ("size = Size.SN\nprint(size)", ["size: Size.S1 Size.S2"]),
    "constants of a class": ("shorten(Closed.DAYN)", ["text: Closed.DAY1 Closed.DAY2"]),
    "constants of its base": ("shorten(Shop.DAYN)", ["text: Shop.DAY1 Shop.DAY2"]),
    "constants of another module": ("shorten(limits.MAXN)", ["text: limits.MAX1 limits.MAX2"]),
    "equal members, once": ("assert shorten(Size.SN) == Size.SN", ["text: Size.S1 Size.S2"]),
    "a list that is the same": ("print([1], N)", ["value: 1 2"]),
    "one of two names for a parameter": (
        "shorten('aN', width=N)",
        ["text: 'a1' 'a2'", "width: 1 2"],
    ),
    "more arguments than are known": ("print(shorten('a', 1, N))", ["value: 1 2"]),
    "what is expected of another comparison": ("assert shorten('a') > N", ["expected: 1 2"]),
    "a comparison of two literals": ("assert N == 3", ["value: 1 2"]),
    "a chain": ("assert 0 < case < N", ["value: 1 2"]),
    "what an unknown method compares": ("case.assertSame(case, N)", ["value: 1 2"]),
    "what another method gets": ("case.checkEqual(case, N)", ["value: 1 2"]),
    "a keyword that is no name here": ("print(**{'a': N})", ["value: {'a': 1} {'a': 2}"]),
    "a variable of two": ("x = y = N\nprint(x)", ["value: 1 2"]),
    "a variable in a block": ("if case:\n    size = N", ["size_2: 1 2"]),
    "a variable that is not a literal": ("size = case.get(N)\nprint(size)", ["value: 1 2"]),
    "an attribute": ("case.size = N", ["value: 1 2"]),
    "a text with fields that is the same": ("print(f'{case}', N)", ["value: 1 2"]),
    "the same global name": ("print(B1, N)", ["value: 1 2"]),
    "three of one name": (
        "print(end=N), print(end=-N), print(end=[N])",
        ["end: 1 2", "end_2: -1 -2", "end_3: [1] [2]"],
    ),
    "sets": ("print({N})", ["value: {1} {2}"]),
    "positive numbers": ("print(+N)", ["value: +1 +2"]),
    "not of a number": ("print(not N)", ["value: 1 2"]),
    "a dictionary with another in it": ("print({**case, 'a': N})", ["value: 1 2"]),
    "local names": ("xN = shorten('a')\nprint(xN)", []),
    "nothing": ("shorten('a')", []),
}


def opened(open_module: OpenModule, one: str, two: str) -> FileContext:
    text = MODULE.format(one=indent(one, " " * 4), two=indent(two, " " * 4))
    return open_module({"shop.py": SHOP, "limits.py": "MAX1 = 1\nMAX2 = 2\n", "test_it.py": text})


@pytest.mark.parametrize(
    ("body", "expected"), [pytest.param(*case, id=name) for name, case in DIFFERENCES.items()]
)
def test_columns(open_module: OpenModule, body: str, expected: list[str]) -> None:
    file = opened(open_module, body.replace("N", "1"), body.replace("N", "2"))
    found = [
        f"{column.name}: {' '.join(ast.unparse(value) for value in column.values)}"
        for column in columns(file, file.tests)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("assert case == 1", "assert 2 == case", ["1 2"], id="equal"),
        pytest.param("assert case != 1", "assert 2 != case", ["1 2"], id="not equal"),
        pytest.param(
            "case.assertEqual(case, 1)", "case.assertEqual(2, case)", ["1 2"], id="assertEqual"
        ),
        pytest.param(
            "case.assertNotEqual(1, case)", "case.assertNotEqual(case, 2)", ["1 2"], id="Not"
        ),
        pytest.param("assert case == 1", "assert 2 != case", None, id="another operator"),
        pytest.param("assert case < 1", "assert 2 < case", None, id="an order"),
        pytest.param("case.assertIn(case, 1)", "case.assertIn(2, case)", None, id="assertIn"),
        pytest.param(
            "case.assertEqual(case, 1)", "case.assertNotEqual(2, case)", None, id="another method"
        ),
    ],
)
def test_sides_that_are_turned(
    open_module: OpenModule, one: str, two: str, expected: list[str] | None
) -> None:
    file = opened(open_module, one, two)
    try:
        found: list[str] | None = [
            " ".join(ast.unparse(value) for value in column.values)
            for column in columns(file, file.tests)
        ]
    except NoFix:
        found = None
    assert found == expected


def test_builtins_are_values(open_module: OpenModule) -> None:
    file = opened(open_module, "print(int)", "print(str)")
    [column] = columns(file, file.tests)
    assert [ast.unparse(value) for value in column.values] == ["int", "str"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param("print(1)", "print(1)\nprint(2)", id="more statements"),
        pytest.param("print(1)", "assert 1", id="other statements"),
        pytest.param("print(1 + 1)", "print(1 - 1)", id="another operator"),
        pytest.param("print(case.a)", "print(case.b)", id="another attribute"),
        pytest.param("print(1)", "print(1, 2)", id="more arguments"),
        pytest.param("print(a=1)", "print(b=1)", id="another keyword"),
        pytest.param("print(D1)", "print(D2)", id="names that are defined below"),
        pytest.param("print(U1)", "print(U2)", id="unknown names"),
        pytest.param("x = 1\nprint(x)", "x = 1\nprint(B1)", id="a local and a global name"),
        pytest.param(
            "x = len('a')\ny = len('b')\nprint(x)",
            "x = len('a')\ny = len('b')\nprint(y)",
            id="another local name",
        ),
        pytest.param("print(1)", "print(len('a'))", id="a value and a call"),
        pytest.param("print(f'{case}')", "print(f'{case}a')", id="texts with fields"),
        pytest.param("print(1)", "len(1)", id="another function"),
        pytest.param("x = 1\nprint(x)", "print(1)\nx = 1", id="an assignment and a call"),
        pytest.param("case.x = 1", "case.y = 1", id="another attribute that is assigned"),
        pytest.param("x = 1\nprint(x)", "x = y = 1\nprint(x)", id="one target and two"),
        pytest.param("print(B1)", "x = 1\nprint(x)", id="a global name and a local one"),
        pytest.param("print(Size._ignored1)", "print(Size._ignored2)", id="no members"),
        pytest.param("print(Size.S1)", "print(Size.S3)", id="a member that is not known"),
        pytest.param("print(Closed.low1)", "print(Closed.low2)", id="small letters"),
        pytest.param("print(Closed.ROOMS1)", "print(Closed.ROOMS2)", id="lists of a class"),
        pytest.param("print(I1.DAY1)", "print(I1.DAY2)", id="constants of other people's code"),
        pytest.param(
            "Size = case\nprint(Size.S1)", "Size = case\nprint(Size.S2)", id="a local name"
        ),
        pytest.param(
            "Closed.DAY1 = 1\nprint(Closed.DAY1)",
            "Closed.DAY2 = 2\nprint(Closed.DAY2)",
            id="constants that are assigned",
        ),
        pytest.param(
            "case('shop.Closed.DAY1')\nprint(Closed.DAY1)",
            "case('shop.Closed.DAY2')\nprint(Closed.DAY2)",
            id="constants that may be patched",
        ),
    ],
)
def test_difference_that_is_no_value(open_module: OpenModule, one: str, two: str) -> None:
    file = opened(open_module, one, two)
    with pytest.raises(NoFix):
        columns(file, file.tests)
