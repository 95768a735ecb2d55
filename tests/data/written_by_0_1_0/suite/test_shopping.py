from pathlib import Path

import pytest
from cart import Cart


def test_articles_come_and_go():
    cart = Cart()
    cart.add("pen", 1)
    assert cart.items == {"pen": 1}
    cart.remove("pen")
    assert cart.items == {}
    cart.empty()
    assert cart.items == {}


def test_price_of_cheap_mugs():
    assert Cart({"mug": 2}).price(1) == 2


def test_price_of_mugs():
    assert Cart({"mug": 2}).price(8) == 16


def test_price_of_dear_mugs():
    assert Cart({"mug": 2}).price(90) == 180


def test_articles_of_a_cart():
    cart = Cart({"mug": 2})
    assert str(cart.items) == "{'mug': 2}"


def test_cart_of_last_year():
    cart = Cart()
    cart.add(Path("/var/carts/last-year.txt").read_text(), 1)
    assert len(cart.items) == 1


class TestCarts:
    @pytest.fixture(autouse=True)
    def setup(self):
        self.one = Cart()
        self.other = Cart()

    def test_a_cart_is_empty(self):
        assert self.one.items == {}
