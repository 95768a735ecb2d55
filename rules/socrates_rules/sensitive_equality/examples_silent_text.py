"""Examples in which SOC106 stays silent: text is what the test is about."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.sensitive_equality.examples_shop import with_cart, with_label

SILENT_TEXT = (
    Example(
        "the test's name says repr",
        with_cart(
            """
            from shop import Cart

            def test_repr_after_add():
                assert repr(Cart().add("pear")) == "Cart(items=('pear',))"
            """
        ),
    ),
    Example(
        "the test class's name says render",
        with_cart(
            """
            from shop import Cart

            class TestRendering:
                def test_add(self):
                    assert str(Cart().add("pear")) == "Cart(items=('pear',))"
            """
        ),
    ),
    Example(
        "the unit's name says format",
        {
            "formatter.py": """
            class Formatter:
                def add(self, text):
                    return self
            """,
            "test_formatter.py": """
            from formatter import Formatter

            def test_add():
                assert str(Formatter().add('x')) == 'x'
            """,
        },
    ),
    Example(
        "the text method of a constant is under test",
        {
            "shop.py": """
            class Nothing:
                def __repr__(self):
                    return '<nothing>'

            NOTHING = Nothing()
            """,
            "test_shop.py": """
            from shop import NOTHING

            def test_nothing():
                assert repr(NOTHING) == '<nothing>'
            """,
        },
    ),
    Example(
        "the text method of a class is under test",
        {
            "shop.py": """
            class Named(type):
                def __str__(cls):
                    return f'<{cls.__name__}>'

            class Item(metaclass=Named):
                pass
            """,
            "test_shop.py": """
            import shop

            def test_display():
                class Pear(shop.Item):
                    pass

                assert str(Pear) == '<Pear>'
            """,
        },
    ),
    Example(
        "f-string that builds what is expected",
        with_cart(
            """
            from shop import Cart

            def test_add(greet):
                cart = Cart().add("pear")
                assert greet(cart) == f"You have {cart} with you"
            """
        ),
    ),
    Example(
        "helper that compares texts",
        with_cart(
            """
            from shop import Cart

            def check(cart, text):
                assert str(cart) == text

            def test_add():
                check(Cart().add("pear"), "Cart(items=('pear',))")
            """
        ),
        note="Only the assertions written in the test are looked at.",
    ),
    Example(
        "a word of one's own",
        with_cart(
            """
            from shop import Cart

            def test_receipt():
                assert str(Cart().add('pear')) == "Cart(items=('pear',))"
            """
        ),
        options={"text-words": ["receipt"]},
    ),
    Example(
        "the text method is under test",
        with_label(
            """
            from shop import Label

            def test_upper():
                label = Label("pear").upper()
                assert str(label) == "<PEAR>"
                assert f"{label}".startswith("<")
            """
        ),
        note="The class defines its text, and the test checks nothing else of the object.",
        page=True,
    ),
    Example(
        "neighbours are about another object",
        with_label(
            """
            from shop import Label

            def test_upper():
                pear, fig = Label("pear"), Label("fig")
                assert fig.text == "fig"
                assert str(pear) == "<pear>"
            """
        ),
        note="Each assertion is judged by itself.",
    ),
    Example(
        "text that a class of the test inherits",
        with_label(
            """
            from shop import Label

            def test_child():
                class Sticker(Label):
                    pass

                assert str(Sticker("pear")) == "<pear>"
            """
        ),
    ),
    Example(
        "the test's name says dunder",
        with_cart(
            """
            from shop import Cart

            def test_dunder_methods():
                assert repr(Cart().add("pear")) == "Cart(items=('pear',))"
            """
        ),
    ),
)
