"""Examples that SOC106 reports: objects whose text is not their value."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.sensitive_equality.examples_shop import with_cart

REPORTED_OBJECTS = (
    Example(
        "texts of several objects",
        with_cart(
            """
            from shop import Cart

            def test_add():
                carts = [Cart().add("pear"), Cart().add("fig")]
                assert [str(cart) for cart in carts] == ["<Cart: pear>", "<Cart: fig>"]  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        note="Each element of the list is compared through its text.",
    ),
    Example(
        "dict of texts",
        with_cart(
            """
            from shop import Cart

            def test_add():
                carts = {"a": Cart().add("pear")}
                assert {name: str(cart) for name, cart in carts.items()} == {"a": "<Cart: pear>"}  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
    ),
    Example(
        "loop variable",
        with_cart(
            """
            from shop import Cart

            def test_add():
                for cart in [Cart().add("pear"), Cart("pear")]:
                    assert str(cart) == "<Cart: pear>"  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
    ),
    Example(
        "text in a nested function",
        with_cart(
            """
            from shop import Cart

            def test_add():
                def check(cart):
                    assert str(cart) == "<Cart: pear>"  # <-

                check(Cart().add("pear"))
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
    ),
    Example(
        "a collection is no primitive",
        with_cart(
            """
            from shop import Cart

            def test_add():
                items = list(Cart().add("pear").items)
                assert str(items) == "['pear']"  # <-
            """
        ),
        {"test_add": "warning: the text of `items` (`str`) is compared as a whole with text"},
    ),
    Example(
        "text that a class of the test inherits",
        with_cart(
            """
            from shop import Cart

            def test_child():
                class Basket(Cart):
                    pass

                assert str(Basket("pear")) == "<Cart: pear>"  # <-
            """
        ),
        {
            "test_child": "warning: the text of `Basket('pear')` (`str`) is compared as a whole with text"
        },
        note="The text method is not what a test is about that makes a class of its own.",
    ),
    Example(
        "a number with a text of its own is no primitive",
        {
            "shop.py": """
            class Price(int):
                def __str__(self):
                    return f'{int(self)} EUR'

                __repr__ = __str__

                def __repr__(self):
                    return f'<{self}>'
            """,
            "test_shop.py": """
            from shop import Price

            def test_price():
                price = Price(3)
                assert price == 3
                assert str(price) == '3 EUR'  # <-
            """,
        },
        {"test_price": "warning: the text of `price` (`str`) is compared as a whole with text"},
    ),
    Example(
        "text beside other assertions",
        with_cart(
            """
            from shop import Cart

            def test_new():
                cart = Cart("pear")
                assert cart.items == ("pear",)
                assert str(cart) == "<Cart: pear>"  # <-
            """
        ),
        {"test_new": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        note="The class defines the text, but the test is not about it alone.",
    ),
)
