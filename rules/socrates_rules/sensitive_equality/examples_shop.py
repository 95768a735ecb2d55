"""The production code that the examples of SOC106 test."""

from __future__ import annotations

from collections.abc import Mapping

CART = """
    class Cart:
        def __init__(self, *items):
            self.items = items

        def add(self, item):
            return Cart(*self.items, item)

        def __str__(self):
            return f"<Cart: {', '.join(self.items)}>"
    """
"""A class with a text method, and without equality."""

MONEY = """
    from dataclasses import dataclass

    @dataclass
    class Money:
        amount: int

        def add(self, other):
            return Money(self.amount + other.amount)
    """
"""A record: a class that is compared by its fields."""


def with_cart(test: str) -> Mapping[str, str]:
    """A test module beside a shop with a ``Cart``."""
    return {"shop.py": CART, "test_shop.py": test}


def with_money(test: str) -> Mapping[str, str]:
    """A test module beside a shop with ``Money``."""
    return {"shop.py": MONEY, "test_shop.py": test}
