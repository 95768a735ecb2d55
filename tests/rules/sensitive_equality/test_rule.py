"""A test without the smell hides none of those after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.sensitive_equality.examples_shop import CART
from socrates_rules.sensitive_equality.rule import SensitiveEquality

NAME = "test_example.py"
SMELLY = "def test_add():\n    cart = Cart().add('a')\n    assert str(cart) == 'Cart(a)'\n"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("def test_plain():\n    assert 1 == 1\n", id="without a comparison of texts"),
        pytest.param("def test_number():\n    assert str(3) == '3'\n", id="text of a number"),
        pytest.param("def test_str():\n    assert str(Cart()) == 'Cart()'\n", id="about its text"),
    ],
)
def test_the_next_test_is_looked_at(before: str, open_module: Callable[..., FileContext]) -> None:
    text = f"from shop import Cart\n\n{before}\n\n{SMELLY}"
    file = open_module({"shop.py": CART, NAME: text}, NAME)
    found = [finding.test for finding in SensitiveEquality().check(file)]
    assert found == [f"{NAME}::test_add"]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        pytest.param("assertEqual(str(cart), 'Cart(a)')", 1, id="first side"),
        pytest.param("assertEqual('Cart(a)', str(cart))", 1, id="second side"),
        pytest.param("assertEqual(cart.items, ['a'], str(cart))", 0, id="message"),
        pytest.param("assertIn('a', str(cart))", 1, id="searched"),
        pytest.param("assertIn('a', cart.items, str(cart))", 0, id="message of a search"),
    ],
)
def test_sides_of_an_assertion(
    call: str, found: int, open_module: Callable[..., FileContext]
) -> None:
    text = (
        "import unittest\nfrom shop import Cart\n\nclass CartTest(unittest.TestCase):\n"
        f"    def test_add(self):\n        cart = Cart().add('a')\n        self.{call}\n"
    )
    file = open_module({"shop.py": CART, NAME: text}, NAME)
    assert len(list(SensitiveEquality().check(file))) == found
