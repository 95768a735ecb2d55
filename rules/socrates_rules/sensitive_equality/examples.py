"""The examples of SOC106: one for each sentence of its definition, and for what it leaves open."""

from __future__ import annotations

from socrates.rule import Example
from socrates_rules.sensitive_equality.examples_bad import SHOP, SMELLS, example

_PLAIN = (
    example(
        "text of a number",
        """\
        def test_add():
            assert str(len(Cart().add("pear").items)) == "1"
        """,
    ),
    example(
        "text of a path",
        """\
        def test_add(tmp_path):
            target = tmp_path / "cart.txt"
            assert str(target.resolve()).endswith("cart.txt")
        """,
    ),
    example(
        "path or text by annotation",
        """\
        def test_add(place: Path | str):
            assert str(place) == "a/b"
        """,
        head="from pathlib import Path\n\n",
    ),
    example(
        "text of a Path object",
        """\
        def test_add():
            assert str(Path("a") / "b") == "a/b"
        """,
        head="from pathlib import Path\n\n",
    ),
    example(
        "text of a URL",
        """\
        def test_add(client):
            assert str(client.get("/").url) == "https://example.org/"
        """,
    ),
    example(
        "text of a UUID",
        """\
        def test_add():
            key = uuid.UUID(int=1)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
        head="import uuid\n\n",
    ),
    example(
        "text of a date",
        """\
        def test_add():
            assert str(datetime.date(2024, 2, 29)) == "2024-02-29"
        """,
        head="import datetime\n\n",
    ),
    example(
        "text of an exception",
        """\
        def test_add():
            with pytest.raises(TypeError) as excinfo:
                Cart().add()
            assert "missing" in str(excinfo.value)
        """,
        head="import pytest\n\n",
    ),
    example(
        "text of a caught exception",
        """\
        def test_add():
            try:
                Cart().add()
            except TypeError as problem:
                assert "missing" in str(problem)
        """,
    ),
    example(
        "type asserted before",
        """\
        def test_add(load):
            key = load("key")
            assert isinstance(key, uuid.UUID)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
        head="import uuid\n\n",
    ),
    example(
        "parametrized with primitives",
        """\
        @pytest.mark.parametrize("price", [1, 2.5, None])
        def test_add(price, shown):
            assert shown(price) == str(price)
        """,
        head="import pytest\n\n",
    ),
)

