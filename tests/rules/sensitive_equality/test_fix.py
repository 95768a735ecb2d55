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
    assert (fixed.text, bool(fixed.before)) == (text, True)
