"""Examples in which SOC106 stays silent: the code around shows that a value is plain."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.sensitive_equality.examples_shop import with_cart

SILENT_INFERRED = (
    Example(
        "equal to a number",
        """
        from decimal import Decimal

        def test_add(load):
            price = load("price")
            assert price == Decimal("1")
            assert str(price) == "1.00 EUR"[:4]
        """,
    ),
    Example(
        "exact type asserted",
        """
        def test_add(load):
            problem = load("last")
            assert type(problem) is KeyError
            assert str(problem) == "'pear'"
        """,
    ),
    Example(
        "text of a number on the other side",
        """
        def test_add(load):
            assert str(load("price"))[:4] == "0.25"
        """,
        note="The object is unknown, but what reads as a number is one.",
    ),
    Example(
        "dates that were collected",
        """
        import datetime

        def test_add(load):
            days = []
            for _ in range(2):
                days.append(datetime.date.fromordinal(load("day")))
            assert [str(day) for day in days] == ["Monday", "Tuesday"]
        """,
    ),
    Example(
        "parts of what is written out",
        """
        PRICES = {"pear": [(1, 2), (3, 4)]}

        def test_add(load):
            for amount, price in PRICES["pear"]:
                assert load(amount) == str(price)
        """,
    ),
    Example(
        "values of a dict of numbers",
        """
        def test_add(load):
            prices = {"pear": 1, "fig": 2}
            assert load("price") in {str(price) for price in prices.values()}
        """,
    ),
    Example(
        "what gives text",
        """
        def test_add(load):
            page = load("page")
            assert "pear" in str(page.text)
            assert "fig" in str(page.findtext(".//item"))
        """,
        note="Written so because it may be None; it is text all the same.",
    ),
    Example(
        "pattern of a number",
        r"""
        import re

        def test_add(load):
            assert re.match(r"1[1-5]\.\d+", str(load("price")))
        """,
    ),
    Example(
        "annotated where it is assigned",
        """
        from pathlib import Path

        def test_add(load):
            log: Path = load("log")
            assert str(log) in load("output")
        """,
    ),
    Example(
        "calculated with",
        """
        def test_add(load):
            for amount in load("amounts"):
                if amount % 2 == 0:
                    assert load(amount) == str(amount)
        """,
    ),
    Example(
        "keys of a mapping",
        """
        def test_add(load):
            assert [(str(key), value) for key, value in load("prices").items()] == [("pear", 1)]
        """,
    ),
    Example(
        "formatted as a number",
        """
        def test_add(load):
            price = load("price")
            assert load("shown") == f"{price:.2f}"
        """,
    ),
    Example(
        "class over many",
        """
        from decimal import Decimal

        def test_add(load):
            for price in map(Decimal, load("prices")):
                assert load("shown") == str(price)
        """,
    ),
    Example(
        "type passed along",
        """
        import datetime

        def test_add(load):
            assert str(load("day").next(datetime.date)) == "Monday"
        """,
    ),
    Example(
        "module constant that is a path",
        """
        from pathlib import Path

        HERE = Path(__file__).resolve().parent

        def test_add(load):
            assert load("folder") == str(HERE)
        """,
    ),
    Example(
        "fixture that hands out a path",
        """
        import pytest

        @pytest.fixture
        def log(tmp_path):
            return tmp_path / "cart.log"

        def test_add(load, log):
            assert load("log") == str(log)
        """,
    ),
    Example(
        "part of what a helper returns",
        with_cart(
            """
            from shop import Cart

            def make(tmp_path):
                return tmp_path / "link", Cart()

            def test_add(load, tmp_path):
                link, _ = make(tmp_path)
                assert load("folder") == str(link.parent)
            """
        ),
    ),
)