_BY_ITS_SURROUNDINGS = (
    example(
        "equal to a number",
        """\
        def test_add(load):
            price = load("price")
            assert price == Decimal("1")
            assert str(price) == "1.00 EUR"[:4]
        """,
        head="from decimal import Decimal\n\n",
    ),
    example(
        "exact type asserted",
        """\
        def test_add(load):
            problem = load("last")
            assert type(problem) is KeyError
            assert str(problem) == "'pear'"
        """,
    ),
    example(
        "text of a number on the other side",
        """\
        def test_add(load):
            assert str(load("price"))[:4] == "0.25"
        """,
        note="The object is unknown, but what reads as a number is one.",
    ),
    example(
        "dates that were collected",
        """\
        def test_add(load):
            days = []
            for _ in range(2):
                days.append(datetime.date.fromordinal(load("day")))
            assert [str(day) for day in days] == ["Monday", "Tuesday"]
        """,
        head="import datetime\n\n",
    ),
    example(
        "parts of what is written out",
        """\
        PRICES = {"pear": [(1, 2), (3, 4)]}


        def test_add(load):
            for amount, price in PRICES["pear"]:
                assert load(amount) == str(price)
        """,
    ),
    example(
        "values of a dict of numbers",
        """\
        def test_add(load):
            prices = {"pear": 1, "fig": 2}
            assert load("price") in {str(price) for price in prices.values()}
        """,
    ),
    example(
        "what gives text",
        """\
        def test_add(load):
            page = load("page")
            assert "pear" in str(page.text)
            assert "fig" in str(page.findtext(".//item"))
        """,
        note="Written so because it may be None; it is text all the same.",
    ),
    example(
        "pattern of a number",
        r"""
        def test_add(load):
            assert re.match(r"1[1-5]\.\d+", str(load("price")))
        """,
        head="import re\n\n",
    ),
    example(
        "annotated where it is assigned",
        """\
        def test_add(load):
            log: Path = load("log")
            assert str(log) in load("output")
        """,
        head="from pathlib import Path\n\n",
    ),
    example(
        "calculated with",
        """\
        def test_add(load):
            for amount in load("amounts"):
                if amount % 2 == 0:
                    assert load(amount) == str(amount)
        """,
    ),
    example(
        "keys of a mapping",
        """\
        def test_add(load):
            assert [(str(key), value) for key, value in load("prices").items()] == [("pear", 1)]
        """,
    ),
    example(
        "formatted as a number",
        """\
        def test_add(load):
            price = load("price")
            assert load("shown") == f"{price:.2f}"
        """,
    ),
    example(
        "class over many",
        """\
        def test_add(load):
            for price in map(Decimal, load("prices")):
                assert load("shown") == str(price)
        """,
        head="from decimal import Decimal\n\n",
    ),
    example(
        "type passed along",
        """\
        def test_add(load):
            assert str(load("day").next(datetime.date)) == "Monday"
        """,
        head="import datetime\n\n",
    ),
    example(
        "module constant that is a path",
        """\
        HERE = Path(__file__).resolve().parent


        def test_add(load):
            assert load("folder") == str(HERE)
        """,
        head="from pathlib import Path\n\n",
    ),
    example(
        "fixture that hands out a path",
        """\
        @pytest.fixture
        def log(tmp_path):
            return tmp_path / "cart.log"


        def test_add(load, log):
            assert load("log") == str(log)
        """,
        head="import pytest\n\n",
    ),
    example(
        "part of what a helper returns",
        """\
        def make(tmp_path):
            return tmp_path / "link", Cart()


        def test_add(load, tmp_path):
            link, _ = make(tmp_path)
            assert load("folder") == str(link.parent)
        """,
    ),
)

_TEXT_IS_THE_POINT = (
    example(
        "the test's name says repr",
        """\
        def test_repr_after_add():
            assert repr(Cart().add("pear")) == "<Cart: pear>"
        """,
    ),
    example(
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
    example(
        "the text method is under test",
        """\
        def test_lists_its_items():
            assert str(Cart("pear", "fig")) == "<Cart: pear, fig>"
        """,
        note="The class defines the method, and the test does nothing but build and read it.",
    ),
    Example(
        "the text method of a constant is under test",
        {
            "shop.py": (
                "class Nothing:\n"
                "    def __repr__(self):\n"
                "        return '<nothing>'\n\n\n"
                "NOTHING = Nothing()\n"
            ),
            "test_shop.py": (
                "from shop import NOTHING\n\n\n"
                "def test_nothing():\n"
                "    assert repr(NOTHING) == '<nothing>'\n"
            ),
        },
    ),
    Example(
        "the text method of a class is under test",
        {
            "shop.py": (
                "class Named(type):\n"
                "    def __str__(cls):\n"
                "        return f'<{cls.__name__}>'\n\n\n"
                "class Item(metaclass=Named):\n"
                "    pass\n"
            ),
            "test_shop.py": (
                "import shop\n\n\n"
                "def test_display():\n"
                "    class Pear(shop.Item):\n"
                "        pass\n\n"
                "    assert str(Pear) == '<Pear>'\n"
            ),
        },
    ),
    example(
        "f-string that builds what is expected",
        """\
        def test_add(greet):
            cart = Cart().add("pear")
            assert greet(cart) == f"You have {cart} with you"
        """,
    ),
    example(
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
            **SHOP,
            "test_shop.py": (
                "from shop import Cart\n\n\n"
                "def test_receipt():\n"
                "    assert str(Cart().add('pear')) == '<Cart: pear>'\n"
            ),
        },
        options={"text-words": ["receipt"]},
    ),
)

EXAMPLES: tuple[Example, ...] = (*SMELLS, *_PLAIN, *_BY_ITS_SURROUNDINGS, *_TEXT_IS_THE_POINT)
