"""The production code that the examples of SOC106 test."""

from __future__ import annotations

from collections.abc import Mapping

CART = """
    from dataclasses import dataclass

    @dataclass
    class Cart:
        items: tuple = ()

        def add(self, item):
            return Cart((*self.items, item))
    """
"""A record, which Python gives a text and an equality."""

LABEL = """
    class Label:
        def __init__(self, text):
            self.text = text

        def upper(self):
            return Label(self.text.upper())

        def __str__(self):
            return f"<{self.text}>"
    """
"""A class with a text of its own."""

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


def with_label(test: str) -> Mapping[str, str]:
    """A test module beside a shop with a ``Label``."""
    return {"shop.py": LABEL, "test_shop.py": test}


def with_money(test: str) -> Mapping[str, str]:
    """A test module beside a shop with ``Money``."""
    return {"shop.py": MONEY, "test_shop.py": test}
