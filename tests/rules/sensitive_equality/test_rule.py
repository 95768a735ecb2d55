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
