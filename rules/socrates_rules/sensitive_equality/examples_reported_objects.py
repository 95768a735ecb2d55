"""Examples that SOC106 reports: objects whose text is not their value."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.sensitive_equality.examples_shop import with_cart, with_label

REPORTED_OBJECTS = (
    Example(
        "texts of several objects",
        with_cart(
            """
            from shop import Cart

            def test_add():
                carts = [Cart().add("pear"), Cart().add("fig")]
                assert [str(cart) for cart in carts] == ["Cart(items=('pear',))", "Cart(items=('fig',))"]  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        note="Each element of the list is compared through its text.",
    ),
    Example(
        "loop variable",
        with_cart(
            """
            from shop import Cart

            def test_add():
                for cart in [Cart().add("pear"), Cart(("pear",))]:
                    assert str(cart) == "Cart(items=('pear',))"  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        fixed=unsafe(
            """
            from shop import Cart

            def test_add():
                for cart in [Cart().add("pear"), Cart(("pear",))]:
                    assert cart.items == ("pear",)
            """
        ),
    ),
    Example(
        "text in a nested function",
        with_cart(
            """
            from shop import Cart

            def test_add():
                def check(cart: Cart):
                    assert str(cart) == "Cart(items=('pear',))"  # <-

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
        {"test_add": "info: the text of `items` (`str`) is compared as a whole with text"},
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
        {"test_price": "info: the text of `price` (`str`) is compared as a whole with text"},
    ),
    Example(
        "text beside other assertions",
        with_label(
            """
            from shop import Label

            def test_upper():
                label = Label("pear").upper()
                assert label.text == "PEAR"
                assert str(label) == "<PEAR>"  # <-
            """
        ),
        {"test_upper": "info: the text of `label` (`str`) is compared as a whole with text"},
        note="What is checked of `label` is more than its text, which the class words itself.",
        page=True,
    ),
    Example(
        "text beside what is read into a variable",
        with_label(
            """
            from shop import Label

            def test_upper():
                label = Label("pear").upper()
                text = label.text
                assert text == "PEAR"
                assert "PEAR" in str(label)  # <-
            """
        ),
        {"test_upper": "info: the text of `label` (`str`) is searched for text"},
    ),
    Example(
        "text beside an exception",
        with_label(
            """
            import pytest

            from shop import Label

            def test_upper():
                label = Label("pear")
                with pytest.raises(TypeError):
                    label.upper(1)
                assert str(label) == "<pear>"  # <-
            """
        ),
        {"test_upper": "info: the text of `label` (`str`) is compared as a whole with text"},
    ),
    Example(
        "two objects compared by texts of their own",
        with_label(
            """
            from shop import Label

            def test_upper():
                assert str(Label("pear").upper()) == str(Label("PEAR"))  # <-
            """
        ),
        {
            "test_upper": "info: the text of `Label('pear').upper()` (`str`) is compared as a whole with the text of `Label('PEAR')`"
        },
    ),
    Example(
        "copy compared by its text",
        with_label(
            """
            import copy

            from shop import Label

            def test_copy():
                label = Label("pear")
                assert str(copy.copy(label)) == str(label)  # <-
            """
        ),
        {
            "test_copy": "info: the text of `copy.copy(label)` (`str`) is compared as a whole with the text of `label`"
        },
    ),
    Example(
        "type asserted before",
        with_cart(
            """
            from shop import Cart

            def test_add(load):
                cart = load("cart")
                assert isinstance(cart, Cart)
                assert str(cart) == "Cart(items=('pear',))"  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        fixed=unsafe(
            """
            from shop import Cart

            def test_add(load):
                cart = load("cart")
                assert isinstance(cart, Cart)
                assert cart.items == ("pear",)
            """
        ),
    ),
    Example(
        "an object made to word the expected text",
        with_cart(
            """
            from shop import Cart

            def test_add(texts):
                assert texts == [str(Cart(("pear",)))]  # <-
            """
        ),
        {
            "test_add": "info: the text of `Cart(('pear',))` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "a literal with a name",
        with_cart(
            """
            from shop import Cart

            def test_add():
                expected = "Cart(items=('pear',))"
                assert str(Cart().add("pear")) == expected  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "a text that is made elsewhere",
        with_cart(
            """
            from shop import Cart

            def test_add(shown):
                assert str(Cart().add("pear")) == shown  # <-
            """
        ),
        {
            "test_add": "info: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "text of a named tuple",
        {
            "shop.py": """
            from typing import NamedTuple

            class Price(NamedTuple):
                amount: int

                def twice(self):
                    return Price(2 * self.amount)
            """,
            "test_shop.py": """
            from shop import Price

            def test_twice():
                assert repr(Price(2).twice()) == "Price(amount=4)"  # <-
            """,
        },
        {
            "test_twice": "warning: the text of `Price(2).twice()` (`repr`) is compared as a whole with text"
        },
    ),
    Example(
        "text of a class that writes none",
        {
            "shop.py": """
            class Price:
                def twice(self):
                    return Price()
            """,
            "test_shop.py": """
            from shop import Price

            def test_twice():
                assert repr(Price().twice()) == "Price()"  # <-
            """,
        },
        {
            "test_twice": "info: the text of `Price().twice()` (`repr`) is compared as a whole with text"
        },
        note="Python's own text has an address in it: something unseen must word this one.",
    ),
    Example(
        "record without the text of a record",
        {
            "shop.py": """
            from dataclasses import dataclass

            @dataclass(repr=False)
            class Price:
                amount: int

                def twice(self):
                    return Price(2 * self.amount)
            """,
            "test_shop.py": """
            from shop import Price

            def test_twice():
                assert repr(Price(2).twice()) == "Price(4)"  # <-
            """,
        },
        {
            "test_twice": "info: the text of `Price(2).twice()` (`repr`) is compared as a whole with text"
        },
    ),
)
