"""Examples that SOC106 reports: every way to compare an object through its text."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.sensitive_equality.examples_shop import with_cart, with_money

REPORTED = (
    Example(
        "whole text of an object",
        with_cart(
            """
            from shop import Cart

            def test_add():
                cart = Cart().add("pear")
                assert str(cart) == "Cart(items=('pear',))"  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
        fixed=unsafe(
            """
            from shop import Cart

            def test_add():
                cart = Cart().add("pear")
                assert cart.items == ("pear",)
            """
        ),
        page=True,
    ),
    Example(
        "different text",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert repr(Cart().add("pear")) != "Cart(items=())"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`repr`) is compared as a whole with text"
        },
    ),
    Example(
        "f-string that is the object alone",
        with_cart(
            """
            from shop import Cart

            def test_add():
                cart = Cart().add("pear")
                assert f"{cart}" == "Cart(items=('pear',))"  # <-
            """
        ),
        {"test_add": "warning: the text of `cart` (`str`) is compared as a whole with text"},
    ),
    Example(
        "percent formatting",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert "%s" % Cart().add("pear") == "Cart(items=('pear',))"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "str.format",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert "{}".format(Cart().add("pear")) == "Cart(items=('pear',))"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "the method itself",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert Cart().add("pear").__str__() == "Cart(items=('pear',))"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "format",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert format(Cart().add("pear")) == "Cart(items=('pear',))"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`format`) is compared as a whole with text"
        },
    ),
    Example(
        "variable assigned from the text",
        with_cart(
            """
            from shop import Cart

            def test_add():
                text = str(Cart().add("pear"))
                assert text == "Cart(items=('pear',))"  # <-
            """
        ),
        {
            "test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "unittest equality",
        with_cart(
            """
            import unittest

            from shop import Cart

            class CartTest(unittest.TestCase):
                def test_add(self):
                    self.assertEqual(str(Cart().add("pear")), "Cart(items=('pear',))")  # <-
            """
        ),
        {
            "CartTest::test_add": "warning: the text of `Cart().add('pear')` (`str`) is compared as a whole with text"
        },
    ),
    Example(
        "containment",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert "pear" in str(Cart().add("pear"))  # <-
            """
        ),
        {"test_add": "info: the text of `Cart().add('pear')` (`str`) is searched for text"},
    ),
    Example(
        "unittest containment",
        with_cart(
            """
            import unittest

            from shop import Cart

            class CartTest(unittest.TestCase):
                def test_add(self):
                    self.assertIn("pear", str(Cart().add("pear")))  # <-
            """
        ),
        {
            "CartTest::test_add": "info: the text of `Cart().add('pear')` (`str`) is searched for text"
        },
    ),
    Example(
        "start of the text",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert str(Cart().add("pear")).startswith("Cart")  # <-
            """
        ),
        {"test_add": "info: the text of `Cart().add('pear')` (`str`) is searched for text"},
    ),
    Example(
        "regular expression",
        with_cart(
            """
            import re

            from shop import Cart

            def test_add():
                assert re.search("pear", str(Cart().add("pear")))  # <-
            """
        ),
        {"test_add": "info: the text of `Cart().add('pear')` (`str`) is searched for text"},
    ),
    Example(
        "text against text",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert str(Cart().add("pear")) == str(Cart(("pear",)))  # <-
            """
        ),
        {
            "test_add": "info: the text of `Cart().add('pear')` (`str`) is compared as a whole with the text of `Cart(('pear',))`"
        },
        note="Two objects are compared through their texts.",
        fixed=unsafe(
            """
            from shop import Cart

            def test_add():
                assert Cart().add("pear") == Cart(("pear",))
            """
        ),
    ),
    Example(
        "text among texts",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert str(Cart().add("pear")) in ["Cart(items=('pear',))", "Cart(('pear',))"]  # <-
            """
        ),
        {"test_add": "info: the text of `Cart().add('pear')` (`str`) is looked for in text"},
    ),
    Example(
        "records compared by repr",
        with_money(
            """
            from shop import Money

            def test_add():
                money = Money(1).add(Money(2))
                assert repr(money) == repr(Money(3))  # <-
            """
        ),
        {
            "test_add": "info: the text of `money` (`repr`) is compared as a whole with the text of `Money(3)`"
        },
        fixed=unsafe(
            """
            from shop import Money

            def test_add():
                money = Money(1).add(Money(2))
                assert money == Money(3)
            """
        ),
    ),
    Example(
        "records compared by str",
        with_money(
            """
            from shop import Money

            def test_add():
                money = Money(1).add(Money(2))
                assert str(money) != str(Money(3))  # why  # <-
            """
        ),
        {
            "test_add": "info: the text of `money` (`str`) is compared as a whole with the text of `Money(3)`"
        },
        fixed=unsafe(
            """
            from shop import Money

            def test_add():
                money = Money(1).add(Money(2))
                assert money != Money(3)  # why
            """
        ),
    ),
    Example(
        "records compared by repr in unittest",
        with_money(
            """
            import unittest

            from shop import Money

            class AddTest(unittest.TestCase):
                def test_add(self):
                    money = Money(1).add(Money(2))
                    self.assertEqual(repr(money), repr(Money(3)))  # <-
            """
        ),
        {
            "AddTest::test_add": "info: the text of `money` (`repr`) is compared as a whole with the text of `Money(3)`"
        },
        fixed=unsafe(
            """
            import unittest

            from shop import Money

            class AddTest(unittest.TestCase):
                def test_add(self):
                    money = Money(1).add(Money(2))
                    self.assertEqual(money, Money(3))
            """
        ),
    ),
)
