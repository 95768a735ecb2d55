"""Examples that SOC104 stays silent on: set-up that is there for what it does."""

from __future__ import annotations

from socrates.example import Example

SILENT_EFFECTS = (
    Example(
        "a helper that leaves files behind",
        """
        import os
        import unittest

        def make_shop(folder):
            os.makedirs(folder)
            return "shop"

        class ShopTest(unittest.TestCase):
            def setUp(self):
                self.shop = make_shop("a")

            def test_it(self):
                self.assertEqual(1 + 1, 2)
        """,
    ),
    Example(
        "set-up by a function of a module whose other function undoes it",
        {
            "shop.py": """
            def open_up():
                return object()

            def close_down():
                pass
            """,
            "test_example.py": """
            import unittest
            import shop

            class ShopTest(unittest.TestCase):
                def setUp(self):
                    self.shop = shop.open_up()

                def tearDown(self):
                    shop.close_down()

                def test_it(self):
                    self.assertEqual(1 + 1, 2)
            """,
        },
    ),
    Example(
        "an object that set-up hands to production code",
        {
            "shop.py": """
            class Till: ...

            def install(till):
                ...
            """,
            "test_example.py": """
            import unittest
            import shop

            class ShopTest(unittest.TestCase):
                def setUp(self):
                    self.till = shop.Till()
                    shop.install(self.till)

                def test_it(self):
                    self.assertEqual(1 + 1, 2)
            """,
        },
    ),
    Example(
        "classes of a fixture that register themselves with their base",
        """
        from types import SimpleNamespace

        import pytest
        from orm import declarative_base

        @pytest.fixture
        def base():
            return declarative_base()

        @pytest.fixture
        def models(base):
            class School(base):
                name = "school"

            class Paper(base):
                name = "paper"

            class Graded(Paper):
                name = "graded"

            return SimpleNamespace(School=School, Paper=Paper, Graded=Graded)

        def test_it(models):
            assert models.School
        """,
    ),
    Example(
        "classes of a fixture that another one mentions",
        """
        import pytest

        @pytest.fixture
        def models():
            class School:
                name = "school"

            class Pupil:
                school = School
                teacher = "Teacher"

            class Teacher:
                name = "teacher"

            return School, Pupil, Teacher

        def test_it(models):
            _, pupil, _ = models
            assert pupil
        """,
    ),
    Example(
        "what set-up hands to a patch",
        """
        import pytest
        from shop import FakeTill, FakeClock, sell

        class TestSell:
            @pytest.fixture(autouse=True)
            def _patched(self, monkeypatch):
                self.till = FakeTill()
                self.clock = FakeClock()
                monkeypatch.setattr("shop.till", self.till)
                monkeypatch.setattr("shop.clock", self.clock)

            def test_it(self):
                assert sell("pear") == 1
        """,
    ),
    Example(
        "what set-up puts into a module",
        """
        import unittest

        import shop

        class SellTest(unittest.TestCase):
            def setUp(self):
                self.till = FakeTill()
                shop.till = self.till

            def test_it(self):
                self.assertEqual(shop.sell("pear"), 1)
        """,
    ),
    Example(
        "what a class that set-up makes reads",
        """
        import unittest
        from workflows import Workflow, Tracked

        class WorkflowTest(unittest.TestCase):
            def setUp(self):
                class Order(Workflow):
                    states = ("new", "sold")

                self.Order = Order

                class Item(Tracked):
                    state = self.Order()

                self.Item = Item

            def test_it(self):
                self.assertEqual(self.Item().state, "new")
        """,
    ),
    Example(
        "what set-up builds another part from under a local name",
        """
        import unittest
        from shop import Cart, Till

        class TillTest(unittest.TestCase):
            def setUp(self):
                cart = Cart()
                self.till = Till(cart)
                self.cart = cart

            def test_it(self):
                self.assertEqual(self.till.sum, 0)
        """,
    ),
    Example(
        "what a method that set-up puts into a module reads",
        """
        import unittest

        import shop

        class SellTest(unittest.TestCase):
            def setUp(self):
                shop.find = self.found
                self.data = None

            def found(self, name):
                return self.data

            def check(self, data, expected):
                self.data = data
                self.assertEqual(shop.sell("pear"), expected)

            def test_it(self):
                self.check([3], 3)
        """,
    ),
)
