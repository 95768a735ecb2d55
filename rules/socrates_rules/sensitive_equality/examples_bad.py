"""The bad examples of SOC106: the ways to see an object through its text."""

from __future__ import annotations

from textwrap import dedent

from socrates.rule import Example

SHOP = {
    "shop.py": dedent(
        """\
        class Cart:
            def __init__(self, *items):
                self.items = items

            def add(self, item):
                return Cart(*self.items, item)

            def __str__(self):
                return f"<Cart: {', '.join(self.items)}>"
        """
    )
}


def example(
    name: str,
    body: str,
    severity: str = "",
    *,
    head: str = "",
    test: str = "test_add",
    note: str = "",
) -> Example:
    """A test of ``Cart``; ``severity`` is empty where the rule must stay silent."""
    text = dedent(head) + "from shop import Cart\n\n\n" + dedent(body)
    expect = {test: severity} if severity else {}
    return Example(name, {**SHOP, "test_shop.py": text}, expect, note)


SMELLS = (
    example(
        "whole text of an object",
        """\
        def test_add():
            cart = Cart().add("pear")
            assert str(cart) == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "different text",
        """\
        def test_add():
            assert repr(Cart().add("pear")) != "<Cart: >"
        """,
        "warning",
    ),
    example(
        "f-string that is the object alone",
        """\
        def test_add():
            cart = Cart().add("pear")
            assert f"{cart}" == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "percent formatting",
        """\
        def test_add():
            assert "%s" % Cart().add("pear") == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "str.format",
        """\
        def test_add():
            assert "{}".format(Cart().add("pear")) == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "the method itself",
        """\
        def test_add():
            assert Cart().add("pear").__str__() == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "format",
        """\
        def test_add():
            assert format(Cart().add("pear")) == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "variable assigned from the text",
        """\
        def test_add():
            text = str(Cart().add("pear"))
            assert text == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "unittest equality",
        """\
        import unittest


        class CartTest(unittest.TestCase):
            def test_add(self):
                self.assertEqual(str(Cart().add("pear")), "<Cart: pear>")
        """,
        "warning",
        test="CartTest::test_add",
    ),
    example(
        "containment",
        """\
        def test_add():
            assert "pear" in str(Cart().add("pear"))
        """,
        "info",
    ),
    example(
        "unittest containment",
        """\
        import unittest


        class CartTest(unittest.TestCase):
            def test_add(self):
                self.assertIn("pear", str(Cart().add("pear")))
        """,
        "info",
        test="CartTest::test_add",
    ),
    example(
        "start of the text",
        """\
        def test_add():
            assert str(Cart().add("pear")).startswith("<Cart")
        """,
        "info",
    ),
    example(
        "regular expression",
        """\
        def test_add():
            assert re.search("pear", str(Cart().add("pear")))
        """,
        "info",
        head="import re\n\n",
    ),
    example(
        "text against text",
        """\
        def test_add():
            assert str(Cart().add("pear")) == str(Cart("pear"))
        """,
        "warning",
        note="Two objects are compared through their texts.",
    ),
    example(
        "texts of several objects",
        """\
        def test_add():
            carts = [Cart().add("pear"), Cart().add("fig")]
            assert [str(cart) for cart in carts] == ["<Cart: pear>", "<Cart: fig>"]
        """,
        "warning",
        note="Each element of the list is compared through its text.",
    ),
    example(
        "loop variable",
        """\
        def test_add():
            for cart in [Cart().add("pear"), Cart("pear")]:
                assert str(cart) == "<Cart: pear>"
        """,
        "warning",
    ),
    example(
        "text among texts",
        """\
        def test_add():
            assert str(Cart().add("pear")) in ["<Cart: pear>", "<Cart: pear (1)>"]
        """,
        "info",
    ),
    example(
        "text in a nested function",
        """\
        def test_add():
            def check(cart):
                assert str(cart) == "<Cart: pear>"

            check(Cart().add("pear"))
        """,
        "warning",
    ),
    example(
        "a collection is no primitive",
        """\
        def test_add():
            items = list(Cart().add("pear").items)
            assert str(items) == "['pear']"
        """,
        "warning",
    ),
    example(
        "text that a class of the test inherits",
        """\
        def test_child():
            class Basket(Cart):
                pass

            assert str(Basket("pear")) == "<Cart: pear>"
        """,
        "warning",
        test="test_child",
        note="The text method is not what a test is about that makes a class of its own.",
    ),
    example(
        "dict of texts",
        """\
        def test_add():
            carts = {"a": Cart().add("pear")}
            assert {name: str(cart) for name, cart in carts.items()} == {"a": "<Cart: pear>"}
        """,
        "warning",
    ),
    Example(
        "a number with a text of its own is no primitive",
        {
            "shop.py": (
                "class Price(int):\n"
                "    def __str__(self):\n"
                "        return f'{int(self)} EUR'\n\n"
                "    __repr__ = __str__\n\n"
                "    def __repr__(self):\n"
                "        return f'<{self}>'\n"
            ),
            "test_shop.py": (
                "from shop import Price\n\n\n"
                "def test_price():\n"
                "    price = Price(3)\n"
                "    assert price == 3\n"
                "    assert str(price) == '3 EUR'\n"
            ),
        },
        {"test_price": "warning"},
    ),
    example(
        "text beside other assertions",
        """\
        def test_new():
            cart = Cart("pear")
            assert cart.items == ("pear",)
            assert str(cart) == "<Cart: pear>"
        """,
        "warning",
        test="test_new",
        note="The class defines the text, but the test is not about it alone.",
    ),
)
