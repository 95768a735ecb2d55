"""The examples of SOC106: one for each sentence of its definition, and for what it leaves open."""

from __future__ import annotations

from textwrap import dedent

from socrates.rule import Example

_SHOP = {
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


def _example(
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
    return Example(name, {**_SHOP, "test_shop.py": text}, expect, note)


_SMELLS = (
    _example(
        "whole text of an object",
        """\
        def test_add():
            cart = Cart().add("pear")
            assert str(cart) == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "different text",
        """\
        def test_add():
            assert repr(Cart().add("pear")) != "<Cart: >"
        """,
        "warning",
    ),
    _example(
        "f-string that is the object alone",
        """\
        def test_add():
            cart = Cart().add("pear")
            assert f"{cart}" == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "percent formatting",
        """\
        def test_add():
            assert "%s" % Cart().add("pear") == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "str.format",
        """\
        def test_add():
            assert "{}".format(Cart().add("pear")) == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "the method itself",
        """\
        def test_add():
            assert Cart().add("pear").__str__() == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "format",
        """\
        def test_add():
            assert format(Cart().add("pear")) == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "variable assigned from the text",
        """\
        def test_add():
            text = str(Cart().add("pear"))
            assert text == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
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
    _example(
        "containment",
        """\
        def test_add():
            assert "pear" in str(Cart().add("pear"))
        """,
        "info",
    ),
    _example(
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
    _example(
        "start of the text",
        """\
        def test_add():
            assert str(Cart().add("pear")).startswith("<Cart")
        """,
        "info",
    ),
    _example(
        "regular expression",
        """\
        def test_add():
            assert re.search("pear", str(Cart().add("pear")))
        """,
        "info",
        head="import re\n\n",
    ),
    _example(
        "text against text",
        """\
        def test_add():
            assert str(Cart().add("pear")) == str(Cart("pear"))
        """,
        "warning",
        note="Two objects are compared through their texts.",
    ),
    _example(
        "texts of several objects",
        """\
        def test_add():
            carts = [Cart().add("pear"), Cart().add("fig")]
            assert [str(cart) for cart in carts] == ["<Cart: pear>", "<Cart: fig>"]
        """,
        "warning",
        note="Each element of the list is compared through its text.",
    ),
    _example(
        "loop variable",
        """\
        def test_add():
            for cart in [Cart().add("pear"), Cart("pear")]:
                assert str(cart) == "<Cart: pear>"
        """,
        "warning",
    ),
    _example(
        "text among texts",
        """\
        def test_add():
            assert str(Cart().add("pear")) in ["<Cart: pear>", "<Cart: pear (1)>"]
        """,
        "info",
    ),
    _example(
        "text in a nested function",
        """\
        def test_add():
            def check(cart):
                assert str(cart) == "<Cart: pear>"

            check(Cart().add("pear"))
        """,
        "warning",
    ),
    _example(
        "a collection is no primitive",
        """\
        def test_add():
            items = list(Cart().add("pear").items)
            assert str(items) == "['pear']"
        """,
        "warning",
    ),
    _example(
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

_PLAIN = (
    _example(
        "text of a number",
        """\
        def test_add():
            assert str(len(Cart().add("pear").items)) == "1"
        """,
    ),
    _example(
        "text of a path",
        """\
        def test_add(tmp_path):
            target = tmp_path / "cart.txt"
            assert str(target.resolve()).endswith("cart.txt")
        """,
    ),
    _example(
        "path or text by annotation",
        """\
        def test_add(place: Path | str):
            assert str(place) == "a/b"
        """,
        head="from pathlib import Path\n\n",
    ),
    _example(
        "text of a Path object",
        """\
        def test_add():
            assert str(Path("a") / "b") == "a/b"
        """,
        head="from pathlib import Path\n\n",
    ),
    _example(
        "text of a URL",
        """\
        def test_add(client):
            assert str(client.get("/").url) == "https://example.org/"
        """,
    ),
    _example(
        "text of a UUID",
        """\
        def test_add():
            key = uuid.UUID(int=1)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
        head="import uuid\n\n",
    ),
    _example(
        "text of a date",
        """\
        def test_add():
            assert str(datetime.date(2024, 2, 29)) == "2024-02-29"
        """,
        head="import datetime\n\n",
    ),
    _example(
        "text of an exception",
        """\
        def test_add():
            with pytest.raises(TypeError) as excinfo:
                Cart().add()
            assert "missing" in str(excinfo.value)
        """,
        head="import pytest\n\n",
    ),
    _example(
        "text of a caught exception",
        """\
        def test_add():
            try:
                Cart().add()
            except TypeError as problem:
                assert "missing" in str(problem)
        """,
    ),
    _example(
        "type asserted before",
        """\
        def test_add(load):
            key = load("key")
            assert isinstance(key, uuid.UUID)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
        head="import uuid\n\n",
    ),
    _example(
        "parametrized with primitives",
        """\
        @pytest.mark.parametrize("price", [1, 2.5, None])
        def test_add(price, shown):
            assert shown(price) == str(price)
        """,
        head="import pytest\n\n",
    ),
)

_TEXT_IS_THE_POINT = (
    _example(
        "the test's name says repr",
        """\
        def test_repr_after_add():
            assert repr(Cart().add("pear")) == "<Cart: pear>"
        """,
    ),
    _example(
        "the test class's name says render",
        """\
        class TestRendering:
            def test_add(self):
                assert str(Cart().add("pear")) == "<Cart: pear>"
        """,
    ),
    Example(
        "the unit's name says format",
        {
            "formatter.py": "class Formatter:\n    def add(self, text):\n        return self\n",
            "test_formatter.py": (
                "from formatter import Formatter\n\n\n"
                "def test_add():\n"
                "    assert str(Formatter().add('x')) == 'x'\n"
            ),
        },
    ),
    _example(
        "the text method is under test",
        """\
        def test_lists_its_items():
            assert str(Cart("pear", "fig")) == "<Cart: pear, fig>"
        """,
        note="The class defines the method, and the test does nothing but build and read it.",
    ),
    _example(
        "f-string that builds what is expected",
        """\
        def test_add(greet):
            cart = Cart().add("pear")
            assert greet(cart) == f"You have {cart} with you"
        """,
    ),
    _example(
        "helper that compares texts",
        """\
        def check(cart, text):
            assert str(cart) == text


        def test_add():
            check(Cart().add("pear"), "<Cart: pear>")
        """,
        note="Only the assertions written in the test are looked at.",
    ),
    Example(
        "a word of one's own",
        {
            **_SHOP,
            "test_shop.py": (
                "from shop import Cart\n\n\n"
                "def test_receipt():\n"
                "    assert str(Cart().add('pear')) == '<Cart: pear>'\n"
            ),
        },
        options={"text-words": ["receipt"]},
    ),
)

EXAMPLES: tuple[Example, ...] = (*_SMELLS, *_PLAIN, *_TEXT_IS_THE_POINT)
