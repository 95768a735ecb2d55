"""Examples in which SOC106 stays silent: whose text it is."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.sensitive_equality.examples_shop import with_cart, with_label

SILENT = (
    Example(
        "text of a number",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert str(len(Cart().add("pear").items)) == "1"
            """
        ),
    ),
    Example(
        "text of a path",
        """
        def test_add(tmp_path):
            target = tmp_path / "cart.txt"
            assert str(target.resolve()).endswith("cart.txt")
        """,
    ),
    Example(
        "text of a Path object",
        """
        from pathlib import Path

        def test_add():
            assert str(Path("a") / "b") == "a/b"
        """,
    ),
    Example(
        "text of a URL",
        """
        def test_add(client):
            assert str(client.get("/").url) == "https://example.org/"
        """,
    ),
    Example(
        "text of a UUID",
        """
        import uuid

        def test_add():
            key = uuid.UUID(int=1)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
    ),
    Example(
        "text of a date",
        """
        import datetime

        def test_add():
            assert str(datetime.date(2024, 2, 29)) == "2024-02-29"
        """,
    ),
    Example(
        "text of an exception",
        with_cart(
            """
            import pytest

            from shop import Cart

            def test_add():
                with pytest.raises(TypeError) as excinfo:
                    Cart().add()
                assert "missing" in str(excinfo.value)
            """
        ),
    ),
    Example(
        "text of a caught exception",
        with_cart(
            """
            from shop import Cart

            def test_add():
                try:
                    Cart().add()
                except TypeError as problem:
                    assert "missing" in str(problem)
            """
        ),
    ),
    Example(
        "type of a library asserted before",
        """
        import uuid

        def test_add(load):
            key = load("key")
            assert isinstance(key, uuid.UUID)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
    ),
    Example(
        "parametrized with primitives",
        """
        import pytest

        @pytest.mark.parametrize("price", [1, 2.5, None])
        def test_add(price, shown):
            assert shown(price) == str(price)
        """,
    ),
    Example(
        "an object that is not known",
        """
        def test_add(load):
            assert str(load("cart")) == "<Cart: pear>"
        """,
    ),
    Example(
        "an object of the standard library",
        """
        import inspect

        from shop import total

        def test_total():
            signature = inspect.signature(total)
            assert list(signature.parameters) == ["prices"]
            assert str(signature) == "(prices)"
        """,
        note="How it reads is the library's promise.",
    ),
    Example(
        "an object of a class that a library gives its text",
        """
        from pydantic import BaseModel

        class Cart(BaseModel):
            items: list[str] = []

        def test_cart():
            cart = Cart(items=["pear"])
            assert cart.items == ["pear"]
            assert str(cart) == "items=['pear']"
        """,
    ),
    Example(
        "a round trip",
        with_label(
            """
            from shop import Label

            def test_label():
                text = "<pear>"
                label = Label(text[1:-1])
                assert label.text == "pear"
                assert str(label) == text
            """
        ),
        note="The text is the one that the object was made from.",
    ),
    Example(
        "a round trip of a literal",
        with_cart(
            """
            from shop import Cart

            def test_cart():
                cart = eval("Cart(items=('pear',))", {"Cart": Cart})
                assert isinstance(cart, Cart)
                assert repr(cart) == "Cart(items=('pear',))"
            """
        ),
    ),
    Example(
        "no texts at all",
        with_cart(
            """
            from shop import Cart

            def test_add():
                carts = [Cart()]
                assert [str(cart) for cart in carts if cart.items] == []
            """
        ),
    ),
)
