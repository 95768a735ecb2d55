"""SOC106: records are compared themselves."""

from __future__ import annotations

import pytest

SHOP = {
    "shop.py": """\
    from dataclasses import dataclass


    @dataclass
    class Money:
        amount: int

        def add(self, other):
            return Money(self.amount + other.amount)


    @dataclass(eq=False)
    class Account:
        money: int

        def pay(self):
            return self


    class Plain:
        def run(self):
            return self
    """
}
HEAD = "from shop import Account, Money, Plain\n\n\n"


@pytest.mark.parametrize(
    "comparison",
    [
        pytest.param("repr(m) == 'Money(3)'", id="with a text"),
        pytest.param("repr(Plain().run()) == repr(Plain().run())", id="no record"),
        pytest.param("repr(Account(1).pay()) == repr(Account(1).pay())", id="no equality"),
        pytest.param("repr(m) == str(m)", id="texts of two kinds"),
        pytest.param("repr(m) == repr(Account(3))", id="two classes"),
    ],
)
def test_left_alone(fix_text, comparison: str) -> None:
    text = f"{HEAD}def test_add():\n    m = Money(1).add(Money(2))\n    assert {comparison}\n"
    fixed = fix_text(text, "SOC106", SHOP)
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


POINT = """\
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: str
"""
SHOWN = """\
from point import Point


def test_move():
    point = Point(1, "a")
    assert {left} == {right}
"""
TEXT = "\"Point(x=1, y='a')\""


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        pytest.param("repr(point)", TEXT, '(point.x, point.y) == (1, "a")', id="object first"),
        pytest.param(TEXT, "str(point)", '(1, "a") == (point.x, point.y)', id="text first"),
        pytest.param(
            "repr(point)",
            "\"Point(x=['a', 2], y=(1, 'b'))\"",
            '(point.x, point.y) == (["a", 2], (1, "b"))',
            id="collections",
        ),
        pytest.param(
            "repr(point)",
            "\"Point(x=('a',), y={1: 2})\"",
            '(point.x, point.y) == (("a",), {1: 2})',
            id="one thing, and a dictionary",
        ),
    ],
)
def test_text_that_shows_all_fields(fix_text, left: str, right: str, expected: str) -> None:
    fixed = fix_text(SHOWN.format(left=left, right=right), "SOC106", {"point.py": POINT})
    assert f"    assert {expected}\n" in fixed.text


@pytest.mark.parametrize(
    ("text", "point"),
    [
        pytest.param("'Point(x=1)'", POINT, id="a field is not shown"),
        pytest.param("'<Point>'", POINT, id="another text"),
        pytest.param(
            TEXT, f"{POINT}\n    def __repr__(self): return 'p'\n", id="a text of its own"
        ),
        pytest.param("'Point(x=f(), y=1)'", POINT, id="no literal"),
        pytest.param("'Place(x=1, y=1)'", POINT, id="another class"),
        pytest.param("'Point(1, y=1)'", POINT, id="a field without its name"),
        pytest.param("'Point(y=1, x=1)'", POINT, id="another order"),
        pytest.param("\"Point(x=1, y={'a': 1})\"", POINT, id="a text in a dictionary"),
        pytest.param("'Point('", POINT, id="no code"),
        pytest.param("b'Point(x=1, y=1)'", POINT, id="no text"),
        pytest.param(TEXT, POINT.replace("@dataclass\n", ""), id="no record"),
        pytest.param(TEXT, POINT.replace("Point:", "Point(list):"), id="a base"),
        pytest.param(TEXT, f"{POINT}\n    def __str__(self): return 'p'\n", id="its own str"),
        pytest.param(TEXT, f"{POINT}\n    def __format__(self, f): return 'p'\n", id="format"),
    ],
)
def test_text_that_does_not_show_how_to_compare(fix_text, text: str, point: str) -> None:
    before = SHOWN.format(left="repr(point)", right=text)
    assert fix_text(before, "SOC106", {"point.py": point}).text == before


@pytest.mark.parametrize("shown", ["repr(point, 1)", "repr(Point(1, 'a'))", "ascii(point)"])
def test_object_that_can_not_be_asked_twice(fix_text, shown: str) -> None:
    before = SHOWN.format(left=shown, right=TEXT)
    assert fix_text(before, "SOC106", {"point.py": POINT}).text == before


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        pytest.param("assertEqual", True, id="equal"),
        pytest.param("assertNotEqual", False, id="not equal"),
    ],
)
def test_text_that_a_method_compares(fix_text, method: str, expected: bool) -> None:
    head = "import unittest\nfrom point import Point\n\n\nclass PointTest(unittest.TestCase):\n"
    body = f'        point = Point(1, "a")\n        self.{method}(repr(point), {TEXT})\n'
    fixed = fix_text(f"{head}    def test_move(self):\n{body}", "SOC106", {"point.py": POINT})
    assert ('(point.x, point.y), (1, "a")' in fixed.text) is expected


def test_record_of_one_field_is_compared_without_brackets(fix_text) -> None:
    point = POINT.replace("    y: str\n", "")
    fixed = fix_text(
        SHOWN.format(left="repr(point)", right="'Point(x=1)'"), "SOC106", {"point.py": point}
    )
    assert "    assert point.x == 1\n" in fixed.text
